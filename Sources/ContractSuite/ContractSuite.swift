/// Every case of the contract.
public enum ContractSuite {
    /// The cases in the order in which they are run.
    ///
    /// With an API key the backend answers nothing but requests that carry it, so those cases come alone.
    /// `attempts` adds the case of too many failed log-ins; it comes last, since it may lock out the suite itself.
    public static func cases(apiKey: String? = nil, attempts: Int? = nil) -> [ContractCase] {
        if let apiKey { return apiKeyCases(apiKey) }
        let core =
            headerCases + transportCases + commandCases + registerCases + loginCases + passwordCases + decodingCases
            + escapeCases + characterSetCases + urlencodedCases + multipartCases + multipartFileCases + uploadCases
            + photoCases + streamCases + castCases + sessionCases + cookieCases
        return core + pairCases + (attempts.map { attemptCases($0) } ?? [])
    }
}
