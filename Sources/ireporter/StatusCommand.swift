internal import FastCGI
internal import Foundation
internal import Glibc

private let statusUsage = """
    Usage: ireporter status [OPTIONS]

    Asks a running worker how it is. The worker answers on a socket of its own (IREPORTER_STATUS_LISTEN), even when all
    its threads are busy.

      --listen ADDRESS   where it is asked: unix:PATH or HOST:PORT (default: IREPORTER_STATUS_LISTEN)
      --json             print JSON
      --prometheus       print Prometheus's text format
      --ping             only ask whether it answers
      --watch [SECONDS]  print again every so many seconds (default 2) until Ctrl-C
      --help             this text

    Exit status: 0 it answered, 1 it did not, 2 wrong arguments.
    """

/// What `ireporter status` was asked for.
private struct StatusArguments {
    var address: String?
    var query = ""
    var name = "status"
    var interval: UInt32?

    /// What is wrong with the arguments.
    struct Invalid: Error {
        let text: String
        var hint = "ireporter status --help"
    }

    init(_ arguments: [String]) throws(Invalid) {
        address = ProcessInfo.processInfo.environment["IREPORTER_STATUS_LISTEN"]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--listen":
                guard let value = rest.popFirst() else {
                    throw Invalid(text: "--listen needs an address", hint: "unix:PATH or HOST:PORT")
                }
                address = value
            case "--json": query = "json"
            case "--prometheus": query = "prometheus"
            case "--ping": name = "ping"
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
        guard address != nil else {
            throw Invalid(
                text: "where to ask is not known",
                hint: "set IREPORTER_STATUS_LISTEN as for the worker, or give --listen"
            )
        }
    }
}

/// `ireporter status`: prints what a running worker tells of itself.
///
/// - Returns: the exit code.
func showStatus(_ arguments: [String]) -> Int32 {
    if arguments.contains("--help") || arguments.contains("-h") {
        print(statusUsage)
        return ExitCode.success
    }
    do {
        let wanted = try StatusArguments(arguments)
        let address = try ListenAddress(wanted.address ?? "")
        while true {
            let text = try ask(address, wanted)
            // Only on a terminal is the old picture wiped away.
            let clear = wanted.interval != nil && isatty(1) == 1 ? "\u{1B}[H\u{1B}[2J" : ""
            FileHandle.standardOutput.write(Data((clear + text).utf8))
            guard let interval = wanted.interval else {
                return ExitCode.success
            }
            sleep(interval)
        }
    } catch let error as StatusArguments.Invalid {
        complain(error.text, hint: error.hint)
        return ExitCode.usage
    } catch FastCGIError.malformedAddress(let text) {
        complain("'\(text)' is no address", hint: "unix:PATH or HOST:PORT")
        return ExitCode.usage
    } catch {
        complain("\(error)", hint: "is the worker running, with IREPORTER_STATUS_LISTEN set to this address?")
        return ExitCode.failure
    }
}

/// The body of the worker's answer.
private func ask(_ address: ListenAddress, _ wanted: StatusArguments) throws(FastCGIError) -> String {
    let reply = try WorkerClient(to: address).get([
        (name: "REQUEST_METHOD", value: "GET"),
        (name: "SCRIPT_NAME", value: "/\(wanted.name)"),
        (name: "QUERY_STRING", value: wanted.query),
    ])
    let text = String(decoding: reply, as: UTF8.self)
    return text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? text
}
