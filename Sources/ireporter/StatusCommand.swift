internal import FastCGI
internal import Foundation
internal import Glibc
internal import IReporter

private let statusUsage = """
    Usage: ireporter status [OPTIONS]

    Asks a running worker how it is. The worker answers on a socket of its own (IREPORTER_STATUS_LISTEN), even when all
    its threads are busy.

      --listen ADDRESS   where it is asked: unix:/PATH or HOST:PORT (default: IREPORTER_STATUS_LISTEN)
      --json             print JSON
      --prometheus       print Prometheus's text format
      --ping             only ask whether it answers
      --watch [SECONDS]  print again every so many seconds (default 2) until Ctrl-C
      --help             this text

    Exit status: 0 it answered, 1 it did not, 2 wrong arguments.
    """

/// What `ireporter status` was asked for.
private struct StatusArguments {
    var address: ListenAddress
    var question = StatusQuestion.text
    var interval: UInt32?

    /// What is wrong with the arguments.
    struct Invalid: Error {
        let text: String
        var hint = "ireporter status --help"
    }

    init(_ arguments: [String]) throws(Invalid) {
        var given: String?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--listen":
                guard let value = rest.popFirst() else {
                    throw Invalid(text: "--listen needs an address", hint: addressForms)
                }
                given = value
            case "--json": question = .json
            case "--prometheus": question = .prometheus
            case "--ping": question = .ping
            case "--watch":
                interval = 2
                if let value = rest.first, !value.hasPrefix("--") {
                    guard let seconds = UInt32(value), (1...3600).contains(seconds) else {
                        throw Invalid(text: "--watch needs seconds from 1 to 3600, not '\(value)'")
                    }
                    interval = seconds
                    rest.removeFirst()
                }
            default: throw Invalid(text: "unknown option '\(argument)'")
            }
        }
        if let given {
            address = try Self.address(given)
        } else {
            address = try Self.addressOfWorker()
        }
    }

    private static func address(_ text: String) throws(Invalid) -> ListenAddress {
        do throws(FastCGIError) {
            return try ListenAddress(text)
        } catch {
            throw Invalid(text: "'\(text)' is no address", hint: addressForms)
        }
    }

    /// The address that is set for the worker, which is asked for as the worker reads it.
    private static func addressOfWorker() throws(Invalid) -> ListenAddress {
        let environment = ProcessInfo.processInfo.environment.filter { $0.key == "IREPORTER_STATUS_LISTEN" }
        let settings: Settings
        do throws(SettingsError) {
            settings = try Settings(environment: environment, processors: 1)
        } catch {
            throw Invalid(text: error.description, hint: hintForSettings)
        }
        guard let address = settings.operation.statusListen else {
            throw Invalid(
                text: "where to ask is not known",
                hint: "set IREPORTER_STATUS_LISTEN as for the worker, or give --listen"
            )
        }
        return address
    }
}

private let addressForms = "unix:/PATH or HOST:PORT"

/// `ireporter status`: prints what a running worker tells of itself.
///
/// - Returns: the exit code.
func showStatus(_ arguments: [String]) -> Int32 {
    if arguments.contains("--help") || arguments.contains("-h") {
        print(statusUsage)
        return ExitCode.success
    }
    let wanted: StatusArguments
    do throws(StatusArguments.Invalid) {
        wanted = try StatusArguments(arguments)
    } catch {
        complain(error.text, hint: error.hint)
        return ExitCode.usage
    }
    while true {
        let reply: [UInt8]
        do throws(FastCGIError) {
            reply = try WorkerClient(to: wanted.address).get(wanted.question.parameters)
        } catch {
            complain("\(error)", hint: hint(for: error))
            return ExitCode.failure
        }
        guard let text = wanted.question.body(of: reply) else {
            complain(
                "\(wanted.address) is not the status socket of a worker",
                hint: "IREPORTER_STATUS_LISTEN names it; where nginx connects nothing is told"
            )
            return ExitCode.failure
        }
        // Only on a terminal is the old picture wiped away.
        let clear = wanted.interval != nil && isatty(1) == 1 ? "\u{1B}[H\u{1B}[2J" : ""
        FileHandle.standardOutput.write(Data((clear + text).utf8))
        guard let interval = wanted.interval else {
            return ExitCode.success
        }
        sleep(interval)
    }
}

/// What to do about a worker that cannot be asked.
private func hint(for error: FastCGIError) -> String {
    let forbidden = unsafe String(cString: strerror(EACCES))
    if case .system(_, forbidden) = error {
        return "run it as root, or as a member of the socket's group"
    }
    return "is the worker running, with IREPORTER_STATUS_LISTEN set to this address?"
}
