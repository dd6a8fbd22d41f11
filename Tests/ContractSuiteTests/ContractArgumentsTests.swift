import Testing

@testable import ContractSuite

@Suite struct ContractArgumentsTests {
    private let url = "http://127.0.0.1:8080/iReporter/"

    @Test func everythingAtOnce() throws {
        let arguments = try ContractArguments([
            url, "--against", "http://127.0.0.1:8081/", "--only", "login/*", "--attempts", "5", "--timeout", "7",
            "--json", "--yes",
        ])
        #expect(arguments.url?.port == 8080)
        #expect(arguments.options.against?.port == 8081)
        #expect(arguments.options.only == "login/*")
        #expect(arguments.options.attempts == 5)
        #expect(arguments.options.timeout == .seconds(7))
        #expect(arguments.printsJSON)
        #expect(arguments.isConfirmed)
        #expect(!arguments.options.asOriginal)
    }

    @Test func optionsMayComeFirst() throws {
        let arguments = try ContractArguments(["--original", "--api-key", "k", url])
        #expect(arguments.options.asOriginal)
        #expect(arguments.options.apiKey == "k")
        #expect(arguments.url != nil)
    }

    @Test(arguments: [["--help"], ["-h"], ["--list"]])
    func theseNeedNoURL(_ arguments: [String]) throws {
        #expect(try ContractArguments(arguments).url == nil)
    }

    private static let mistakes: [([String], ContractArguments.Invalid)] = [
        ([], .noURL), (["--json"], .noURL), (["http://a/", "http://b/"], .twoURLs("http://b/")),
        (["https://a/"], .badURL("https://a/", .encrypted)), (["--frob"], .unknownOption("--frob")),
        (["--only"], .noValue("--only")), (["--only", ""], .noValue("--only")),
        (["--attempts", "0"], .badValue("--attempts", "0")), (["--timeout", "soon"], .badValue("--timeout", "soon")),
        (["--timeout", "99999999999999999999"], .badValue("--timeout", "99999999999999999999")),
        (["--against", "b"], .badURL("b", .noScheme)),
        (["http://a/", "--original", "--against", "http://b/"], .conflict("--original", "--against")),
    ]

    @Test(arguments: mistakes)
    func mistakesAreNamed(_ arguments: [String], _ why: ContractArguments.Invalid) {
        #expect(throws: why) { try ContractArguments(arguments) }
        #expect(!why.description.isEmpty)
        #expect(runContract(arguments: arguments) == 2)
    }

    @Test func aFarHostNeedsAYes() {
        // Documentation addresses (RFC 5737): nothing is sent there without it.
        #expect(runContract(arguments: ["http://192.0.2.1/iReporter/"]) == 2)
        #expect(runContract(arguments: [url, "--against", "http://192.0.2.1/"]) == 2)
    }

    @Test func aPatternThatNoCaseMatchesIsAMistake() {
        #expect(runContract(arguments: [url, "--only", "no such case"]) == 2)
    }

    @Test func aBackendThatIsNotThereIsSaidSo() {
        #expect(runContract(arguments: ["http://127.0.0.1:1/", "--only", "headers/stream"]) == 2)
    }
}
