extension ContractSuite {
    static let urlencodedCases: [ContractCase] = []
    static let multipartCases: [ContractCase] = []
    static let multipartFileCases: [ContractCase] = []
    static let photoCases: [ContractCase] = []
    static let cookieCases: [ContractCase] = []
    static let pairCases: [ContractCase] = []
    static func attemptCases(_ attempts: Int) -> [ContractCase] { [] }
    static func apiKeyCases(_ key: String) -> [ContractCase] { [] }
}
