import ContractSuite
import TestSupport
import Testing

/// The worker differs from PHP only on purpose, and the suite notices what is changed on the way.
///
/// That everything holds on the worker is in `ContractTests`.
@Suite struct WorkerContractTests {
    @Test(arguments: [false, true])
    func differencesFromPHPAreOnPurpose(_ throwsErrors: Bool) throws {
        let characterSet = throwsErrors ? "utf8mb4" : "latin1"
        let site = try Site(.legacy, on: throwsErrors ? Servers.utf8mb4() : Servers.latin1())
        let php = try ReferenceSite(ReferenceSite.Options(characterSet: characterSet, throwsErrors: throwsErrors))
        var options = ContractRunner.Options()
        options.against = try php.install("original")
        for result in ContractRunner(url: try ContractURL(site.url), options: options).run()
        where result.isFailure && !result.name.hasPrefix("pair/") {
            // The pair's endpoints have no room for their hashes in the legacy tables.
            Issue.record("\(result.name): \(result.outcome)")
        }
    }

    @Test(arguments: [
        ("fastcgi_hide_header Pragma;", "headers/stream"), ("fastcgi_hide_header Expires;", "headers/error"),
        (filter("Authorization failed", "Authorisation failed"), "login/wrong-password"),
        (filter("\"IdUser\":\"", "\"IdUser\":\" "), "register/created"),
        (filter("\"successful\":1", "\"successful\":\"1\""), "upload/as-the-iphone-client-sends-it"),
        (filter("[]", "[ ]"), "stream/unknown-photo"),
    ])
    func aChangeIsNoticed(_ change: String, _ name: String) throws {
        let site = try Site(.current, on: Servers.utf8mb4(), nginx: change)
        let failures = ContractRunner(url: try ContractURL(site.url)).run().filter(\.isFailure).map(\.name)
        #expect(failures.contains(name), "\(failures)")
    }

    /// Directives that replace a text in JSON replies.
    private static func filter(_ old: String, _ new: String) -> String {
        "sub_filter_types application/json; sub_filter_once off; sub_filter '\(old)' '\(new)';"
    }
}
