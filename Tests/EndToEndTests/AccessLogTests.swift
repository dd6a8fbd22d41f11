import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// One line for each request.
@Suite(.serialized) struct AccessLogTests {
    private let folder: Sandbox

    init() throws {
        folder = try Sandbox()
    }

    @Test func everyRequestHasALineAndAFileThatWasRenamedIsLeft() throws {
        let settings = ["IREPORTER_ACCESS_LOG": folder.path("log")]
        let site = try Site(.current, on: Servers.utf8mb4(), settings: settings)
        var client = try site.client()
        try client.register("bob")
        _ = try client.post(["command": "stream", "IdPhoto": "\n"])
        let lines = folder.read("log").split(separator: "\n")
        #expect(lines.count == 2)
        let pattern =
            /127\.0\.0\.1 - - \[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "POST \/iReporter\/ HTTP\/1\.1" 200 \d+ "-" "[^"]*" (\w+ \w+) \d+\.\d{6}/
        #expect(lines.compactMap { try? pattern.wholeMatch(in: $0)?.1 } == ["register ok", "stream ok"])
        try FileManager.default.moveItem(atPath: folder.path("log"), toPath: folder.path("log.1"))
        site.worker.signal(SIGUSR1)
        #expect(waitUntil(within: 30) { FileManager.default.fileExists(atPath: folder.path("log")) })
        _ = try client.post(["command": "logout"])
        #expect(folder.read("log").contains(" logout ok "))
        #expect(folder.read("log.1").split(separator: "\n").count == 2)
    }

    @Test func standardErrorTakesJSON() throws {
        let settings = ["IREPORTER_ACCESS_LOG": "stderr", "IREPORTER_ACCESS_FORMAT": "json"]
        let site = try Site(.current, on: Servers.utf8mb4(), settings: settings)
        var client = try site.client()
        _ = try client.post(["command": "login", "username": "nobody", "password": "x"])
        let line = try #require(site.worker.standardError.split(separator: "\n").first { $0.hasPrefix("{") })
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["command"] as? String == "login")
        #expect(object?["outcome"] as? String == "refused")
        #expect(object?["status"] as? Int == 200)
    }

    @Test func linesOfTheLogBeginWithTheTimeIfSoWished() throws {
        let settings = ["IREPORTER_LOG_TIME": "on", "TZ": "Asia/Tokyo"]
        let site = try Site(.current, on: Servers.utf8mb4(), settings: settings)
        var client = try site.client()
        try client.register("bob")
        #expect(site.worker.terminate() == 0)
        let lines = site.worker.standardError.split(separator: "\n")
        #expect(lines.count >= 4)
        for line in lines {
            #expect(line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0900 ireporter: .*/) != nil, "\(line)")
        }
    }
}
