import Testing

@testable import IReporter

@Suite struct CheckPartsTests {
    @Test(arguments: [
        ("plain", false), ("ü", false), ("Ã¼", true), ("Fête", false), ("FÃªte", true), ("naÃ¯ve cafÃ©", true),
        ("â‚¬", true), ("€", false), ("日本", false), ("æ—¥æœ¬", true), ("Ä Ö Ü", false), ("ÿ", false),
    ])
    func textEncodedTwiceIsRecognised(text: String, isMangled: Bool) {
        #expect(TextCheck.isMangled(Array(text.utf8)) == isMangled)
    }

    @Test func textsAreJudgedAsClientsSeeThem() {
        func judge(_ texts: [[UInt8]]) -> Finding.Verdict { TextCheck.judge("photos.title", texts)[0].verdict }
        #expect(judge([]) == .fine)
        #expect(judge([Array("grün".utf8)]) == .fine)
        guard case .problem(let cure) = judge([[0xFC]]) else {
            Issue.record("bytes that are no UTF-8 are a problem")
            return
        }
        #expect(cure.contains("IREPORTER_DB_CHARSET=utf8mb4"))
        guard case .problem(let other) = judge([Array("grÃ¼n".utf8), Array("x".utf8)]) else {
            Issue.record("mangled text is a problem")
            return
        }
        #expect(other.contains("IREPORTER_DB_CHARSET=latin1"))
    }

    @Test(arguments: [
        (1 << 40, nil as Int?, "1048576 MiB are free", true), (31 << 20, nil, "only 31 MiB are free", false),
        (0, nil, "only 0 MiB are free", false), (1 << 40, 9_999, "only 9999 more files can be made", false),
        (1 << 40, 10_000, "1048576 MiB are free", true),
    ])
    func fullDiskIsNoticedBeforeItIsFull(bytes: Int, files: Int?, text: String, isFine: Bool) {
        let finding = UploadFolderCheck.space(bytes: bytes, files: files, largest: 1 << 20)
        #expect(finding.text == text)
        #expect((finding.verdict == .fine) == isFine)
    }

    @Test(
        arguments: [
            (2, 3, 6), (1 << 32, 1 << 32, .max), (.max, 1, .max), (1 << 62, 2, .max), (0, .max, 0),
        ] as [(UInt64, UInt64, Int)]
    )
    func diskWithoutALimitIsNoOverflow(blocks: UInt64, size: UInt64, bytes: Int) {
        #expect(UploadFolderCheck.bytes(blocks: blocks, of: size) == bytes)
    }

    @Test(arguments: [
        ("1.jpg", true), ("12-thumb.jpg", true), (".ireporter-3w5e11264sgsf", true), ("lost+found", true),
        (".jpg", false), ("-thumb.jpg", false), ("a.jpg", false), ("1.php", false), ("1.jpg.txt", false), ("", false),
    ])
    func uploadsAreKnownByTheirNames(name: String, isUpload: Bool) {
        #expect(FolderContents.isUpload(name) == isUpload)
    }

    @Test func controlCharactersAreShownRatherThanObeyed() throws {
        #expect(Finding.problem("a\u{1B}[2J", "b\n") == Finding(text: #"a\x1b[2J"#, verdict: .problem(#"b\x0a"#)))
        #expect(Finding.advice("a\r", "b\t") == Finding(text: #"a\x0d"#, verdict: .advice(#"b\x09"#)))
        #expect(Finding.fine("\u{202E}") == Finding(text: #"\u{202e}"#, verdict: .fine))
        let environment = ["IREPORTER_UPLOAD_DIR": "/srv\u{1B}[2J"]
        let rows = try Settings(environment: environment, processors: 2).inForce(environment)
        #expect(rows.first(where: \.isSet)?.value == #"/srv\x1b[2J"#)
    }

    @Test(arguments: [
        (0o600, false), (0o620, false), (0o660, false), (0o666, true), (0o602, true),
    ])
    func strangersNeedTheLastBits(mode: UInt32, isAllowed: Bool) throws {
        let nobody = try #require(SystemUser(named: "nobody"))
        #expect(nobody.may(2, owner: 0, group: 0, mode: mode) == isAllowed)
    }

    @Test func ownersAndMembersNeedTheirs() throws {
        let nobody = try #require(SystemUser(named: "nobody"))
        let group = try #require(nobody.groups.first)
        #expect(nobody.may(2, owner: nobody.user, group: 0, mode: 0o200))
        #expect(!nobody.may(2, owner: nobody.user, group: 0, mode: 0o066), "the owner's bits alone count for the owner")
        #expect(nobody.may(2, owner: 0, group: group, mode: 0o020))
        #expect(!nobody.may(2, owner: 0, group: group, mode: 0o202), "the group's bits alone count for a member")
        #expect(SystemUser(named: "no-such-user") == nil)
    }

    @Test func secretsAreMasked() throws {
        let environment = ["IREPORTER_DB_PASSWORD": "hunter2", "IREPORTER_WORKERS": "3", "PATH": "/bin"]
        let settings = try Settings(environment: environment, processors: 2)
        let rows = settings.inForce(environment)
        #expect(rows.map(\.name) == Settings.variables.keys.map { "IREPORTER_" + $0 }.sorted())
        #expect(rows.first { $0.name == "IREPORTER_DB_PASSWORD" }?.value == "********")
        #expect(rows.first { $0.name == "IREPORTER_WORKERS" }?.value == "3")
        #expect(rows.first { $0.name == "IREPORTER_THUMB_SIDE" }?.value == "90")
        #expect(!rows.contains { $0.value.contains("hunter2") })
    }

    @Test func whatHoldsWhereNothingIsSetIsSaid() throws {
        let rows = try Settings(environment: [:], processors: 2).inForce([:])
        #expect(rows.allSatisfy { !$0.isSet })
        let withoutValue = [
            "DB_NAME", "DB_OPTION_FILE", "DB_PASSWORD", "DB_PASSWORD_FILE", "DB_TLS_CA", "DB_USER", "SESSION_STORE",
            "SOCKET_GROUP", "UPLOAD_DIR", "UPLOAD_GROUP",
        ]
        #expect(rows.filter(\.value.isEmpty).map(\.name) == withoutValue.map { "IREPORTER_" + $0 })
        #expect(rows.first { $0.name == "IREPORTER_UPLOAD_MODE" }?.value == "0644")
        #expect(rows.first { $0.name == "IREPORTER_SOCKET_MODE" }?.value == "0660")
    }
}
