import Testing

@testable import Photos

@Suite struct CheckedBytesTests {
    @Test func markerByteIsFoundWhereverItStandsAndNowhereBeyondTheEnd() {
        for count in 0...40 {
            for place in 0...count {
                // With `place` at the end, none is left; the byte behind the end must not be seen.
                var bytes = [UInt8](repeating: 0xFE, count: count) + [0xFF]
                bytes[place] = 0xFF
                let span = bytes.span.extracting(0..<count)
                for start in -1...count + 1 {
                    let expected = place < count && start <= place ? place : nil
                    #expect(span.firstFF(from: start) == expected, "\(count) bytes, \(place), from \(start)")
                }
            }
        }
    }

    @Test func theFirstOfSeveralMarkerBytesIsFound() {
        let bytes: [UInt8] = [0xFF, 0x00, 0xFF, 0xFF, 0xD9]
        #expect((0..<6).map { bytes.span.firstFF(from: $0) } == [0, 2, 2, 3, nil, nil])
    }
}
