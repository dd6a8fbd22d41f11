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

    /// Works out the answer that is the same for everyone whose request was given the verdict `.shared`.
    ///
    /// Begun only after the last of these requests was received; never in two threads at once.
    func answerShared(_ worker: Worker) -> Response

    /// Does heavy work and answers its request.
    func perform(_ work: HeavyWork, _ worker: Worker) -> Response

    /// Answers a request whose heavy work was not begun, because too much waits or it has waited too long.
    func decline(_ work: HeavyWork) -> Response
}

/// What becomes of a request that was read.
public enum Verdict<HeavyWork: Sendable>: Sendable {
    /// It is answered.
    case reply(Response)
    /// Its answer is the same for all who ask at this moment, and is worked out once for all of them.
    case shared
    /// It needs heavy work, and is answered after that.
    case heavy(HeavyWork)
    /// It did not arrive whole, so nobody waits for an answer; its connection is closed.
    case abandoned
}
