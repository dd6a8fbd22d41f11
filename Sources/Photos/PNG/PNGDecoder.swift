internal import CPNG

/// A PNG being decoded row by row to 8 bits per channel.
struct PNGDecoder: ~Copyable {
    /// Width in pixels.
    let width: Int
    /// Height in pixels.
    let height: Int
    /// Bytes per pixel of the rows: gray, gray and alpha, RGB, or RGBA.
    let channels: Int
    /// The colour profile, not yet checked.
    let profile: [UInt8]?
    /// EXIF data, not yet checked.
    let exif: [UInt8]?

    private let handle: PNGHandle
    private let passes: Int
    private let bytes: [UInt8]

    /// Whether the rows come coarse to fine, so that none is complete before the last pass.
    var isInterlaced: Bool { passes > 1 }

    /// Bytes of one row.
    var stride: Int { width * channels }

    /// Reads everything before the pixels.
    ///
    /// - Throws: `PhotoError.tooLarge` before anything is allocated for the image, `PhotoError.broken` with the
    ///   library's reason.
    init(_ bytes: [UInt8], limits: PhotoLimits) throws(PhotoError) {
        // The header chunk is always the first and has its place (PNG, 11.2.2).
        guard
            bytes.span.matches("IHDR", at: 12), let width = bytes.span.number32(at: 16),
            let height = bytes.span.number32(at: 20)
        else { throw .broken("it has no header chunk") }
        try limits.check(width: width, height: height)
        let handle = PNGHandle()
        let reader = unsafe handle.reader
        let opened = unsafe bytes.withUnsafeBufferPointer {
            unsafe pngshim_open(reader, $0.baseAddress, $0.count, UInt32(max(width, height)), 4 << 20)
        }
        guard opened == 0 else { throw handle.failure }
        let passes = unsafe bytes.withUnsafeBufferPointer { unsafe Int(pngshim_start(reader, $0.baseAddress)) }
        guard passes > 0 else { throw handle.failure }
        self.width = width
        self.height = height
        self.passes = passes
        channels = unsafe Int(png_get_channels(reader.pointee.png, reader.pointee.info))
        profile = unsafe handle.copy(pngshim_profile)
        exif = unsafe handle.copy(pngshim_exif)
        self.bytes = bytes
        self.handle = handle
    }

    /// Decodes the image and hands its rows over, from the top down.
    ///
    /// Only an interlaced image is ever in memory as a whole.
    ///
    /// - Throws: `PhotoError.broken` if the pixels are incomplete or damaged, or what `use` throws.
    mutating func readRows(_ use: (Span<UInt8>) throws(PhotoError) -> Void) throws(PhotoError) {
        if isInterlaced {
            var image = [UInt8](repeating: 0, count: stride * height)
            for _ in 0..<passes {
                for row in 0..<height { try read(into: &image, at: row * stride) }
            }
            for row in 0..<height { try use(image.span.extracting(row * stride..<(row + 1) * stride)) }
        } else {
            var row = [UInt8](repeating: 0, count: stride)
            for _ in 0..<height {
                try read(into: &row, at: 0)
                try use(row.span)
            }
        }
    }

    /// Reads a row to its place in `target`.
    private mutating func read(into target: inout [UInt8], at offset: Int) throws(PhotoError) {
        precondition(offset + stride <= target.count)
        let reader = unsafe handle.reader
        let status = unsafe bytes.withUnsafeBufferPointer { file in
            unsafe target.withUnsafeMutableBufferPointer { target in
                unsafe pngshim_read_row(reader, file.baseAddress, target.baseAddress! + offset)
            }
        }
        guard status == 0 else { throw handle.failure }
    }
}

/// The library's state, which has to stay in one place.
@safe private struct PNGHandle: ~Copyable {
    let reader: UnsafeMutablePointer<pngshim_reader>

    init() {
        unsafe reader = .allocate(capacity: 1)
        unsafe reader.initialize(to: pngshim_reader())
    }

    deinit {
        unsafe pngshim_close(reader)
        unsafe reader.deallocate()
    }

    /// What the library gave as its reason, copied.
    var failure: PhotoError {
        unsafe withUnsafeBytes(of: &reader.pointee.message) { message in
            unsafe .broken(String(decoding: message.prefix { $0 != 0 }, as: UTF8.self))
        }
    }

    /// Copies what one of the shim's functions points to.
    func copy(
        _ part: (UnsafeMutablePointer<pngshim_reader>, UnsafeMutablePointer<UInt32>) -> UnsafePointer<UInt8>?
    ) -> [UInt8]? {
        var count: UInt32 = 0
        guard let start = unsafe part(reader, &count) else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }
}
