@testable import Photos

/// Feeds the input to everything that reads a JPEG.
///
/// Of each harness this is what libFuzzer calls with one input after the other.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJPEG(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    _ = PhotoFormat(of: bytes.span)
    var limits = PhotoLimits()
    // Small enough for many images a second.
    limits.pixels = 200_000
    limits.scans = 20
    guard let structure = try? JPEGStructure(bytes.span, limits: limits) else { return 0 }

    // Removing the location changes neither length nor image, and leaves nothing to remove.
    var stripped = bytes
    stripped.apply(structure.locationPatches(in: bytes.span))
    precondition(stripped.count == bytes.count)
    let strippedStructure = try! JPEGStructure(stripped.span, limits: limits)
    precondition(strippedStructure.frame == structure.frame)
    precondition(strippedStructure.scanStart == structure.scanStart)
    precondition(stripped[structure.scanStart...].prefix(64) == bytes[structure.scanStart...].prefix(64))

    for layout in [PixelImage.Layout.gray, .rgb] { _ = ICCProfile(of: structure, in: bytes.span, for: layout) }
    let budget = MemoryBudget(capacity: 1 << 20)
    for options in [ThumbnailOptions(side: 8), ThumbnailOptions(side: 30, fit: .stretch)] {
        if let thumbnail = try? options.thumbnail(of: bytes, structure: structure, limits: limits, budget: budget) {
            let made = try! JPEGStructure(thumbnail.span)
            precondition(made.frame.width == options.side && made.frame.height == options.side)
        }
    }
    return 0
}
