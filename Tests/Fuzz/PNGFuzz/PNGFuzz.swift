@testable import Photos

/// Converts the input, as a PNG, to a JPEG and a thumbnail, which have to be whole and of one kind.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPNG(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    var limits = PhotoLimits()
    limits.pixels = 100_000
    let budget = MemoryBudget(capacity: 1 << 20)
    var photo: [UInt8] = []
    let thumbnail = try? PNGImport.convert(
        bytes,
        limits: limits,
        budget: budget,
        thumbnail: ThumbnailOptions(side: 8)
    ) { part throws(PhotoError) in
        photo += part
    }
    guard let thumbnail else { return 0 }
    let structure = try! JPEGStructure(photo.span)
    precondition(!structure.isTruncated)
    precondition(try! JPEGStructure(thumbnail.span).frame.components.count == structure.frame.components.count)
    return 0
}
