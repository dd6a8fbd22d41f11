public import FastCGI

/// Answers `status` and `ping`, on a socket and threads of its own, so that no state of the others delays it.
///
/// A request on the ordinary socket would have to be read by one of the threads that may all be busy; php-fpm has
/// `pm.status_listen` for the same reason. The last component of `SCRIPT_NAME` says what is asked for; the query string
/// of `status` says in which form: `json`, `prometheus`, or text.
public struct StatusApplication: Application {
    private let report: @Sendable () -> StatusReport

    /// Makes the application.
    ///
    /// - Parameter report: reads the report.
    public init(_ report: @escaping @Sendable () -> StatusReport) {
        self.report = report
    }

    /// How its server is sized: two threads, so that one slow asker does not hold the others.
    public static var serverOptions: ServerOptions {
        var options = ServerOptions(processors: 1)
        options.workers = 2
        options.concurrency = 2
        options.heavyWorkers = 0
        options.receiveTimeout = 5
        options.requestLimit = 10
        return options
    }

    /// Nothing is kept.
    public func makeWorker() {}

    /// Answers a request.
    public func receive(_ request: borrowing Request, _ worker: Void) -> Verdict<Never> {
        guard request.readBody({ _ in false }) else {
            return .abandoned
        }
        let path = request.parameter("SCRIPT_NAME").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let query = request.parameter("QUERY_STRING").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return .reply(answer(path.split(separator: "/").last.map { String($0) }, query))
    }

    /// There is no heavy work.
    public func perform(_ work: Never, _ worker: Void) -> Response {}

    /// There is no heavy work.
    public func decline(_ work: Never) -> Response {}

    private func answer(_ name: String?, _ query: String) -> Response {
        switch (name, query) {
        case ("ping", _): Self.response("pong\n")
        case ("status", "json"): Self.response(report().json, type: "application/json")
        case ("status", "prometheus"): Self.response(report().prometheus, type: "text/plain; version=0.0.4")
        case ("status", ""): Self.response(report().text)
        case ("status", _):
            Self.response("There are: ?json, ?prometheus, and none for text.\n", status: "404 Not Found")
        default: Self.response("There are: status, ping.\n", status: "404 Not Found")
        }
    }

    private static func response(_ body: String, type: String = "text/plain", status: String? = nil) -> Response {
        let head = (status.map { "Status: \($0)\r\n" } ?? "") + "Content-Type: \(type)\r\nCache-Control: no-store\r\n"
        return Response(head: Array(head.utf8), body: Array(body.utf8))
    }
}
