/// The skeleton of a JPEG file: its markers, read without decoding and with every access bounds-checked.
///
/// Everything that decides whether and how a photo is decoded is known from here, before a decoder
/// written in C sees a byte. What libjpeg tolerates is tolerated: bytes between segments, a missing end
/// marker, anything after the end.
public struct JPEGStructure: Sendable, Equatable {
    /// The image's size and coding.
    public private(set) var frame: JPEGFrame
    /// How the photo has to be turned to stand upright, from its EXIF data.
    public private(set) var orientation: Orientation
    /// The colour transform of the Adobe marker (APP14): 0 none, 1 YCbCr, 2 YCCK; nil without that marker.
    public private(set) var adobeTransform: UInt8?
    /// Where the first scan's entropy-coded data starts.
    public private(set) var scanStart: Int
    /// How many scans the file has.
    public private(set) var scans: Int
    /// Whether the first scan holds all components of the image; if not, a decoder must keep all
    /// coefficients until it has seen the last scan.
    public private(set) var firstScanIsInterleaved: Bool
    /// The end of the image: just after its end marker, or nil if the file is cut before that.
    public private(set) var imageEnd: Int?
    /// The contents of the segments before the first scan that carry metadata, in their order.
    private(set) var segments: [Segment]

    /// A metadata segment.
    struct Segment: Sendable, Equatable {
        /// What the segment's first bytes say it is.
        enum Kind: Sendable {
            case exif
            case xmp
            case extendedXMP
            case iccProfile
            case multiPicture
        }

        var kind: Kind
        /// The place of the payload, after length and signature.
        var payload: Range<Int>
    }

    /// Metadata segments that are kept track of: a profile can have 255, and XMP some hundred.
    private static let greatestSegmentCount = 1024

    /// Whether the file is cut somewhere in its scans.
    public var isTruncated: Bool { imageEnd == nil }

    /// Whether a decoder must keep the coefficients of the whole image.
    public var needsAllCoefficients: Bool { frame.process == .progressive || !firstScanIsInterleaved }

    /// Reads the skeleton of a JPEG file.
    ///
    /// - Throws: `PhotoError.unsupported` for varieties that browsers do not show, `PhotoError.broken` for a file
    ///   cut before its first scan or with impossible headers, `PhotoError.tooLarge` beyond `limits`.
    public init(_ bytes: Span<UInt8>, limits: PhotoLimits = PhotoLimits()) throws(PhotoError) {
        guard bytes.matches([0xFF, 0xD8], at: 0) else { throw .broken("it has no start marker") }
        var walk = JPEGWalk(start: 2)
        var frame: JPEGFrame?
        var segments: [Segment] = []
        var adobeTransform: UInt8?
        var scanStart: Int?
        var scans = 0
        var isInterleaved = false
        var imageEnd: Int?

        while let (marker, segment) = try walk.next(in: bytes) {
            if marker == .endOfImage {
                imageEnd = walk.position
                break
            } else if marker == .startOfScan {
                guard let frame else { throw .broken("a scan stands before the frame header") }
                scans += 1
                let allowed = limits.scans(width: frame.width, height: frame.height)
                guard scans <= allowed else { throw .tooLarge(.scans, found: scans, allowed: allowed) }
                if scanStart == nil {
                    scanStart = segment.upperBound
                    isInterleaved = bytes.byte(at: segment.lowerBound).map(Int.init) == frame.components.count
                }
                walk.skipEntropyCodedData(in: bytes)
            } else if marker.isFrame {
                guard frame == nil else { throw .broken("it has two frame headers") }
                let header = try JPEGFrame(marker: marker, segment: segment, in: bytes)
                try limits.check(width: header.width, height: header.height)
                frame = header
            } else if scanStart == nil {
                if marker == .app14, bytes.matches("Adobe", at: segment.lowerBound), segment.count >= 12 {
                    adobeTransform = bytes.byte(at: segment.lowerBound + 11)
                } else if let metadata = Segment(marker: marker, segment: segment, in: bytes) {
                    guard segments.count < Self.greatestSegmentCount else {
                        throw .broken("it has more than \(Self.greatestSegmentCount) metadata segments")
                    }
                    segments.append(metadata)
                }
            }
        }
        guard let frame, let scanStart, scanStart < bytes.count else {
            throw .broken("it ends before its first scan")
        }
        guard frame.process == .progressive || isInterleaved || scans <= frame.components.count else {
            throw .broken("it has more scans than components")
        }
        self.frame = frame
        self.segments = segments
        self.adobeTransform = adobeTransform
        self.scanStart = scanStart
        self.scans = scans
        self.imageEnd = imageEnd
        firstScanIsInterleaved = isInterleaved
        orientation = segments.first { $0.kind == .exif }.map { Orientation(exif: $0.payload, in: bytes) } ?? .upright
    }
}

extension JPEGStructure.Segment {
    /// Recognizes the metadata segments by marker and signature; nil for all others.
    init?(marker: JPEGMarker, segment: Range<Int>, in bytes: Span<UInt8>) {
        let start = segment.lowerBound
        let found: (kind: Kind, signature: Int)?
        switch marker {
        case .app1 where bytes.matches("Exif\0\0", at: start): found = (.exif, 6)
        case .app1 where bytes.matches("http://ns.adobe.com/xap/1.0/\0", at: start): found = (.xmp, 29)
        case .app1 where bytes.matches("http://ns.adobe.com/xmp/extension/\0", at: start): found = (.extendedXMP, 35)
        case .app2 where bytes.matches("ICC_PROFILE\0", at: start): found = (.iccProfile, 12)
        case .app2 where bytes.matches("MPF\0", at: start): found = (.multiPicture, 4)
        default: found = nil
        }
        // The signature may lie beyond a short segment's end, in whatever follows it.
        guard let found, found.signature <= segment.count else { return nil }
        kind = found.kind
        payload = start + found.signature..<segment.upperBound
    }
}
