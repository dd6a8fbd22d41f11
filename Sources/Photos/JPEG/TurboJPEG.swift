internal import CTurboJPEG

/// A TurboJPEG decoder.
@safe struct JPEGDecoder: ~Copyable {
    private let handle: tjhandle

    /// - Throws: `PhotoError.storage` with `ENOMEM` if the library cannot set itself up.
    init() throws(PhotoError) {
        guard let handle = unsafe tjInitDecompress() else { throw outOfMemory }
        unsafe self.handle = handle
    }

    deinit { unsafe _ = tjDestroy(handle) }

    /// Decodes the image, shrunk by `scale`.
    ///
    /// Damage inside the scans is not an error: what is missing comes out gray, as in browsers.
    ///
    /// - Parameters:
    ///   - bytes: The file, whose structure was checked to be `structure`.
    /// - Returns: The image, and whether nothing was missing.
    /// - Throws: `PhotoError.broken` with the library's reason.
    func decode(
        _ bytes: [UInt8],
        structure: JPEGStructure,
        scale: DecodingScale
    ) throws(PhotoError) -> (image: PixelImage, isSound: Bool) {
        let width = scale.scaled(structure.frame.width)
        let height = scale.scaled(structure.frame.height)
        let layout: PixelImage.Layout =
            switch structure.frame.components.count {
            case 1: .gray
            case 4: .invertedCMYK
            default: .rgb
            }
        let format =
            switch layout {
            case .gray: TJPF_GRAY
            case .rgb: TJPF_RGB
            case .invertedCMYK: TJPF_CMYK
            }
        let handle = unsafe handle
        // Zeroed, so that no decoder's omission can show what the memory held before.
        var pixels = [UInt8](repeating: 0, count: width * height * layout.rawValue)
        let status = unsafe bytes.withUnsafeBufferPointer { file in
            unsafe pixels.withUnsafeMutableBufferPointer { pixels in
                unsafe tjDecompress2(
                    handle,
                    file.baseAddress,
                    UInt(file.count),
                    pixels.baseAddress,
                    Int32(width),
                    Int32(width * layout.rawValue),
                    Int32(height),
                    Int32(format.rawValue),
                    0
                )
            }
        }
        if status != 0, unsafe tjGetErrorCode(handle) != Int32(TJERR_WARNING.rawValue) {
            throw unsafe .broken(lastMessage(of: handle))
        }
        return (PixelImage(width: width, height: height, layout: layout, bytes: pixels), status == 0)
    }
}

/// A TurboJPEG encoder.
@safe struct JPEGEncoder: ~Copyable {
    private let handle: tjhandle

    /// - Throws: `PhotoError.storage` with `ENOMEM` if the library cannot set itself up.
    init() throws(PhotoError) {
        guard let handle = unsafe tjInitCompress() else { throw outOfMemory }
        unsafe self.handle = handle
    }

    deinit { unsafe _ = tjDestroy(handle) }

    /// Encodes a gray or RGB image as a baseline JPEG.
    ///
    /// Colours keep their full resolution: halving it shows in images as small as thumbnails, and in the drawings
    /// and texts that come as PNG.
    func encode(_ image: PixelImage, quality: Int) throws(PhotoError) -> [UInt8] {
        precondition(image.layout != .invertedCMYK, "CMYK is turned into RGB before encoding")
        let isGray = image.layout == .gray
        let sampling = isGray ? TJSAMP_GRAY : TJSAMP_444
        var buffer: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        defer { unsafe tjFree(buffer) }
        let handle = unsafe handle
        let status = unsafe image.bytes.withUnsafeBufferPointer { pixels in
            unsafe tjCompress2(
                handle,
                pixels.baseAddress,
                Int32(image.width),
                Int32(image.stride),
                Int32(image.height),
                Int32((isGray ? TJPF_GRAY : TJPF_RGB).rawValue),
                &buffer,
                &size,
                Int32(sampling.rawValue),
                Int32(quality),
                TJFLAG_ACCURATEDCT
            )
        }
        guard status == 0, let start = unsafe buffer else { throw unsafe .broken(lastMessage(of: handle)) }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(size)))
    }
}

/// What a C library that could not be set up amounts to.
private let outOfMemory = PhotoError.storage(errno: 12, operation: "set up the JPEG library")

/// The library's last message, copied.
private func lastMessage(of handle: tjhandle) -> String {
    guard let message = unsafe tjGetErrorStr2(handle) else { return "the JPEG library gave no reason" }
    return unsafe String(cString: message)
}

/// Has the C library give blocks of a megabyte and more back to the system as soon as they are freed.
///
/// Otherwise it learns from the first large block to keep such blocks in the heap, one heap for each thread, and eight
/// progressive photos leave 400 MB behind. This concerns the whole process.
func returnLargeBlocksWhenFreed() {
    mallopt(M_MMAP_THRESHOLD, 1 << 20)
}
