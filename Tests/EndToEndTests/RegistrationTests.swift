import Foundation
import TestSupport
import Testing

@testable import ContractSuite

/// Registrations that come to nothing.
@Suite struct RegistrationTests {
    private static let taken = #"{"error":"Username already exists"}"#
    private static let throttled = #"{"error":"Too many attempts. Try again later."}"#

    @Test(arguments: ["scrypt", "plain"])
    func namesThatAreTakenCountAsAttempts(passwords: String) throws {
        let site = try Site(
            .current,
            on: Servers.utf8mb4(),
            settings: [
                "IREPORTER_PASSWORDS": passwords, "IREPORTER_LOGIN_ATTEMPTS": "3", "IREPORTER_ATTEMPT_SECONDS": "86400",
            ]
        )
        var client = try site.client()
        for number in 1...5 {
            #expect(try client.register("user\(number)") == "\(number)")
        }
        for _ in 1...3 {
            #expect(
                try client.post(["command": "register", "username": "user1", "password": "secret"]) == Self.taken
            )
        }
        #expect(
            try client.post(["command": "register", "username": "user6", "password": "secret"]) == Self.throttled
        )
        #expect(try client.post(["command": "login", "username": "user1", "password": "secret"]) == Self.throttled)
        #expect(site.worker.standardError.contains(#"register 127.0.0.1 "user6": too many attempts ("#))
        #expect(try site.sql("SELECT COUNT(*) FROM login") == "5")
    }

    @Test(arguments: [Schema.current, .legacy])
    func accountWithoutASessionDoesNotStay(schema: Schema) throws {
        let site = try Site(schema, on: Servers.utf8mb4())
        var client = try site.client()
        try FileManager.default.removeItem(atPath: site.sessions)
        try Data().write(to: URL(filePath: site.sessions))
        #expect(
            try client.post(["command": "register", "username": "bob", "password": "secret"])
                == #"{"error":"Session could not be started"}"#
        )
        #expect(try site.sql("SELECT COUNT(*) FROM login") == "0")
        try FileManager.default.removeItem(atPath: site.sessions)
        try FileManager.default.createDirectory(atPath: site.sessions, withIntermediateDirectories: false)
        try client.register("bob")
    }

    @Test func credentialsBeyondThoseOfAnyAccountAreRefusedAtOnce() throws {
        let site = try Site(.current, on: Servers.utf8mb4())
        var client = try site.client()
        let longest = String(repeating: "p", count: 65_536)
        let bob = #"{"result":[{"IdUser":"1","username":"bob"}]}"#
        #expect(try client.post(["command": "register", "username": "bob", "password": longest]) == bob)
        #expect(try client.post(["command": "login", "username": "bob", "password": longest]) == bob)
        for (name, password) in [("bob", longest + "p"), (String(repeating: "n", count: 1025), "secret")] {
            #expect(
                try client.post(["command": "login", "username": name, "password": password])
                    == #"{"error":"Authorization failed"}"#
            )
            #expect(
                try client.post(["command": "register", "username": name, "password": password])
                    == #"{"error":"Registration failed"}"#
            )
        }
    }
}
