import Glibc
import Testing

@testable import IReporter

@Suite struct AccessLogTests {
    private func entry(
        _ outcome: RequestOutcome = .ok,
        _ change: (inout RequestHead) -> Void = { _ in }
    ) -> AccessLogEntry {
        var head = RequestHead()
        head.method = Array("POST".utf8)
        head.uri = Array("/iReporter/".utf8)
        head.version = Array("HTTP/1.1".utf8)
        head.agent = Array("iReporter/1.0 (iPhone)".utf8)
        change(&head)
        let trace = RequestTrace(address: Array("192.0.2.1".utf8), head: head)
        trace.kind = .stream
        return AccessLogEntry(trace, head, outcome, bytes: 13, microseconds: 1_002_003)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func combinedIsNginxsWithThreeFieldsMore() {
        #expect(
            text(entry().combined(time: "30/Nov/2026:08:00:00 +0000"))
                == #"192.0.2.1 - - [30/Nov/2026:08:00:00 +0000] "POST /iReporter/ HTTP/1.1" 200 13 "-" "#
                + #""iReporter/1.0 (iPhone)" stream ok 1.002003"# + "\n"
        )
    }

    @Test func requestNobodyWaitedForHasNginxs499() {
        #expect(text(entry(.abandoned).combined(time: "t")).contains(#"" 499 13 "-""#))
    }

    @Test(arguments: [
        ("a\"b", #"a\x22b"#), ("a\\b", #"a\x5Cb"#), ("a\nb", #"a\x0Ab"#), ("\u{7F}", #"\x7F"#), ("ü", #"\xC3\xBC"#),
        ("", "-"),
    ])
    func clientCannotForgeALine(agent: String, expected: String) {
        let line = text(entry { $0.agent = Array(agent.utf8) }.combined(time: "t"))
        #expect(line.hasSuffix(#" "-" "\#(expected)" stream ok 1.002003"# + "\n"))
    }

    @Test func jsonIsOneObjectALine() {
        #expect(
            text(entry { $0.uri = Array("/\"\n".utf8) }.json(time: "2026-11-30T08:00:00+0000"))
                == #"{"time":"2026-11-30T08:00:00+0000","address":"192.0.2.1","method":"POST","uri":"\/\"\n","#
                + #""protocol":"HTTP\/1.1","referer":"","user_agent":"iReporter\/1.0 (iPhone)","status":200,"bytes":13,"#
                + #""command":"stream","outcome":"ok","seconds":1.002003}"# + "\n"
        )
    }

    @Test func fileIsOpenedAnewAfterItWasRenamed() throws {
        let folder = try TemporaryLogFolder()
        var settings = OperationSettings()
        settings.accessLog = .file(folder.path("access.log"))
        let log = try #require(try AccessLog(settings))
        log.write(entry())
        unsafe rename(folder.path("access.log"), folder.path("access.log.1"))
        log.write(entry())
        log.reopen()
        log.write(entry())
        #expect(folder.lines("access.log.1") == 2)
        #expect(folder.lines("access.log") == 1)
    }

    @Test func fileThatCannotBeOpenedIsNamed() {
        var settings = OperationSettings()
        settings.accessLog = .file("/nonexistent/log")
        #expect {
            _ = try Monitor(settings)
        } throws: {
            "\($0)" == "cannot open the access log /nonexistent/log: No such file or directory"
        }
    }
}

/// A folder that is removed with its files.
private final class TemporaryLogFolder {
    private let folder: String

    init() throws {
        var template = Array("/tmp/ireporter-log-XXXXXX".utf8CString)
        folder = unsafe String(cString: mkdtemp(&template))
    }

    deinit {
        for name in ["access.log", "access.log.1"] { unsafe unlink(path(name)) }
        unsafe rmdir(folder)
    }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func lines(_ name: String) -> Int {
        guard let file = FileDescriptor.openForReading(path(name)), let bytes = file.readAll(limit: 1 << 20) else {
            return 0
        }
        return bytes.count { $0 == 10 }
    }
}
