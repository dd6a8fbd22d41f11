internal import FastCGI
internal import Glibc
internal import IReporter

/// The worker as a service: it listens, serves, does what signals ask, and stops or makes way for its successor.
struct Service {
    /// Why the service ends.
    private enum End {
        /// It was told to stop.
        case stop
        /// It is to be exchanged for the program that now stands at its path.
        case exchange
    }

    private let settings: Settings
    private let rereadSettings: () throws(SettingsError) -> Void
    private let manager: ServiceManager
    private let signals = SignalSet(SIGTERM, SIGINT, SIGHUP, SIGUSR1)

    /// Makes a service; nothing is opened yet.
    ///
    /// From here on its signals wait for `run` and interrupt nobody; threads inherit that.
    ///
    /// - Parameter rereadSettings: reads them as a successor would, with the files that they name.
    init(
        _ settings: Settings,
        rereadSettings: @escaping () throws(SettingsError) -> Void,
        _ manager: ServiceManager
    ) {
        self.settings = settings
        self.rereadSettings = rereadSettings
        self.manager = manager
        signals.block()
    }

    /// Serves until it is told to stop.
    ///
    /// - Throws: why it could not begin, or not be exchanged for its successor.
    func run() throws {
        if settings.operation.logsTime {
            Log.beginWithTime()
        }
        let monitor = try Monitor(settings.operation)
        let backend = try Backend(settings: settings)
        if backend.databaseAnswers() {
            try backend.checkPasswordColumn()
            try backend.checkSessionTable()
            backend.warnOfCharacterSet()
        }
        let inherited = try InheritedSockets.take()
        let mode = settings.socketMode
        let group = settings.socketGroup
        let sockets = try ListeningSocket.open(settings.listen, mode: mode, group: group, handedOver: inherited)
        let statusSocket = try ListeningSocket.openStatus(
            settings.operation.statusListen,
            mode: mode,
            group: group,
            handedOver: inherited
        )
        let server = try Server(ObservedBackend(backend, monitor), listeners: sockets, options: settings.server)
        let status = StatusApplication {
            StatusReport(monitor, server.statistics, version: programVersion)
        }
        let statusServer = try statusSocket.map {
            try Server(status, listeners: [$0], options: StatusApplication.serverOptions)
        }
        try server.start()
        try statusServer?.start()
        Log.write("ready, listening on \(sockets[0].address)")
        manager.ready()

        let end = wait(server, statusServer, backend, monitor)
        let isExchange = end == .exchange
        Log.write(isExchange ? "making way for the successor" : "stopping")
        let isClean = server.stop(within: settings.stopSeconds, handingOver: isExchange)
        _ = statusServer?.stop(within: 1, handingOver: isExchange)
        backend.saveSessions()
        Log.write(isClean ? "stopped" : "stopped with requests still running after \(settings.stopSeconds) s")
        if isExchange {
            // Here, since what was opened above would close the descriptors that are handed over.
            try withExtendedLifetime((server, statusServer)) {
                InheritedSockets.handOver(sockets, status: statusSocket)
                try Successor.execute()
            }
        }
    }

    /// Does what is to be done now and then, until a signal ends it.
    private func wait(
        _ server: Server<ObservedBackend>,
        _ statusServer: Server<StatusApplication>?,
        _ backend: Backend,
        _ monitor: Monitor
    ) -> End {
        startHousekeeping(backend)
        var ticks = 0
        var nextWarning = 0
        while true {
            switch signals.next(within: 1) {
            case SIGTERM, SIGINT:
                manager.stopping()
                return .stop
            case SIGHUP:
                manager.reloading()
                guard let obstacle = obstacleToExchange else {
                    return .exchange
                }
                Log.write("\(obstacle); nothing is changed")
                manager.ready()
            case SIGUSR1:
                monitor.accessLog?.reopen()
            default:
                break
            }
            server.expireWaiting()
            _ = statusServer?.resumeAccepting()
            _ = statusServer?.giveUpOverdue()
            if server.resumeAccepting(), ticks >= nextWarning {
                Log.write("new connections have to wait: too many for the limit of open files, or memory is short")
                nextWarning = ticks + 60
            }
            monitor.note(server.giveUpOverdue())
            ticks += 1
            // Withheld when no thread is left to serve with: the manager then starts a new process.
            if let interval = manager.watchdogInterval, ticks % interval == 0, !server.statistics.isHopeless {
                manager.isAlive()
            }
        }
    }

    /// Why a successor would not serve; nil if nothing speaks against it.
    private var obstacleToExchange: String? {
        do throws(SettingsError) {
            try rereadSettings()
        } catch {
            return "\(error)"
        }
        return Successor.obstacle
    }
}
