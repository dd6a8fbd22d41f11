/// What answers the requests.
///
/// A request is received by one of many threads. What is quick is answered there; what is heavy is handed to a
/// bounded number of other threads, so that however much of it comes, the quick requests stay quick.
public protocol Application: Sendable {
    /// What one thread keeps from request to request, such as its database connection.
    associatedtype Worker
    /// What is left to do of a request that is heavy, or that is answered together with others.
    associatedtype HeavyWork: Sendable

    /// How requests are gathered that are answered together, by the number that their verdicts give.
    var gatherings: [GatheringRule] { get }

    /// Makes the state of one thread, in that thread.
    func makeWorker() -> Worker

    /// Reads a request and answers it, or says what heavy work it needs.
    func receive(_ request: borrowing Request, _ worker: Worker) -> Verdict<HeavyWork>

    /// Does heavy work and answers its request.
    func perform(_ work: HeavyWork, _ worker: Worker) -> Response

    /// Does what requests whose verdict was `.shared` have in common, and returns what answers each of them after it.
    ///
    /// It is begun only after the last of the group was received. What it returns is called in the same thread, once
    /// for each request with its place in the group; others may be at work for the next group by then.
    func perform(_ group: [HeavyWork], _ worker: Worker) -> (_ place: Int) -> Response

    /// Answers a request whose heavy work was not begun, because too much waits or it has waited too long.
    func decline(_ work: HeavyWork) -> Response

    /// Hears that heavy work is not done, because the request did not come whole or the client has left meanwhile;
    /// nobody waits for an answer.
    func abandon(_ work: HeavyWork)

    /// What ends a thread's waits from outside, for requests that run too long.
    ///
    /// Asked for once, in the thread, after `makeWorker`. It is run by another thread while this one is inside
    /// `receive` or `perform`, which should then soon return, or reads the head of a request, which `receive` has to
    /// forget.
    func interruption(of worker: Worker) -> @Sendable () -> Void
}

extension Application {
    /// None is answered together with others.
    public var gatherings: [GatheringRule] { [] }

    /// Does the work of each by itself.
    public func perform(_ group: [HeavyWork], _ worker: Worker) -> (_ place: Int) -> Response {
        { place in perform(group[place], worker) }
    }

    /// Does nothing.
    public func abandon(_ work: HeavyWork) {}

    /// Ends no waits.
    public func interruption(of worker: Worker) -> @Sendable () -> Void { {} }
}

/// Who is answered together.
///
/// While some groups take long, as with a connection to the database that hangs, as many again may be worked on.
public enum GatheringRule: Sendable {
    /// Everyone who waits, one group at a time: their answer is the same, so each further one would be work for nothing.
    case everyone
    /// At most so many: each has an answer of its own, which costs less together with others. Groups that take less
    /// than half a millisecond are worked on one at a time, so that they become larger; full ones and longer ones as
    /// many at a time as threads look for requests (`ServerOptions.concurrency`). If too many wait
    /// (`ServerOptions.heavyQueue`), further ones are declined.
    case groups(of: Int)
}

/// What becomes of a request that was read.
public enum Verdict<HeavyWork: Sendable>: Sendable {
    /// It is answered.
    case reply(Response)
    /// It is answered together with others that wait at this moment, and are gathered under the same number.
    case shared(HeavyWork, gathering: Int)
    /// It needs heavy work, and is answered after that.
    case heavy(HeavyWork)
    /// It did not arrive whole, so nobody waits for an answer; its connection is closed.
    case abandoned
}
