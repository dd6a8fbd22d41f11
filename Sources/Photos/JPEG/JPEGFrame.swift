/// What a JPEG's frame header (SOF) says of the image.
public struct JPEGFrame: Sendable, Equatable {
    /// The ways of coding which browsers show.
    public enum Process: Sendable {
        /// SOF0: sequential, Huffman, 8 bits.
        case baseline
        /// SOF1: as baseline, with more tables.
        case extended
        /// SOF2: coarse to fine, in several scans.
        case progressive
    }

    /// One colour component of the image.
    public struct Component: Sendable, Equatable {
        /// The component's identifier, by which scans name it.
        public var identifier: UInt8
        /// Samples of this component across, relative to the other components; 1 to 4.
        public var horizontalSampling: Int
        /// Samples of this component down, relative to the other components; 1 to 4.
        public var verticalSampling: Int
    }

    /// How the image is coded.
    public var process: Process
    /// Width in pixels, before the orientation is applied.
    public var width: Int
    /// Height in pixels, before the orientation is applied.
    public var height: Int
    /// One (gray), three (YCbCr or RGB) or four (CMYK or YCCK) components.
    public var components: [Component]

    /// Reads a frame header.
    ///
    /// - Parameters:
    ///   - marker: Which of the SOF markers it is.
    ///   - segment: The place of the segment's contents, after its length.
    /// - Throws: `PhotoError.unsupported` for what browsers do not show, `PhotoError.broken` for nonsense.
    init(marker: JPEGMarker, segment: Range<Int>, in bytes: Span<UInt8>) throws(PhotoError) {
        switch marker.code {
        case 0xC0: process = .baseline
        case 0xC1: process = .extended
        case 0xC2: process = .progressive
        case 0xC3, 0xCB: throw .unsupported("lossless JPEG")
        case 0xC9, 0xCA: throw .unsupported("arithmetic-coded JPEG")
        default: throw .unsupported("hierarchical JPEG")
        }
        guard
            let precision = bytes.byte(at: segment.lowerBound),
            let height = bytes.number16(at: segment.lowerBound + 1),
            let width = bytes.number16(at: segment.lowerBound + 3),
            let count = bytes.byte(at: segment.lowerBound + 5).map(Int.init),
            segment.count == 6 + 3 * count
        else { throw .broken("its frame header has the wrong length") }
        guard precision == 8 else { throw .unsupported("JPEG of \(precision) bits") }
        guard count == 1 || count == 3 || count == 4 else {
            throw .unsupported("JPEG of \(count) components")
        }
        self.width = width
        self.height = height
        components = []
        for start in stride(from: segment.lowerBound + 6, to: segment.upperBound, by: 3) {
            let component = Component(
                identifier: bytes[start],
                horizontalSampling: Int(bytes[start + 1] >> 4),
                verticalSampling: Int(bytes[start + 1] & 15)
            )
            guard
                (1...4).contains(component.horizontalSampling),
                (1...4).contains(component.verticalSampling),
                !components.contains(where: { $0.identifier == component.identifier })
            else { throw .broken("its frame header names impossible components") }
            components.append(component)
        }
    }

    /// Blocks of 64 coefficients in the whole image, all components together, as a decoder that must keep
    /// them all would allocate.
    var blocks: Int {
        let across = components.map(\.horizontalSampling).max() ?? 1
        let down = components.map(\.verticalSampling).max() ?? 1
        let unitsAcross = (width + 8 * across - 1) / (8 * across)
        let unitsDown = (height + 8 * down - 1) / (8 * down)
        let blocksPerUnit = components.reduce(0) { $0 + $1.horizontalSampling * $1.verticalSampling }
        return unitsAcross * unitsDown * blocksPerUnit
    }
}
