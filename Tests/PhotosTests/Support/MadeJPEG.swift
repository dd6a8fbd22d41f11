/// A JPEG skeleton put together by hand: enough for everything that reads markers, though no decoder would like it.
struct MadeJPEG {
    var bytes: [UInt8] = [0xFF, 0xD8]

    /// Adds a segment with its length.
    func segment(_ marker: UInt8, _ contents: [UInt8]) -> MadeJPEG {
        let length = contents.count + 2
        return MadeJPEG(bytes: bytes + [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + contents)
    }

    /// Adds a frame header; each component is given by its two sampling factors.
    func frame(
        _ marker: UInt8 = 0xC0,
        width: Int = 16,
        height: Int = 16,
        bits: UInt8 = 8,
        components: [UInt8] = [0x22, 0x11, 0x11]
    ) -> MadeJPEG {
        var contents: [UInt8] = [
            bits, UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF),
            UInt8(components.count),
        ]
        for (index, sampling) in components.enumerated() { contents += [UInt8(index + 1), sampling, 0] }
        return segment(marker, contents)
    }

    /// Adds a scan of the given number of components, with a little data.
    func scan(components: Int = 3, data: [UInt8] = [1, 2, 0xFF, 0, 3]) -> MadeJPEG {
        var contents = [UInt8(components)]
        for index in 0..<components { contents += [UInt8(index + 1), 0] }
        let scan = segment(0xDA, contents + [0, 63, 0])
        return MadeJPEG(bytes: scan.bytes + data)
    }

    /// Adds the end marker.
    func end() -> MadeJPEG { raw([0xFF, 0xD9]) }

    /// Adds anything.
    func raw(_ more: [UInt8]) -> MadeJPEG { MadeJPEG(bytes: bytes + more) }
}
