/// How stored pixels have to be turned or mirrored to be upright: the values of the EXIF tag of that name.
public enum Orientation: Int, Sendable, CaseIterable {
    /// Nothing is to be done.
    case upright = 1
    /// Left and right are exchanged.
    case mirrored = 2
    /// Turned by half a turn.
    case upsideDown = 3
    /// Top and bottom are exchanged.
    case mirroredUpsideDown = 4
    /// Mirrored along the diagonal from top left: rows are columns.
    case mirroredLeft = 5
    /// Turned to the left, so a quarter turn to the right is needed.
    case turnedLeft = 6
    /// Mirrored along the other diagonal.
    case mirroredRight = 7
    /// Turned to the right, so a quarter turn to the left is needed.
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
