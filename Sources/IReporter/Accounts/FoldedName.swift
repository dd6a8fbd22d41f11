internal import Foundation

/// A name in a form that those spellings share which the tables' usual collations take for the same.
///
/// `utf8mb4_general_ci` and `utf8mb4_unicode_ci` look past letter case, accents and spaces at the end; the one takes all
/// characters beyond U+FFFF for the same, the other looks past control and format characters as well and takes circled,
/// wide or joined letters and both kinds of kana for plain ones. Folding is nearly everywhere coarser than each of them,
/// so names that are different accounts may share a form. It is for counting attempts, where that does little harm, and
/// never for finding an account or trusting somebody.
struct FoldedName: Hashable, Sendable {
    /// The form, in UTF-8.
    let bytes: [UInt8]

    /// No column of names holds more, and folding is not to take long whatever is sent.
    private static let longestName = 1024

    /// Folds a name as sent; bytes that are no UTF-8 count as U+FFFD, and what is beyond any column is left out.
    init(_ name: [UInt8]) {
        let name = name.prefix(Self.longestName)
        let isPlain = name.allSatisfy { (0x20..<0x7F).contains($0) }
        let folded = isPlain ? name.map(Self.lowercased) : Self.folded(String(decoding: name, as: UTF8.self))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(folded.count)
        // What ß is equal to is one s for the one collation and two for the other.
        for byte in folded where byte != UInt8(ascii: "s") || bytes.last != byte {
            bytes.append(byte)
        }
        while bytes.last == UInt8(ascii: " ") {
            bytes.removeLast()
        }
        self.bytes = bytes
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
            case "æ", "Æ", "ǽ", "Ǽ", "ǣ", "Ǣ": short.append(contentsOf: "ae".unicodeScalars)
            case "œ", "Œ": short.append(contentsOf: "oe".unicodeScalars)
            case "\u{363}"..."\u{36F}": short.append(combiningLetters[Int(scalar.value - 0x363)])
            // Marks are left out before as well, since sorting a long run of them takes the mapping long.
            default: if isCompared(scalar) { short.append(scalar) }
            }
        }
        let parts = String(short).decomposedStringWithCompatibilityMapping.unicodeScalars
        // Only the way back from capitals makes one of the two sigmas, or of the i with and without its dot.
        let text = String(String.UnicodeScalarView(parts.filter(isCompared))).uppercased().lowercased()
        return Array(String(String.UnicodeScalarView(text.unicodeScalars.filter(isCompared).map(plainKana))).utf8)
    }

    /// The letters that may stand above others, U+0363 to U+036F.
    private static let combiningLetters = Array("aeioucdhmrtvx".unicodeScalars)

    /// Hiragana of full size for any kana.
    private static func plainKana(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let isKatakana = ("\u{30A1}"..."\u{30F6}" as ClosedRange<Unicode.Scalar>).contains(scalar)
        let hiragana = isKatakana ? scalar.value - 0x60 : scalar.value
        switch hiragana {
        case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E:
            return Unicode.Scalar(hiragana + 1) ?? scalar
        case 0x3095: return "\u{304B}"
        case 0x3096: return "\u{3051}"
        default: return Unicode.Scalar(hiragana) ?? scalar
        }
    }

    private static func isCompared(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .spacingMark: false
        default: true
        }
    }
}
