import TestSupport
import Testing

@testable import Photos

/// EXIF data that no camera writes.
@Suite struct ExifLocationTests {
    /// The JPEG without its position, as it would be stored.
    private func stripped(_ jpeg: [UInt8]) throws -> [UInt8] {
        var stored = jpeg
        stored.apply(try JPEGStructure(jpeg.span).locationPatches(in: jpeg.span))
        return stored
    }

    @Test func countThatIsAnEntryOfAnotherDirectoryIsHarmless() throws {
        var tiff = MadeTIFF(count: 800)
        tiff.put(4, at: 8)
        tiff.putEntry(0x8825, value: 700, at: 10)
        tiff.putEntry(0x8769, value: 34, at: 22)
        // The first entry's removal makes the last one's tag the count of the Exif directory, which is at 34.
        tiff.putEntry(50, value: 0, at: 34)
        tiff.putEntry(1, value: 0, at: 46)
        tiff.putEntry(0x8825, value: 700, at: 34 + 2 + 12 * 49)
        tiff.put(1, at: 700)
        tiff.putEntry(2, type: 5, count: 3, value: 750, at: 702)
        tiff.put(0x1234, at: 750)
        let file = tiff.file()
        let stored = try stripped(file)
        #expect(stored.count == file.count)
        #expect(stored[12 + 750] == 0 && stored[12 + 751] == 0, "the latitude is gone")
    }

    @Test(arguments: 0..<20)
    func directoriesAnywhereAreHarmless(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var tiff = MadeTIFF(count: Int.random(in: 20...400, using: &random))
            let all = 8..<tiff.bytes.count
            tiff.put(Int.random(in: 1...30, using: &random), at: 8)
            var position = 10
            while position + 12 <= all.upperBound {
                let tag = [0x8825, 0x8825, 0x8769, 1, 2, 0x11].randomElement(using: &random)!
                // At an entry, whose tag is the directory's count then and changes with it, or anywhere.
                let entry = 10 + 12 * Int.random(in: 0..<40, using: &random)
                let value = Bool.random(using: &random) ? entry : Int.random(in: all, using: &random)
                // Seen from a directory at another entry, the type is a tag.
                let type = [4, 5, 0x8825].randomElement(using: &random)!
                tiff.putEntry(tag, type: type, count: Int.random(in: 0...3, using: &random), value: value, at: position)
                position += 12
            }
            let file = tiff.file()
            let stored = try stripped(file)
            #expect(stored.count == file.count)
            #expect(stored.suffix(20) == file.suffix(20))
        }
    }

    @Test func moreDirectoriesThanInAnyPhotoTakeEverythingAlong() throws {
        for (pointers, goes) in [(8, false), (9, true)] {
            var tiff = MadeTIFF(count: 600)
            tiff.put(pointers + 1, at: 8)
            for index in 0..<pointers {
                tiff.putEntry(0x8825, value: 200 + 24 * index, at: 10 + 12 * index)
                tiff.put(1, at: 200 + 24 * index)
                tiff.putEntry(2, type: 5, count: 3, value: 500, at: 202 + 24 * index)
            }
            tiff.putEntry(0x9C9F, type: 1, count: 4, value: 0x0403_0201, at: 10 + 12 * pointers)
            let stored = try stripped(tiff.file())
            let exif = stored[12..<612]
            #expect(exif.allSatisfy { $0 == 0 } == goes)
            #expect((exif.firstRange(of: [1, 2, 3, 4]) == nil) == goes)
            #expect(exif.firstRange(of: [0x25, 0x88]) == nil)
        }
    }

    @Test func exifSegmentsBeyondThoseOfAnyPhotoAreBlanked() throws {
        var tiff = MadeTIFF(count: 40)
        tiff.put(1, at: 8)
        tiff.putEntry(0x9C9F, type: 1, count: 4, value: 0x0403_0201, at: 10)
        let segment = tiff.bytes.count + 10
        let stored = try stripped(tiff.file(copies: 66))
        for index in 0..<66 {
            let start = 2 + segment * index + 10
            let expected = index < 64 ? tiff.bytes : Array(repeating: 0, count: tiff.bytes.count)
            #expect(Array(stored[start..<start + tiff.bytes.count]) == expected, "segment \(index)")
        }
    }
}

/// A TIFF structure of little-endian entries, put together by hand.
private struct MadeTIFF {
    var bytes: [UInt8]

    init(count: Int) {
        bytes = Array("II*\0".utf8) + [8, 0, 0, 0] + Array(repeating: 0, count: count - 8)
    }

    mutating func put(_ value: Int, at position: Int, size: Int = 2) {
        for index in 0..<size { bytes[position + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    mutating func putEntry(_ tag: Int, type: Int = 4, count: Int = 1, value: Int, at position: Int) {
        put(tag, at: position)
        put(type, at: position + 2)
        put(count, at: position + 4, size: 4)
        put(value, at: position + 8, size: 4)
    }

    /// Whole photos with the structure as their EXIF data, `copies` times.
    func file(copies: Int = 1) -> [UInt8] {
        let photo = (0..<copies).reduce(MadeJPEG()) { photo, _ in
            photo.segment(0xE1, Array("Exif\0\0".utf8) + bytes)
        }
        return photo.frame().scan().bytes
    }
}
