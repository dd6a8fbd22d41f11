import Testing

@testable import ContractSuite

@Suite struct PhotoListTests {
    private static func row(_ id: Int) -> String {
        "{\"IdPhoto\":\"\(id)\",\"title\":\"t\",\"IdUser\":\"7\",\"username\":\"bob\"}"
    }

    private static func list(_ ids: some Sequence<Int>) -> String {
        "{\"result\":[\(ids.map(row).joined(separator: ","))]}"
    }

    @Test(arguments: [[], [9], [9, 3, 1], Array((1...50).reversed())])
    func lists(_ ids: [Int]) throws {
        #expect(try PhotoList(Array(Self.list(ids).utf8)).ids == ids.map { UInt64($0) })
    }

    @Test(arguments: [
        "a\\\"b", "\\\\", "\\/", "\\b\\f\\n\\r\\t", "\\u00e9\\ud83d\\ude00", "\u{7f}", "},{\\\"IdPhoto\\\":\\\"1\\\"",
    ])
    func titlesAsPHPWritesThem(_ title: String) throws {
        let body = Self.list([9]).replacing("\"t\"", with: "\"\(title)\"")
        #expect(try PhotoList(Array(body.utf8)).ids == [9])
    }

    @Test func sqlNullIsAllowed() throws {
        #expect(try PhotoList(Array(Self.list([9]).replacing("\"t\"", with: "null").utf8)).ids == [9])
    }

    @Test(arguments: [
        "", "{\"error\":\"x\"}", "{\"result\":[]} ", "{\"result\": []}", "[]", "{\"result\":[],\"error\":null}",
        list([1, 2]), list([2, 2]), list((1...51).reversed()), list([9]).replacing("\"9\"", with: "9"),
        list([9]).replacing("\"7\"", with: "7"), list([9]).replacing("\"9\"", with: "\"\""),
        list([9]).replacing("IdUser", with: "iduser"), list([9, 8]).replacing("},", with: "}, "),
        list([9]).replacing("\"t\"", with: "\"\u{e9}\""), list([9]).replacing("\"t\"", with: "\"a/b\""),
        list([9]).replacing("\"t\"", with: "\"\\u00E9\""), list([9]).replacing("\"t\"", with: "\"\n\""),
        list([9]).replacing("\"t\"", with: "\"\\x\""), list([9]).replacing("\"t\"", with: "1"),
        list([9, 8]).replacing(",{", with: ""), String(list([9, 8]).dropLast(3)),
        "{\"result\":[{\"title\":\"t\",\"IdPhoto\":\"9\",\"IdUser\":\"7\",\"username\":\"bob\"}]}",
    ])
    func whatIsNoList(_ body: String) {
        #expect(throws: Difference.self, "\(body)") { try PhotoList(Array(body.utf8)) }
    }
}
