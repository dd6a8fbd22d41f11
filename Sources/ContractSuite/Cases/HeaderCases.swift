extension ContractSuite {
    /// Status and headers, command by command; the expectations of all other cases include them too.
    static let headerCases: [ContractCase] = [
        ContractCase("headers/stream", [Step(.stream, .api(.anything))]),
        ContractCase("headers/success", [.registerBob]),
        ContractCase(
            "headers/error",
            [Step(.login("\(name: "nobody")", "x"), .error("Authorization failed"))]
        ),
        ContractCase("headers/empty-reply", [Step(.form(["command": "nonsense"]), .empty)]),
        ContractCase("headers/logout", [Step(.form(["command": "logout"]), .empty)]),
        ContractCase(
            "headers/get-is-no-exception",
            [Step(.get(""), .empty)]
        ),
        ContractCase(
            "headers/head-is-no-exception",
            [Step(.get("").with { $0.method = "HEAD" }, .empty)]
        ),
    ]
}
