import Testing

@testable import ContractSuite

@Suite struct TemplateTests {
    private let scope = Scope(prefix: "ct-x-1-")

    private func bytes(_ text: String) -> [UInt8] {
        Array(text.utf8)
    }

    @Test func namesAreTheRunsOwn() {
        #expect(scope.render("user=\(name: "bob")&x") == bytes("user=ct-x-1-bob&x"))
    }

    @Test func idsAreTakenOnceAndFoundAgain() throws {
        let template: Template = "{\"IdUser\":\"\(id: "bob")\"}"
        #expect(scope.render(template) == nil)
        let after = try #require(scope.matching(template, bytes("{\"IdUser\":\"17\"}")))
        #expect(after.render(template) == bytes("{\"IdUser\":\"17\"}"))
        #expect(after.matching(template, bytes("{\"IdUser\":\"17\"}")) != nil)
        #expect(after.matching(template, bytes("{\"IdUser\":\"18\"}")) == nil)
        #expect(after.matching(template, bytes("{\"IdUser\":\"171\"}")) == nil)
    }

    @Test(arguments: ["", "{\"IdUser\":\"\"}", "{\"IdUser\":17}", "{\"IdUser\":\"17\"} ", " {\"IdUser\":\"17\"}"])
    func nothingElseMatches(_ text: String) {
        #expect(scope.matching("{\"IdUser\":\"\(id: "bob")\"}", bytes(text)) == nil)
    }

    @Test func aSearchTriesEveryPlaceAndForgetsFailedOnes() throws {
        let list = bytes("[{\"id\":\"1\",\"t\":\"a\"},{\"id\":\"2\",\"t\":\"b\"}]")
        let after = try #require(scope.finding("{\"id\":\"\(id: "p")\",\"t\":\"b\"}", in: list))
        #expect(after.render("\(id: "p")") == bytes("2"))
        #expect(scope.finding("{\"id\":\"\(id: "p")\",\"t\":\"c\"}", in: list) == nil)
    }

    @Test(arguments: [("x", true), ("a \\\" b", true), ("", false)])
    func someTextIsTheInsideOfAJSONString(_ text: String, _ matches: Bool) {
        #expect(
            (scope.matching("{\"Reason\":\"\(some: "why")\"}", bytes("{\"Reason\":\"\(text)\"}")) != nil) == matches
        )
    }

    @Test func encodingLeavesBlanksAlone() {
        let template: Template = "\(name: "bob")+%\u{e9}"
        #expect(scope.render(template.percentEncodedOnce) == bytes("ct-x-1-bob%2B%25%C3%A9"))
    }

    @Test func unknownBlanksAreShownByTheirLabels() {
        #expect(scope.describe("\(name: "bob") \(id: "p")") == bytes("ct-x-1-bob <p>"))
    }

    @Test(arguments: [
        ("a+b", "a b"), ("%41%4a%4A", "AJJ"), ("%", "%"), ("%4", "%4"), ("%zz%%41", "%zz%A"), ("%2541", "%41"),
    ])
    func urlDecoding(_ sent: String, _ decoded: String) {
        #expect(urlDecoded(bytes(sent)) == bytes(decoded))
    }
}
