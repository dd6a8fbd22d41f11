extension ContractSuite {
    /// Too many failed log-ins on a backend that takes `attempts` of them in a row.
    static func attemptCases(_ attempts: Int) -> [ContractCase] {
        let bob: Template = "\(name: "bob")"
        let failed = Step(.login(bob, "wrong"), .error("Authorization failed"), forgettingCookies: true)
        return [
            ContractCase(
                "attempts/refused-after-too-many",
                group: .attempts,
                onPurpose: "A password must not be found by trying.",
                [.registerBob] + Array(repeating: failed, count: attempts) + [
                    Step(
                        .login(bob, "wrong"),
                        .error("Too many attempts. Try again later."),
                        original: .error("Authorization failed"),
                        forgettingCookies: true
                    )
                ]
            )
        ]
    }
}
