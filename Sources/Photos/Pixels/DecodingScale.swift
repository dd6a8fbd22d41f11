/// A fraction by which the JPEG decoder shrinks an image while it decodes, at almost no cost.
///
/// The library also offers the eighths between these, but has no fast code for them: they take longer than the next
/// greater one of these.
enum DecodingScale: Int, CaseIterable {
    case eighth = 1
    case quarter = 2
    case half = 4
    case full = 8

    /// Pixels that `length` pixels become; the last of them may be covered only in part.
    func scaled(_ length: Int) -> Int { (length * rawValue + 7) / 8 }

    /// The exact length of what `length` pixels become.
    func exact(_ length: Int) -> Double { Double(length * rawValue) / 8 }
}

extension JPEGFrame {
    /// How much of the image's resolution is left of its coarsest component after decoding.
    ///
    /// Where colours have half the resolution in both directions, libjpeg shrinks them half as much, so they lose
    /// nothing at a half or less; otherwise they become coarser still.
    func resolution(at scale: DecodingScale) -> Double {
        let across = components.map(\.horizontalSampling).max() ?? 1
        let down = components.map(\.verticalSampling).max() ?? 1
        return components.reduce(1) { coarsest, component in
            let (horizontal, vertical) = (component.horizontalSampling, component.verticalSampling)
            // As libjpeg computes the size of the component's decoded blocks.
            var size = scale.rawValue
            while size < 8, across * scale.rawValue % (horizontal * size * 2) == 0,
                down * scale.rawValue % (vertical * size * 2) == 0
            {
                size *= 2
            }
            let left = Double(size) / 8 * min(Double(horizontal) / Double(across), Double(vertical) / Double(down))
            return min(coarsest, left)
        }
    }

    /// How much of the image's resolution is left of the coarsest component if only the averages of the blocks are
    /// decoded.
    var resolutionOfAverages: Double {
        let across = components.map(\.horizontalSampling)
        let down = components.map(\.verticalSampling)
        let coarseness = max((across.max() ?? 1) / (across.min() ?? 1), (down.max() ?? 1) / (down.min() ?? 1))
        return 1 / Double(8 * coarseness)
    }
}
