extension ContractSuite {
    static let uploadCases: [ContractCase] = []
}
