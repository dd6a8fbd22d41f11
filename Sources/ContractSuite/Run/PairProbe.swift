/// Finds out whether the sign-up and log-in pair is installed.
enum PairProbe {
    /// Whether `jsonsignup.php` answers a POST without fields with a JSON object that has `success`.
    static func finds(_ url: ContractURL, _ timeout: Duration) -> Bool {
        var request = ContractRequest()
        request.path = "jsonsignup.php"
        request.body = .form([])
        var run = CaseRun(url: url, timeout: timeout, prefix: "")
        let outcome = run.perform(Step(request, .anything))?.outcomes.first
        guard case .success(let reply) = outcome else { return false }
        return reply.status == 200 && reply.body.drop { $0 <= 0x20 }.starts(with: "{\"success\":".utf8)
    }
}
