import Foundation
import TestSupport
import Testing

/// `ireporter check` on set-ups that work.
@Suite(.serialized) struct CheckTests {
    @Test func soundSetUpHasNoProblem() throws {
        let setup = try CheckSetup(.current)
        setup.environment["IREPORTER_DB_PASSWORD"] = ""
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(output.hasSuffix("no problems\n"))
        #expect(output.contains("IREPORTER_DB_PASSWORD=********\n"))
        #expect(output.contains("IREPORTER_THUMB_SIDE=90 (default)\n"))
        #expect(output.contains("IREPORTER_UPLOAD_GROUP (not set)\n"))
        #expect(output.contains("gets in; photos are made with mode 0644\n"))
        #expect(output.contains("ok       login.username has a unique index\n"))
        #expect(!output.contains("\u{1B}"), "no terminal, no colours")
        let files = try FileManager.default.contentsOfDirectory(atPath: setup.folder.path)
        #expect(Set(files) == ["upload", "sessions", "nginx.conf", "out", "err"], "nothing was changed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.folder.path("upload")).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: setup.folder.path("sessions")).isEmpty)
    }

    @Test func tutorialsTablesWorkAndGetAdvice() throws {
        let setup = try CheckSetup(.legacy)
        setup.environment["IREPORTER_PASSWORDS"] = "plain"
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(output.contains("advice   table login: MyISAM, latin1_swedish_ci"))
        #expect(output.contains("advice   login.username has no index"))
        #expect(
            output.contains(
                """
                  advice   login.pass is varchar(45), too narrow for the 128 characters of a hash: jsonsignup.php and \
                jsonlogin2.php answer with an error
                           -> ireporter migrate --only 3, or by hand sql/upgrade/003-wide-password.sql, if there are \
                clients of these two

                """
            ),
            "\(output)"
        )
    }

    @Test(
        .enabled(
            if: getuid() == 0,
            "only root can make what is other users'; nine set-ups that are broken so are left out too"
        )
    )
    func photosOfAGroupThatNginxIsInHaveNoProblem() throws {
        let setup = try CheckSetup(.current)
        setup.environment["IREPORTER_UPLOAD_MODE"] = "0640"
        setup.environment["IREPORTER_UPLOAD_GROUP"] = "www-data"
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(output.contains("nginx's user www-data gets in; photos are made with mode 0640\n"))
    }

    @Test(arguments: ["UNIQUE (username, pass)", "UNIQUE (username(10))", "KEY (username)"])
    func indexThatLeavesNamesAloneGetsAdvice(index: String) throws {
        let setup = try CheckSetup(.current)
        try setup.sql("ALTER TABLE login DROP INDEX username, ADD \(index)")
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        #expect(
            output.contains(
                """
                  advice   login.username has an index, but none that keeps names unique
                           -> ireporter migrate, or ALTER TABLE login ADD UNIQUE (username)

                """
            ),
            "\(output)"
        )
    }
}
