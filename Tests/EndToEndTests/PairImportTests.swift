import TestSupport
import Testing

@testable import ContractSuite

/// The sign-up and log-in pair's own table, brought into `login`.
@Suite struct PairImportTests {
    private func logIn(_ client: inout SiteClient, _ name: String, _ password: String) throws -> String {
        let form = [("username", name), ("password", password)].map { ($0, Template(bytes: $1.utf8)) }
        return try client.send(ContractRequest(path: "jsonlogin2.php", body: .form(form))).text
    }

    @Test(arguments: [Schema.current, .legacy])
    func everyImportedUserLogsInAndIsHashed(schema: Schema) throws {
        let site = try Site(schema, on: Servers.utf8mb4())
        try site.sql(
            """
            CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, username varchar(50) UNIQUE, password varchar(100));
            INSERT INTO users (username, password) VALUES
                ('ann', MD5('first')), ('Zoë', MD5('pässword')), ('UPPER', UPPER(MD5('third')))
            """
        )
        if case .legacy = schema {
            #expect(try site.run(["migrate", "--only", "3"]).wait() == 0)
        }
        #expect(try site.run(["migrate", "--only", "5"]).wait() == 0)
        var client = try site.client()
        for (name, password) in [("ann", "first"), ("ZOË", "pässword"), ("upper", "third")] {
            for _ in 1...2 {
                #expect(try logIn(&client, name, password) == #"{"success":1}"#, "\(name)")
            }
            #expect(
                try logIn(&client, name, password + "x")
                    == #"{"success":0,"error_message":"Invalid Username/Password"}"#
            )
        }
        // The weak form is gone after the first log-in, also where PHP runs beside.
        #expect(try site.sql("SELECT COUNT(*) FROM login WHERE pass LIKE '$scrypt$%'") == "3")
    }

    /// Names that PHP stored through latin1 connections become real ones, which only UTF-8 connections find.
    @Test func namesOfLatin1ConnectionsAreRepairedAndTheSettingIsNamed() throws {
        let site = try Site(.current, on: Servers.latin1())
        try site.sql(
            """
            SET NAMES latin1;
            CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, username varchar(50) UNIQUE, password varchar(100))
                CHARACTER SET latin1;
            INSERT INTO users (username, password) VALUES ('zoë', MD5('first')), ('日本', MD5('first'))
            """
        )
        let hint = "connections are latin1: set IREPORTER_DB_CHARSET=utf8mb4, or names beyond ASCII cannot log in"
        let migration = try site.run(["migrate", "--only", "5"])
        #expect(migration.standardOutput.contains("  users: imported 2\n  \(hint)\n"), "\(migration.standardOutput)")
        #expect(site.worker.terminate() == 0)
        try site.restartWorker(settings: ["IREPORTER_DB_CHARSET": "utf8mb4"])
        #expect(try !site.run(["migrate", "--only", "5"]).standardOutput.contains(hint))
        var client = try site.client()
        for name in ["zoë", "ZOË", "日本"] {
            #expect(try logIn(&client, name, "first") == #"{"success":1}"#, "\(name)")
        }
    }
}
