internal import Foundation
internal import Glibc

/// Shows on a terminal how far a long command is.
struct ProgressLine {
    private let isTerminal = isatty(2) == 1
    private let start = ContinuousClock.now
    private var shown: ContinuousClock.Instant?
    private var isOpen = false

    /// Shows the progress, unless it was shown just now.
    mutating func show(_ done: Int, of total: Int) {
        let now = ContinuousClock.now
        guard isTerminal, now - (shown ?? start) >= .milliseconds(100) else {
            return
        }
        shown = now
        let seconds = Double((now - start).components.seconds) + Double((now - start).components.attoseconds) * 1e-18
        let rate = Double(done) / max(seconds, 0.001)
        let left = rate > 0 ? Int(Double(total - done) / rate) : 0
        let text = "\(done) of \(total), \(Int(rate)) per second, \(left / 60) min \(left % 60) s left"
        let width = 30
        let filled = total == 0 ? width : min(width, done * width / total)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
        write("\r\u{1B}[K[\(bar)] \(text)")
        isOpen = true
    }

    /// Makes room for a line of another kind.
    mutating func clear() {
        if isOpen {
            write("\r\u{1B}[K")
            isOpen = false
        }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
