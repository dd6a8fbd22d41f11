/// How stored pixels have to be turned or mirrored to be upright: the values of the EXIF tag of that name.
public enum Orientation: Int, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    case mirroredLeft = 5
    case turnedLeft = 6
    case mirroredRight = 7
    case turnedRight = 8

    /// Where the upright pixel at column `x` and row `y` is stored, in a square image of the given side.
    func source(x: Int, y: Int, side: Int) -> (x: Int, y: Int) {
        let last = side - 1
        return switch self {
        case .upright: (x, y)
        case .mirrored: (last - x, y)
        case .upsideDown: (last - x, last - y)
        case .mirroredUpsideDown: (x, last - y)
        case .mirroredLeft: (y, x)
        case .turnedLeft: (y, last - x)
        case .mirroredRight: (last - y, last - x)
        case .turnedRight: (last - y, x)
        }
    }
}
