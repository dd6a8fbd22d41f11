internal import Glibc

/// The program's version.
let programVersion = "0.1.0"

/// What `--help` prints.
let usage = """
    Usage: ireporter COMMAND [OPTIONS]

    iReporter's backend: answers the tutorial's clients as a FastCGI worker behind nginx.

    Commands:
      serve      answer requests (the default when a socket is handed over)
      check      say what is in force, what is wrong, and what to do about it
      status     print what a running worker tells of itself
      contract   check a live backend against the contract
      fsck       compare the table of photos with the upload folder, and repair
      thumbs     make thumbnails anew
      migrate    bring the tables of an existing installation up to date

    Options:
      --help     print this
      --version  print the version

    ireporter COMMAND --help explains a command.

    Exit status: 0 done, 1 not done (the reason is on standard error), 2 wrong arguments or settings.

    Settings are environment variables; man ireporter and deploy/README.md list them.
    """

/// The program's exit codes.
enum ExitCode {
    /// It did what was asked.
    static let success: Int32 = 0
    /// It could not, for a reason it has printed.
    static let failure: Int32 = 1
    /// It was not called as it must be, or a setting is wrong.
    static let usage: Int32 = 2
}

/// What to do about a setting that is wrong.
let hintForSettings = "man ireporter and deploy/README.md list all settings"

/// What to do when something around the program is not as it must be.
let hintForSetup = "ireporter check says what is wrong with the set-up, and what to do about it"

/// Prints an error, and what to do about it, on standard error.
func complain(_ problem: String, hint: String? = nil) {
    let text = "ireporter: \(problem)\n" + (hint.map { "  \($0)\n" } ?? "")
    let bytes = Array(text.utf8)
    _ = unsafe write(2, bytes, bytes.count)
}
