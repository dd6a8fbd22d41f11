internal import ContractSuite
internal import Glibc
internal import IReporter

// The program's commands; each answers with the exit code.
var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 2, arguments[0] == "help" {
    arguments = [arguments[1], "--help"]
}
switch arguments.first {
case "serve":
    exit(serve(Array(arguments.dropFirst())))
case "check":
    exit(check(Array(arguments.dropFirst())))
case "status":
    exit(showStatus(Array(arguments.dropFirst())))
case "contract":
    exit(runContract(arguments: Array(arguments.dropFirst())))
case "fsck":
    exit(fsck(Array(arguments.dropFirst())))
case "thumbs":
    exit(thumbs(Array(arguments.dropFirst())))
case "migrate":
    exit(migrate(Array(arguments.dropFirst())))
case "--version", "version":
    print("ireporter \(programVersion)")
case "--help", "-h", "help":
    print(usage)
case nil where isatty(0) == 1:
    complain("which command?", hint: "ireporter --help lists the commands")
    exit(ExitCode.usage)
case nil:
    // A spawner such as spawn-fcgi starts the program without arguments and hands the socket over.
    exit(serve([]))
case .some(let command):
    complain("unknown command '\(command)'", hint: "ireporter --help lists the commands")
    exit(ExitCode.usage)
}
