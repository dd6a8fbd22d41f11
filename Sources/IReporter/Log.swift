internal import Glibc
internal import Synchronization

/// The log: lines on standard error, one write each, so that lines of several threads never mix.
public enum Log {
    private static let beginsWithTime = Atomic<Bool>(false)

    /// Lets each line begin with the time, for a log that is kept by nobody who notes it, as journald does.
    public static func beginWithTime() {
        beginsWithTime.store(true, ordering: .relaxed)
    }

    /// Writes one line.
    public static func write(_ line: String) {
        let isDated = beginsWithTime.load(ordering: .relaxed)
        let time = isDated ? CalendarTime.text(CalendarTime.iso8601, .local) + " " : ""
        let bytes = Array("\(time)ireporter: \(escaped(line))\n".utf8)
        _ = unsafe Glibc.write(2, bytes, bytes.count)
    }

    /// A text in which nothing is left that a terminal or a reader of lines would obey rather than show.
    ///
    /// Clients choose the names that are logged. None of them can forge a line, move the cursor (the control
    /// characters above U+007F do so as well), or have the rest of the line shown in another order.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isObeyed) else {
            return text
        }
        var result = ""
        for scalar in text.unicodeScalars {
            if !isObeyed(scalar) {
                result.unicodeScalars.append(scalar)
            } else if scalar.isASCII {
                result += scalar.value < 16 ? "\\x0" : "\\x"
                result += String(scalar.value, radix: 16)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result
    }

    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.value < 0x20 || scalar.value == 0x7F
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
