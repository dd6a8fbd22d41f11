extension Sample {
    /// A whole picture up to the middle of its scan.
    static let truncated = Array(noisy.prefix(noisy.count * 6 / 10))

    /// The picture of ``rotated`` without the orientation: the left half is black, the right half white.
    static let upright: [UInt8] = {
        guard let marker = rotated.firstIndex(of: [0xff, 0xe1]) else { preconditionFailure("no EXIF segment") }
        let length = Int(rotated[marker + 2]) << 8 | Int(rotated[marker + 3])
        return Array(rotated[..<marker] + rotated[(marker + 2 + length)...])
    }()

    /// A picture up to the start of its scan.
    static let headless: [UInt8] = {
        guard let scan = baseline.firstIndex(of: [0xff, 0xda]) else { preconditionFailure("no scan") }
        return Array(baseline[..<scan])
    }()

    /// A picture followed by bytes that do not belong to it, as motion photos have them.
    static let withTrailer = baseline + Array("not part of the picture".utf8)

    /// A picture followed by what looks like the framing around it.
    static let awkward = baseline + Array("\r\n\r\n--\r\n--Boundary+0xAbCdEfGbOuNdAr\r\n\n--\r\r\n".utf8)

    /// A picture that claims 65,500 by 65,500 pixels.
    static let absurdlyLarge: [UInt8] = {
        var bytes = baseline
        // The frame header's height and width follow its marker, its length and its precision.
        guard let frame = bytes.firstIndex(of: [0xff, 0xc0]) else { preconditionFailure("no frame header") }
        bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xff, 0xdc, 0xff, 0xdc])
        return bytes
    }()

    /// A picture with `count` comments of 60,000 bytes each: as heavy as a real photo, and as quick to make small.
    static func heavy(comments count: Int) -> [UInt8] {
        var bytes: [UInt8] = [0xff, 0xd8]
        var state: UInt32 = 1
        for _ in 0..<count {
            bytes += [0xff, 0xfe, UInt8(60_002 >> 8), UInt8(60_002 & 0xff)]
            for _ in 0..<60_000 {
                state = state &* 1_664_525 &+ 1_013_904_223
                bytes.append(UInt8(state >> 24))
            }
        }
        return bytes + baseline.dropFirst(2)
    }
}

extension [UInt8] {
    /// The offset of the first occurrence of a marker.
    fileprivate func firstIndex(of marker: [UInt8]) -> Int? {
        indices.first { self[$0...].starts(with: marker) }
    }
}
