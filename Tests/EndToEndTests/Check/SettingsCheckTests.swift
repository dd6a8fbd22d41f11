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
            "IREPORTER_DB_PASSWORD_FILE names /nonexistent, which cannot be read"
        ),
    ])
    func wrongSettingIsNamedWithWhatIsRight(name: String, value: String, message: String) throws {
        let setup = try CheckSetup(.empty)
        setup.environment[name] = value
        let (status, output) = try setup.check()
        #expect(status == 2)
        #expect(output == "ireporter: \(message)\n  man ireporter and deploy/README.md list all settings\n")
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
