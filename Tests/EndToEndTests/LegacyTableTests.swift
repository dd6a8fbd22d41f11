import TestSupport
import Testing

@testable import ContractSuite

/// What existing tables hold that no client can put there any more.
@Suite struct LegacyTableTests {
    @Test func rowWhosePasswordMatchesLogsInAmongSeveralOfOneName() throws {
        let site = try Site(.legacy, on: Servers.latin1())
        try site.sql(
            "INSERT INTO login (username, pass) VALUES ('bob', 'one'), ('Bob', 'two'), ('BOB', 'three'), ('bOb', 'ONE')"
        )
        var client = try site.client()
        for (password, reply) in [
            ("two", #"{"result":[{"IdUser":"2","username":"Bob"}]}"#),
            ("three", #"{"result":[{"IdUser":"3","username":"BOB"}]}"#),
            ("one", #"{"result":[{"IdUser":"1","username":"bob"}]}"#),
            // For the column's collation it is the first one's too.
            ("ONE", #"{"result":[{"IdUser":"4","username":"bOb"}]}"#),
            ("four", #"{"error":"Authorization failed"}"#),
            ("TWO", #"{"error":"Authorization failed"}"#),
        ] {
            #expect(try client.post(["command": "login", "username": "bob", "password": password]) == reply)
        }
    }

    /// The server turns what the connection's character set lacks into question marks.
    @Test(arguments: ["plain", "scrypt"])
    func questionMarksDoNotOpenWhatTheConnectionCannotSay(passwords: String) throws {
        let site = try Site(.current, on: Servers.latin1(), settings: ["IREPORTER_PASSWORDS": passwords])
        try site.sql(
            """
            ALTER TABLE login MODIFY pass VARCHAR(255) CHARACTER SET utf8mb4;
            SET NAMES utf8mb4;
            INSERT INTO login (username, pass) VALUES ('bob', '日本')
            """
        )
        var client = try site.client()
        for (password, reply) in [
            ("??", #"{"error":"Authorization failed"}"#), ("日本", #"{"result":[{"IdUser":"1","username":"bob"}]}"#),
        ] {
            #expect(try client.post(["command": "login", "username": "bob", "password": password]) == reply)
        }
    }

    @Test func passwordThatIsNullOpensNothing() throws {
        let site = try Site(.legacy, on: Servers.latin1())
        try site.sql("INSERT INTO login (username, pass) VALUES ('bob', NULL), ('eve', '')")
        var client = try site.client()
        let refused = #"{"error":"Authorization failed"}"#
        #expect(try client.post(["command": "login", "username": "bob", "password": ""]) == refused)
        #expect(try client.post(["command": "login", "username": "bob", "password": "NULL"]) == refused)
    }

    @Test func pairAnswersItsGenericErrorWhereHashesDoNotFit() throws {
        let site = try Site(.legacy, on: Servers.latin1())
        var client = try site.client()
        for (script, fields) in [
            ("jsonsignup.php", [("username", "bob"), ("password", "x"), ("c_password", "x")]),
            ("jsonlogin2.php", [("username", "bob"), ("password", "x")]),
        ] {
            let form = fields.map { ($0, Template(bytes: $1.utf8)) }
            let request = ContractRequest(path: Template(bytes: script.utf8), body: .form(form))
            #expect(try client.send(request).text == #"{"success":0,"error_message":"Database error."}"#)
        }
        #expect(site.worker.standardError.contains("sql/upgrade/003-wide-password.sql"))
        #expect(try site.sql("SELECT COUNT(*) FROM login") == "0")
        try client.register("bob")
    }

    @Test func photoWhoseUserIsGoneIsLeftOut() throws {
        let site = try Site(.legacy, on: Servers.latin1())
        try site.sql("INSERT INTO login (username) VALUES ('bob')")
        try site.sql("INSERT INTO photos (title, IdUser) VALUES ('a', 1), ('b', 99), (NULL, 1), ('d', NULL)")
        var client = try site.client()
        #expect(
            try client.post(["command": "stream"])
                == #"{"result":[{"IdPhoto":"3","title":null,"IdUser":"1","username":"bob"},"#
                + #"{"IdPhoto":"1","title":"a","IdUser":"1","username":"bob"}]}"#
        )
        #expect(try client.post(["command": "stream", "IdPhoto": "2"]) == #"{"result":[]}"#)
    }

    @Test func fiftyPhotosAtMostNewestFirst() throws {
        let site = try Site(.legacy, on: Servers.latin1())
        try site.sql("INSERT INTO login (username) VALUES ('bob')")
        let rows = (1...120).map { "('t\($0)', 1)" }.joined(separator: ",")
        try site.sql("INSERT INTO photos (title, IdUser) VALUES \(rows)")
        var client = try site.client()
        let expected = (71...120).reversed().map {
            #"{"IdPhoto":"\#($0)","title":"t\#($0)","IdUser":"1","username":"bob"}"#
        }
        #expect(
            try client.post(["command": "stream"]) == #"{"result":["# + expected.joined(separator: ",") + "]}"
        )
    }

    @Test func textThatIsNotUTF8IsShownWithReplacements() throws {
        let site = try Site(.legacy, on: Servers.latin1())
        try site.sql("INSERT INTO login (username) VALUES ('bob')")
        try site.sql("INSERT INTO photos (title, IdUser) VALUES (X'61E962', 1)")
        var client = try site.client()
        #expect(
            try client.post(["command": "stream"])
                == #"{"result":[{"IdPhoto":"1","title":"a\ufffdb","IdUser":"1","username":"bob"}]}"#
        )
    }

    @Test(arguments: [false, true])
    func everyByteOfAPasswordCounts(isServerInUTF8: Bool) throws {
        let site = try Site(.legacy, on: isServerInUTF8 ? Servers.utf8mb4() : Servers.latin1())
        var client = try site.client()
        // As the iPhone client sends it: 20 bytes read as Latin-1, sent as UTF-8. All 256 values in turn.
        for start in stride(from: 0, to: 256, by: 20) {
            let password = String(decoding: (start..<min(start + 20, 256)).map(UInt16.init), as: UTF16.self)
            let encoded = password.utf8.map { "%" + String($0 + 0x100 as UInt16, radix: 16).dropFirst() }.joined()
            let name = "u\(start)"
            let expected = #"","username":"\#(name)"}]}"#
            #expect(
                try client.post(["command": "register", "username": name, "password": encoded]).hasSuffix(expected)
            )
            #expect(
                try client.post(["command": "login", "username": name, "password": encoded]).hasSuffix(expected)
            )
            #expect(
                try client.post(["command": "login", "username": name, "password": encoded + "x"])
                    == #"{"error":"Authorization failed"}"#
            )
        }
    }
}

extension UInt16 {
    fileprivate static func + (left: UInt8, right: UInt16) -> UInt16 { UInt16(left) + right }
}
