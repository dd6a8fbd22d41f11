/// Runs cases against one backend, or against two to compare them.
public struct ContractRunner: Sendable {
    /// How to run.
    public struct Options: Sendable {
        /// Holds replies against the original's behaviour where that is different on purpose.
        public var asOriginal = false
        /// A second backend to compare with; then replies are held against each other.
        public var against: ContractURL?
        /// Only cases whose names match: part of a name, or a pattern with `*`.
        public var only: String?
        /// How long one request may take.
        public var timeout = Duration.seconds(30)
        /// A key that the backend accepts; then the API-key cases are run, and nothing else.
        public var apiKey: String?
        /// After how many failed log-ins in a row the backend refuses more; then that is tried as well.
        public var attempts: Int?

        /// The defaults: this backend, all cases that need no further word.
        public init() {}
    }

    private let url: ContractURL
    private let options: Options
    private let token: String

    /// A runner with names of its own: two runners never use the same ones.
    public init(url: ContractURL, options: Options = Options()) {
        self.url = url
        self.options = options
        token = RunToken.make()
    }

    /// The cases that this runner would run, before it knows what the backend has.
    public var selection: [ContractCase] {
        ContractSuite.cases(apiKey: options.apiKey, attempts: options.attempts)
            .filter { item in options.only.map { $0.matches(item) } ?? true }
    }

    /// Runs the cases in order; `progress` hears of each as it ends.
    public func run(
        progress: (_ result: ContractResult, _ number: Int, _ of: Int) -> Void = { _, _, _ in }
    )
        -> [ContractResult]
    {
        let selection = selection
        let missing = missingGroups(of: selection)
        var results: [ContractResult] = []
        for (index, item) in selection.enumerated() {
            let outcome: ContractResult.Outcome
            if let why = missing[item.group] {
                outcome = .skipped(why)
            } else if let other = options.against {
                outcome = compare(item, number: index, with: other)
            } else {
                outcome = run(item, number: index)
            }
            let result = ContractResult(name: item.name, outcome: outcome, reason: item.reason)
            results.append(result)
            progress(result, index + 1, selection.count)
        }
        return results
    }

    /// Groups that a backend does not have, with the reason to print.
    private func missingGroups(of selection: [ContractCase]) -> [ContractCase.Group: String] {
        guard selection.contains(where: { $0.group == .pair }) else { return [:] }
        for target in [url, options.against].compactMap(\.self) where !PairProbe.finds(target, options.timeout) {
            return [.pair: "jsonsignup.php is not installed at \(target)"]
        }
        return [:]
    }

    private func run(_ item: ContractCase, number: Int) -> ContractResult.Outcome {
        var run = CaseRun(url: url, timeout: options.timeout, prefix: "ct-\(token)-\(number)-")
        var small: ContractResult.Evidence?
        for (index, step) in item.steps.enumerated() {
            guard let exchange = run.perform(step) else { return .skipped("an id it needs was never shown") }
            func evidence(_ difference: Difference) -> ContractResult.Evidence {
                ContractResult.Evidence(
                    step: index + 1,
                    what: difference.what,
                    sent: exchange.sent,
                    expected: difference.expected,
                    got: difference.got
                )
            }
            do throws(Difference) {
                let difference = try run.judge(exchange, of: step, asOriginal: options.asOriginal)
                small = small ?? difference.map(evidence)
            } catch {
                return .differs(evidence(error))
            }
        }
        return small.map { .differs($0) } ?? .held
    }

    private func compare(_ item: ContractCase, number: Int, with other: ContractURL) -> ContractResult.Outcome {
        // Names of the same length, so that both may stand in the same tables.
        var first = CaseRun(url: url, timeout: options.timeout, prefix: "ct-\(token)a-\(number)-")
        var second = CaseRun(url: other, timeout: options.timeout, prefix: "ct-\(token)b-\(number)-")
        var onPurpose: ContractResult.Evidence?
        for (index, step) in item.steps.enumerated() {
            guard let mine = first.perform(step), let its = second.perform(step) else { break }
            let left = Normalized(mine, of: step, scope: first.scope)
            let right = Normalized(its, of: step, scope: second.scope)
            let evidence = left.difference(to: right).map { difference in
                ContractResult.Evidence(
                    step: index + 1,
                    what: difference.what,
                    sent: mine.sent,
                    expected: difference.expected,
                    got: difference.got
                )
            }
            let isKnown = keepsContract(&first, mine, step) && keepsContract(&second, its, step)
            if let evidence {
                // Who wins a race is chance, so that two backends may differ there and be right.
                guard isKnown && (step.original != nil || step.race != nil) else { return .differs(evidence) }
                onPurpose = onPurpose ?? evidence
            }
        }
        return onPurpose.map { .differsOnPurpose($0) } ?? .held
    }

    /// Whether an exchange is as this backend's or the original's should be; keeps the ids it shows.
    private func keepsContract(_ run: inout CaseRun, _ exchange: CaseRun.Exchange, _ step: Step) -> Bool {
        for asOriginal in [false, true] {
            do throws(Difference) {
                return try run.judge(exchange, of: step, asOriginal: asOriginal) == nil
            } catch {
                continue
            }
        }
        return false
    }
}

extension String {
    /// Whether a name contains this text, or matches it as a whole where it has a `*`.
    func matches(_ item: ContractCase) -> Bool {
        guard contains("*") else { return item.name.contains(self) }
        return glob(Substring(self), item.name[...])
    }

    private func glob(_ pattern: Substring, _ text: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return glob(pattern.dropFirst(), text) || (!text.isEmpty && glob(pattern, text.dropFirst()))
        }
        return text.first == first && glob(pattern.dropFirst(), text.dropFirst())
    }
}
