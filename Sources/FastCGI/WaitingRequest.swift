/// A request that was received and is not answered yet.
///
/// Of no particular application, since the queues would otherwise look its types up for each request.
struct WaitingRequest: Sendable {
    let exchange: Exchange
    /// What is left to do: the application's `HeavyWork`.
    let work: any Sendable
    /// When it was received, on the clock that nobody sets.
    private let since = monotonicSeconds()

    init(exchange: Exchange, work: any Sendable) {
        self.exchange = exchange
        self.work = work
    }

    /// Seconds for which it has waited.
    var age: Int { monotonicSeconds() - since }
}
