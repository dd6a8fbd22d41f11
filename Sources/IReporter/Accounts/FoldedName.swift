internal import Foundation

/// A name in a form that all spellings share which the tables' usual collations take for the same.
///
/// `utf8mb4_general_ci` and `utf8mb4_unicode_ci` look past letter case, accents and spaces at the end; the one takes all
/// characters beyond U+FFFF for the same, the other looks past control and format characters as well and takes circled,
/// wide or joined letters for plain ones. Folding is coarser than each of them, so names that are different accounts may
/// share a form. It is for counting attempts, where that does little harm, and never for finding an account.
struct FoldedName: Hashable, Sendable {
    /// The form, in UTF-8.
    let bytes: [UInt8]

    /// Folds a name as sent; bytes that are no UTF-8 count as U+FFFD.
    init(_ name: [UInt8]) {
        let isPlain = name.allSatisfy { (0x20..<0x7F).contains($0) }
        var folded = isPlain ? name.map(Self.lowercased) : Self.folded(String(decoding: name, as: UTF8.self))
        while folded.last == UInt8(ascii: " ") {
            folded.removeLast()
        }
        bytes = folded
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    private static func folded(_ name: String) -> [UInt8] {
        var short = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\u{10000}"...: short.append("\u{FFFD}")
            case "ß", "ẞ": short.append("s")
            case "ı": short.append("i")
            case "\u{363}"..."\u{36F}": short.append(Self.combiningLetters[Int(scalar.value - 0x363)])
            default: short.append(scalar)
            }
        }
        let parts = String(short).lowercased().decomposedStringWithCompatibilityMapping.unicodeScalars
        return Array(String(String.UnicodeScalarView(parts.filter(isCompared))).lowercased().utf8)
    }

    /// The letters that may stand above others, U+0363 to U+036F.
    private static let combiningLetters = Array("aeioucdhmrtvx".unicodeScalars)

    private static func isCompared(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .spacingMark: false
        default: true
        }
    }
}
