import Glibc

/// Runs `ireporter contract` and answers its exit code.
///
/// The arguments are those after the command's name.
public func runContract(arguments: [String]) -> Int32 {
    let command: ContractArguments
    do throws(ContractArguments.Invalid) {
        command = try ContractArguments(arguments)
    } catch {
        return complain("\(error)", hint: "ireporter contract --help")
    }
    if command.wantsHelp {
        writeLine(ContractArguments.usage, to: STDOUT_FILENO)
        return 0
    }
    if command.lists {
        for item in ContractSuite.cases(apiKey: command.options.apiKey, attempts: command.options.attempts) {
            writeLine(item.name, to: STDOUT_FILENO)
        }
        return 0
    }
    guard let url = command.url else { return 2 }
    return run(command, on: url)
}

private func run(_ command: ContractArguments, on url: ContractURL) -> Int32 {
    let targets = [url, command.options.against].compactMap(\.self)
    let names = targets.map(\.description).joined(separator: " and ")
    let runner = ContractRunner(url: url, options: command.options)
    guard !runner.selection.isEmpty else {
        return complain(
            "no case is called like \(command.options.only ?? "that")",
            hint: "ireporter contract --list prints the names"
        )
    }
    writeLine(
        "\(runner.selection.count) cases; they create users (ct-…) and photos at \(names), which stay there.",
        to: STDERR_FILENO
    )
    if let far = targets.first(where: { !$0.isLoopback }), !command.isConfirmed {
        return complain("\(far.host) is not this machine", hint: "say --yes if that is what you want")
    }
    for target in targets {
        if let failure = unreachable(target, timeout: command.options.timeout) {
            return complain("\(target): \(failure)", hint: "is the web server running, and the URL right?")
        }
    }
    let progress = ProgressLine(isShown: isatty(STDERR_FILENO) == 1)
    let results = runner.run { progress.show($0, $1, $2) }
    progress.clear()
    let report = ContractReport(results: results, targets: targets, asOriginal: command.options.asOriginal)
    writeLine(command.printsJSON ? report.json : report.table, to: STDOUT_FILENO)
    return report.failures.isEmpty ? 0 : 1
}

/// Prints what is wrong and what to do about it; the exit code for that.
private func complain(_ problem: String, hint: String) -> Int32 {
    writeLine("ireporter: \(problem)\n  \(hint)", to: STDERR_FILENO)
    return 2
}

/// Why a backend cannot be connected to at all.
private func unreachable(_ url: ContractURL, timeout: Duration) -> HTTPFailure? {
    do throws(HTTPFailure) {
        _ = try TCPConnection(host: url.host, port: url.port, deadline: .now + timeout)
        return nil
    } catch {
        return error
    }
}

/// One line on a terminal that is written over as cases end.
private struct ProgressLine {
    let isShown: Bool

    func show(_ result: ContractResult, _ number: Int, _ total: Int) {
        guard isShown else { return }
        writeText("\r\u{1b}[K\(number)/\(total) \(result.name)", to: STDERR_FILENO)
    }

    func clear() {
        guard isShown else { return }
        writeText("\r\u{1b}[K", to: STDERR_FILENO)
    }
}

private func writeLine(_ text: String, to descriptor: Int32) {
    writeText(text.hasSuffix("\n") ? text : text + "\n", to: descriptor)
}

/// Writes at once, so that what is said before the run stands before what is said after it.
private func writeText(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let written = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        guard written > 0 || errno == EINTR else { return }
        rest = rest.dropFirst(max(written, 0))
    }
}
