import Foundation
import TestSupport
import Testing

/// What `ireporter check` says of settings that cannot be used, before it looks at anything.
@Suite(.serialized) struct SettingsCheckTests {
    @Test(arguments: [
        ("IREPORTER_WORKER", "4", "IREPORTER_WORKER is not a setting (did you mean IREPORTER_WORKERS?)"),
        ("IREPORTER_UPLAOD_DIR", "/srv", "IREPORTER_UPLAOD_DIR is not a setting (did you mean IREPORTER_UPLOAD_DIR?)"),
        ("IREPORTER_FROBNICATION", "1", "IREPORTER_FROBNICATION is not a setting"),
        ("IREPORTER_WORKERS", "many", "IREPORTER_WORKERS is 'many': expected a whole number from 1 to 1024"),
        (
            "IREPORTER_SOCKET_MODE", "888",
            "IREPORTER_SOCKET_MODE is '888': expected permission bits in octal, such as 0660"
        ),
        ("IREPORTER_PASSWORDS", "md5", "IREPORTER_PASSWORDS is 'md5': expected scrypt or plain"),
        (
            "IREPORTER_DB_PASSWORD_FILE", "/nonexistent",
            "IREPORTER_DB_PASSWORD_FILE names /nonexistent, which \(CheckSetup.user) cannot read: "
                + "No such file or directory"
        ),
        (
            "IREPORTER_LISTEN", "unix:/run/ireporter.sock\r",
            "IREPORTER_LISTEN ends in a carriage return, as the lines of a file with Windows line ends do "
                + #"(sed -i 's/\r$//' FILE takes them away)"#
        ),
        (
            "IREPORTER_THUMB_FIT", "\u{1B}[31mcrop",
            #"IREPORTER_THUMB_FIT is '\x1b[31mcrop': expected crop or stretch"#
        ),
        (
            "IREPORTER_LISTEN", "unix:ireporter.sock",
            "IREPORTER_LISTEN is malformed: cannot listen on 'unix:ireporter.sock': "
                + "expected unix:/PATH or HOST:PORT"
        ),
        (
            "IREPORTER_LISTEN", "unix:/" + String(repeating: "x", count: 107),
            "IREPORTER_LISTEN is malformed: cannot listen on '/\(String(repeating: "x", count: 107))': "
                + "the path is too long, 108 bytes, of which a socket's may have 107"
        ),
    ])
    func wrongSettingIsNamedWithWhatIsRight(name: String, value: String, message: String) throws {
        let setup = try CheckSetup(.empty)
        setup.environment[name] = value
        let (status, output) = try setup.check()
        #expect(status == 2)
        #expect(output == "ireporter: \(message)\n  man ireporter and deploy/README.md list all settings\n")
    }

    @Test func fileOfAnothersPasswordIsNamedWithWhoCannotReadIt() throws {
        let setup = try CheckSetup(.empty)
        setup.runsAsNobody = getuid() == 0
        let file = try setup.folder.write("secret", to: "password")
        try setup.folder.allow("password", 0)
        setup.environment["IREPORTER_DB_PASSWORD_FILE"] = file
        let (status, output) = try setup.check()
        #expect(status == 2)
        #expect(
            output == """
                ireporter: IREPORTER_DB_PASSWORD_FILE names \(file), which \(CheckSetup.worker) cannot read: \
                Permission denied
                  man ireporter and deploy/README.md list all settings

                """
        )
    }

    @Test func passwordAndItsFileAreOneTooMany() throws {
        let setup = try CheckSetup(.empty)
        setup.environment["IREPORTER_DB_PASSWORD"] = "secret"
        setup.environment["IREPORTER_DB_PASSWORD_FILE"] = try setup.folder.write("secret", to: "password")
        let (status, output) = try setup.check()
        #expect(status == 2)
        #expect(
            output == """
                ireporter: IREPORTER_DB_PASSWORD and IREPORTER_DB_PASSWORD_FILE are both set (take one of them away)
                  man ireporter and deploy/README.md list all settings

                """
        )
    }

    @Test(arguments: ["IREPORTER_UPLOAD_DIR", "IREPORTER_SESSION_STORE", "IREPORTER_DB_NAME"])
    func settingThatIsMissingIsNamed(name: String) throws {
        let setup = try CheckSetup(.empty)
        setup.environment[name] = nil
        let (status, output) = try setup.check()
        #expect(status == 2)
        #expect(output.hasPrefix("ireporter: \(name) is not set ("))
        #expect(output.hasSuffix(")\n  man ireporter and deploy/README.md list all settings\n"))
    }
}
