internal import FastCGI
internal import Foundation
internal import Glibc
internal import IReporter

private let serveUsage = """
    Usage: ireporter serve [--listen unix:PATH | --listen HOST:PORT]

    Answers requests until SIGTERM or SIGINT, then finishes those that are running and exits with 0.

    Without --listen the socket is the one that systemd (LISTEN_FDS) or a spawner (descriptor 0) hands over.
    Settings are environment variables named IREPORTER_…; deploy/README.md lists them all.
    """

/// `ireporter serve`: listens, serves, and stops when it is told to.
///
/// - Returns: the exit code.
func serve(_ arguments: [String]) -> Int32 {
    var environment = ProcessInfo.processInfo.environment
    var rest = arguments[...]
    while let argument = rest.popFirst() {
        switch argument {
        case "--listen":
            guard let address = rest.popFirst() else {
                complain("--listen needs an address", hint: "unix:PATH or HOST:PORT")
                return ExitCode.usage
            }
            environment["IREPORTER_LISTEN"] = address
        case "--help", "-h":
            print(serveUsage)
            return ExitCode.success
        default:
            complain("unknown option '\(argument)'", hint: "ireporter serve --help")
            return ExitCode.usage
        }
    }
    // Threads inherit this, so that the signals wait for `awaitStop` and interrupt nobody.
    let signals = SignalSet(SIGTERM, SIGINT)
    signals.block()
    do {
        let settings = try Settings(environment: environment, processors: ProcessInfo.processInfo.activeProcessorCount)
        try settings.requireComplete()
        return try serve(settings, until: signals)
    } catch let error as SettingsError {
        complain(error.description)
        return ExitCode.usage
    } catch {
        complain("\(error)")
        return ExitCode.failure
    }
}

private func serve(_ settings: Settings, until signals: SignalSet) throws -> Int32 {
    let backend = try Backend(settings: settings)
    try backend.checkPasswordColumn()
    let listeners = try ListeningSocket.open(settings.listen, mode: settings.socketMode, group: settings.socketGroup)
    let server = try Server(backend, listeners: listeners, options: settings.server)
    // The library's handlers are gone by now; what is blocked stays blocked.
    try server.start()
    Log.write("ready, listening on \(listeners[0].address)")

    let database = backend.makeWorker()
    var ticks = 0
    while signals.next(within: 1) == nil {
        server.expireWaiting()
        ticks += 1
        if ticks % 30 == 0 {
            backend.keepHouse(database)
        }
    }
    Log.write("stopping")
    let isClean = server.stop(within: settings.stopSeconds)
    Log.write(isClean ? "stopped" : "stopped with requests still running after \(settings.stopSeconds) s")
    return ExitCode.success
}
