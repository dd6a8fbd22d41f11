/// One case in progress on one backend: its names, the ids seen, its cookies, its connection.
struct CaseRun {
    /// A step's bytes and what came back, one reply for each copy.
    struct Exchange: Sendable {
        var sent: [UInt8]
        var sentSession: String?
        var outcomes: [Result<HTTPReply, HTTPFailure>]
    }

    private(set) var scope: Scope
    private var jar = CookieJar()
    private var client: HTTPClient
    private let url: ContractURL

    init(url: ContractURL, timeout: Duration, prefix: String) {
        self.url = url
        scope = Scope(prefix: prefix)
        client = HTTPClient(url: url, timeout: timeout)
    }

    /// Sends a step's request; `nil` when it needs an id that no reply has shown.
    mutating func perform(_ step: Step) -> Exchange? {
        if step.forgetsCookies { jar = CookieJar() }
        guard let wire = WireRequest(step.request, to: url, scope: scope, jar: jar) else { return nil }
        let outcomes: [Result<HTTPReply, HTTPFailure>]
        do throws(HTTPFailure) {
            if let race = step.race {
                outcomes = try client.exchange(wire, copies: race.copies).map { .success($0) }
            } else {
                outcomes = [.success(try client.exchange(wire))]
            }
        } catch {
            outcomes = [.failure(error)]
        }
        let sentSession = jar.session
        // A cookie given to a request that was sent without the jar belongs to another client.
        if case .jar = step.request.cookies {
            for case .success(let reply) in outcomes { jar.store(reply) }
        }
        return Exchange(sent: wire.bytes, sentSession: sentSession, outcomes: outcomes)
    }

    /// Holds an exchange against the step's expectation, this backend's or the original's, and keeps the ids shown.
    ///
    /// A difference that is nothing but white space around the body is answered rather than thrown: the case goes on.
    mutating func judge(_ exchange: Exchange, of step: Step, asOriginal: Bool) throws(Difference) -> Difference? {
        var judge = Judge(sentSession: exchange.sentSession)
        do throws(Difference) {
            try self.judge(exchange, of: step, asOriginal: asOriginal, with: judge)
            return nil
        } catch {
            judge.ignoresWhiteSpace = true
            guard (try? self.judge(exchange, of: step, asOriginal: asOriginal, with: judge)) != nil else { throw error }
            return Difference(Judge.whiteSpace, expected: error.expected, got: error.got)
        }
    }

    private mutating func judge(
        _ exchange: Exchange,
        of step: Step,
        asOriginal: Bool,
        with judge: Judge
    ) throws(Difference) {
        let expected = asOriginal ? step.original ?? step.expected : step.expected
        guard let race = step.race else {
            scope = try judge.judge(exchange.outcomes[0], by: expected, in: scope)
            return
        }
        var winners = 0
        for outcome in exchange.outcomes {
            do throws(Difference) {
                _ = try judge.judge(outcome, by: expected, in: scope)
                winners += 1
            } catch {
                _ = try judge.judge(outcome, by: race.rest, in: scope)
            }
        }
        guard winners == race.winners || (asOriginal && winners > race.winners) else {
            throw Difference("replies", expected: "\(race.winners) of \(race.copies) succeed", got: "\(winners)")
        }
    }
}
