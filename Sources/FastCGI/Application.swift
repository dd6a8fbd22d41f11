/// What answers the requests.
///
/// A request is received by one of many threads. What is quick is answered there; what is heavy is handed to a
/// bounded number of other threads, so that however much of it comes, the quick requests stay quick.
public protocol Application: Sendable {
    /// What one thread keeps from request to request, such as its database connection.
    associatedtype Worker
    /// What is left to do of a request that is heavy.
    associatedtype HeavyWork: Sendable

    /// Makes the state of one thread, in that thread.
    func makeWorker() -> Worker

    /// Reads a request and answers it, or says what heavy work it needs.
    func receive(_ request: borrowing Request, _ worker: Worker) -> Verdict<HeavyWork>

    /// Does heavy work and answers its request.
    ///
    /// Of requests whose verdict was `.shared` only one is performed, never two at once, and begun only after the last
    /// of those that share its answer was received.
    func perform(_ work: HeavyWork, _ worker: Worker) -> Response

    /// Hears that a request whose verdict was `.shared` is answered with what was worked out for another.
    func share(_ response: Response, with work: HeavyWork, _ worker: Worker)

    /// Answers a request whose heavy work was not begun, because too much waits or it has waited too long.
    func decline(_ work: HeavyWork) -> Response

    /// Hears that heavy work is not done, because the client has left meanwhile; nobody waits for an answer.
    func abandon(_ work: HeavyWork)

    /// What ends a thread's waits from outside, for requests that run too long.
    ///
    /// Asked for once, in the thread, after `makeWorker`. It is run by another thread while this one is inside
    /// `receive` or `perform`, which should then soon return.
    func interruption(of worker: Worker) -> @Sendable () -> Void
}

extension Application {
    /// Does nothing.
    public func share(_ response: Response, with work: HeavyWork, _ worker: Worker) {}

    /// Does nothing.
    public func abandon(_ work: HeavyWork) {}

    /// Ends no waits.
    public func interruption(of worker: Worker) -> @Sendable () -> Void { {} }
}

/// What becomes of a request that was read.
public enum Verdict<HeavyWork: Sendable>: Sendable {
    /// It is answered.
    case reply(Response)
    /// Its answer is the same for all who ask at this moment, and is worked out once for all of them.
    case shared(HeavyWork)
    /// It needs heavy work, and is answered after that.
    case heavy(HeavyWork)
    /// It did not arrive whole, so nobody waits for an answer; its connection is closed.
    case abandoned
}
