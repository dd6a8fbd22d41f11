import Foundation
import MariaDB
import TestSupport
import Testing

/// The contract: the connection has the server's default character set, as with PHP's driver.
@Suite("Character sets")
struct CharacterSetTests {
    private static let clientSettings: StaticString =
        "SELECT @@character_set_client, @@character_set_results, @@character_set_connection"

    @Test("the connection takes the server's", arguments: ["latin1", "utf8mb4", "cp1251"])
    func serverDefault(characterSet: String) throws {
        let database = Database(try MariaDBServer.shared(.init(characterSet: characterSet)).configuration())
        #expect(try database.texts(Self.clientSettings) == [[characterSet, characterSet, characterSet]])
        database.disconnect()
        #expect(try database.texts(Self.clientSettings) == [[characterSet, characterSet, characterSet]])
    }

    @Test("one that cannot carry SQL is replaced by UTF-8")
    func unusableDefault() throws {
        let database = Database(try MariaDBServer.shared(.init(characterSet: "utf16")).configuration())
        #expect(try database.value("SELECT @@character_set_client") == "utf8mb4")
    }

    @Test("a configured one wins over the server's", arguments: [("latin1", "utf8mb4"), ("utf8mb4", "latin1")])
    func configured(server: String, client: String) throws {
        var configuration = try MariaDBServer.shared(.init(characterSet: server)).configuration()
        configuration.characterSet = client
        #expect(try Database(configuration).texts(Self.clientSettings) == [[client, client, client]])
    }

    @Test("an unknown one is an error")
    func unknown() throws {
        var configuration = try MariaDBServer.shared().configuration()
        configuration.characterSet = "klingon"
        guard
            case .unavailable = error(of: { () throws(DatabaseError) in
                _ = try Database(configuration).value("SELECT 1")
            })
        else {
            Issue.record("nobody speaks it")
            return
        }
    }

    @Test("the server's init_connect counts, as with PHP's driver, unless one is configured")
    func initConnect() throws {
        var options = MariaDBServer.Options(characterSet: "latin1")
        options.more = ["--init-connect=SET NAMES utf8mb4"]
        let server = try MariaDBServer.shared(options)
        // It does not apply to root.
        try server.run("CREATE USER IF NOT EXISTS app@localhost")
        var configuration = server.configuration()
        configuration.user = "app"
        #expect(try Database(configuration).value("SELECT @@character_set_client") == "utf8mb4")
        configuration.characterSet = "latin1"
        #expect(try Database(configuration).value("SELECT @@character_set_client") == "latin1")
    }

    /// A title, a user name and a password as clients send them: the password is SHA-1's bytes as Latin-1 in UTF-8.
    private static let texts = [
        "Zürich \u{2603} \u{1f600}", "Ångström",
        String(decoding: (0x80..<0x94).flatMap { [0xc2, $0] as [UInt8] }, as: UTF8.self),
        String(decoding: (0x94...0xbf).flatMap { [0xc3, $0] as [UInt8] }, as: UTF8.self),
    ]

    @Test("a latin1 server lets UTF-8 through unchanged, in either direction", arguments: texts)
    func latin1(text: String) throws {
        let server = try MariaDBServer.shared(.init(characterSet: "latin1"))
        let name = try server.makeDatabase(.legacy)
        let database = Database(server.configuration(name))
        try database.execute("INSERT INTO photos (title) VALUES (?)", [.text(text)])
        #expect(try database.value("SELECT title FROM photos") == text)
        #expect(try database.value("SELECT title FROM photos WHERE title = ?", [.text(text)]) == text)
        let hexadecimal = text.utf8.map { String(format: "%02X", $0) }.joined()
        #expect(try server.run("SELECT HEX(title) FROM photos", database: name) == "\(hexadecimal)\n")
    }

    @Test("a utf8mb4 server stores and returns characters", arguments: texts)
    func utf8mb4(text: String) throws {
        let server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        let name = try server.makeDatabase(.current)
        let database = Database(server.configuration(name))
        try database.execute("INSERT INTO photos (title, IdUser) VALUES (?, 1)", [.text(text)])
        #expect(try database.value("SELECT title FROM photos") == text)
        #expect(try database.value("SELECT CHAR_LENGTH(title) FROM photos") == String(text.unicodeScalars.count))
    }

    @Test("a utf8mb4 server converts to legacy columns and back, and refuses what they lack")
    func conversion() throws {
        let server = try MariaDBServer.shared(.init(characterSet: "utf8mb4"))
        let name = try server.makeDatabase(.legacy)
        let database = Database(server.configuration(name))
        try database.execute("INSERT INTO login (username, pass) VALUES (?, ?)", [.text("Ångström"), .text("ÿ")])
        #expect(
            try server.run("SELECT HEX(username), HEX(pass) FROM login", database: name) == "C56E67737472F66D\tFF\n"
        )
        #expect(try database.texts("SELECT username, pass FROM login") == [["Ångström", "ÿ"]])
        for sql in ["INSERT INTO login (username, pass) VALUES ('x', ?)", "SELECT 1 FROM login WHERE username = ?"]
            as [StaticString]
        {
            let failure = error { () throws(DatabaseError) in try database.execute(sql, [.text("secret \u{1f600}")]) }
            guard case .refused(let diagnostic) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect([1366, 1267].contains(diagnostic.code))
            #expect(!diagnostic.message.contains("F0"))
            #expect(!diagnostic.message.contains("secret"))
        }
    }

    @Test(
        "bytes without a character set are stored and compared as they are in a column of bytes",
        arguments: ["latin1", "utf8mb4"]
    )
    func binary(characterSet: String) throws {
        let server = try MariaDBServer.shared(.init(characterSet: characterSet))
        let database = Database(server.configuration(try server.makeDatabase(.current)))
        let bytes: [UInt8] = [0, 0xff, 0x80, 0x27, 0x5c, 0x20]
        try database.execute("INSERT INTO login (username, pass) VALUES ('bob', ?)", [.binary(bytes)])
        #expect(try database.rows("SELECT pass FROM login WHERE pass = ?", [.binary(bytes)]) == [[bytes]])
        #expect(try database.rows("SELECT pass FROM login WHERE pass = ?", [.binary(bytes.dropLast())]) == [])
        // The column decides: its collation still finds the name.
        #expect(
            try database.value("SELECT username FROM login WHERE username = ?", [.binary(Array("BOB".utf8))]) == "bob"
        )
    }
}
