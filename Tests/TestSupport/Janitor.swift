import Foundation

/// Clears up after the tests however they end, a crash of the test process included.
///
/// A shell in a process group of its own reads from a pipe what there is to kill and to remove. The end of the pipe
/// is the end of the test process, and the shell then deals with what is left. Nothing else has to be
/// remembered at exit.
final class Janitor: Sendable {
    /// The one of this process.
    static let shared = Janitor()

    private let pipe: Pipe

    private init() {
        pipe = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", Self.script]
        process.standardInput = pipe
        // It outlives us for a moment, and whoever reads our output should not have to wait for it.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            preconditionFailure("no shell to clear up after the tests: \(error)")
        }
    }

    /// Has a child killed at the end, with its whole process group, which `Process` makes it the leader of.
    func watch(process identifier: Int32) { tell("watch \(identifier)") }

    /// Forgets a child that was waited for, since its number may be given to another process.
    func forget(process identifier: Int32) { tell("forget \(identifier)") }

    /// Has a directory removed at the end.
    func watch(directory: String) { tell("remove \(directory)") }

    private func tell(_ line: String) {
        // One small write, so lines of several threads do not mix.
        try? pipe.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }

    private static let script = """
        trap '' HUP INT TERM
        processes=' '
        directories=
        while read -r verb value; do
            case $verb in
            watch) processes="$processes$value " ;;
            forget)
                case $processes in
                *" $value "*) processes="${processes%% $value *} ${processes#* $value }" ;;
                esac ;;
            remove) directories="$directories $value" ;;
            esac
        done
        for process in $processes; do kill -s KILL -- "-$process" 2>/dev/null; done
        sleep 0.1
        for directory in $directories; do rm -rf "$directory"; done
        """
}
