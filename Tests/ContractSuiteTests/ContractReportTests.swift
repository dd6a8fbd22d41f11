import Foundation
import Testing

@testable import ContractSuite

@Suite struct ContractReportTests {
    private let evidence = ContractResult.Evidence(
        step: 2,
        what: "body",
        sent: Array("POST / HTTP/1.1\r\n\r\n".utf8),
        expected: Array("{\"a\":\"b\"}".utf8),
        got: [0x00, 0xff]
    )

    private func report(_ outcomes: ContractResult.Outcome..., targets: Int = 1) throws -> ContractReport {
        let results = outcomes.enumerated().map { index, outcome in
            ContractResult(name: "case/\(index)", outcome: outcome, reason: index == 0 ? nil : "Because \"so\".")
        }
        let url = try ContractURL("http://127.0.0.1/")
        return ContractReport(results: results, targets: Array(repeating: url, count: targets), asOriginal: false)
    }

    @Test func theTableShowsWhatDiffers() throws {
        let report = try report(.held, .differs(evidence), .skipped("not there"))
        #expect(
            report.table == """
                held     case/0
                DIFFERS  case/1  request 2: body
                           sent      POST / HTTP/1.1\\r\\n\\r\\n
                           expected  {"a":"b"}
                           got       \\x00\\xff
                           different on purpose: Because "so".
                skipped  case/2  not there

                1 held, 1 differs, 1 skipped
                  1 body
                """
        )
        #expect(report.failures.count == 1)
    }

    @Test func theTableOfTwoBackends() throws {
        let report = try report(.held, .differsOnPurpose(evidence), targets: 2)
        #expect(report.table.hasPrefix("same     case/0\npurpose  case/1  Because \"so\".\n"))
        #expect(report.table.contains("first     {\"a\":\"b\"}\n"))
        #expect(report.table.hasSuffix("\n1 the same, 1 different on purpose, 0 differ"))
        #expect(report.failures.isEmpty)
    }

    @Test func theJSONIsJSON() throws {
        let report = try report(.held, .differs(evidence), .skipped("not \"there\"\n"), .differsOnPurpose(evidence))
        let parsed = try JSONSerialization.jsonObject(with: Data(report.json.utf8))
        let object = try #require(parsed as? [String: Any])
        #expect(object["failures"] as? Int == 1)
        #expect(object["original"] as? Bool == false)
        let cases = try #require(object["cases"] as? [[String: Any]])
        #expect(cases.map { $0["outcome"] as? String } == ["held", "differs", "skipped", "differs on purpose"])
        #expect(cases[1]["expected"] as? String == "{\"a\":\"b\"}")
        #expect(cases[1]["got"] as? String == "\\x00\\xff")
        #expect(cases[2]["why"] as? String == "not \"there\"\n")
    }

    @Test func longBytesAreCut() {
        #expect(printable(Array(repeating: 0x61, count: 700)).hasSuffix("aaa… (700 bytes)"))
        #expect(printable([]) == "(nothing)")
    }
}
