internal import Foundation
internal import IReporter

private let serveUsage = """
    Usage: ireporter serve [--listen ADDRESS]

    Answers requests until SIGTERM or SIGINT, then finishes those that are running and exits with 0.

      --listen ADDRESS  where to listen: unix:/PATH or HOST:PORT (default: IREPORTER_LISTEN, or else the sockets that
                        systemd (LISTEN_FDS) or a spawner (descriptor 0) hands over)
      --help            this text

    Settings are environment variables named IREPORTER_…; man ireporter and deploy/README.md list them.

    Signals:
      SIGTERM, SIGINT  finish running requests and stop
      SIGHUP           finish running requests and go on as the program that is now installed
      SIGUSR1          open the access log anew

    Exit status: 0 stopped as told, 1 it could not start, 2 a setting or argument is wrong.
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
                complain("--listen needs an address", hint: "unix:/PATH or HOST:PORT")
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
    // Before the program's file can be replaced.
    _ = Successor.path
    let readSettings = { [environment] () throws(SettingsError) in
        let settings = try Settings(environment: environment, processors: ProcessInfo.processInfo.activeProcessorCount)
        try settings.requireComplete()
        return settings
    }
    do {
        let service = Service(
            try readSettings(),
            rereadSettings: { () throws(SettingsError) in _ = try readSettings() },
            ServiceManager(environment: environment)
        )
        try service.run()
        return ExitCode.success
    } catch let error as SettingsError {
        complain(error.description, hint: hintForSettings)
        return ExitCode.usage
    } catch let error as SessionTableProblem {
        complain("sessions cannot be kept in the database: \(error.problem)", hint: error.cure)
        return ExitCode.failure
    } catch {
        complain("\(error)", hint: hintForSetup)
        return ExitCode.failure
    }
}
