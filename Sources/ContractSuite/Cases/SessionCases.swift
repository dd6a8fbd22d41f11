extension ContractSuite {
    static let sessionCases: [ContractCase] = []
}
