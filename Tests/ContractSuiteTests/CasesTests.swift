import Testing

@testable import ContractSuite

/// What must hold for the cases themselves.
@Suite struct CasesTests {
    private static let all =
        ContractSuite.cases(attempts: 3) + ContractSuite.cases(apiKey: "key")

    @Test func thereAreManyAndEachHasANameOfItsOwn() {
        #expect(Self.all.count > 450)
        #expect(Set(Self.all.map(\.name)).count == Self.all.count)
    }

    @Test(arguments: all.map(\.name))
    func namesAreSlashSeparatedWords(_ name: String) {
        let words = name.split(separator: "/", omittingEmptySubsequences: false)
        #expect(words.count >= 2)
        for word in words {
            #expect(!word.isEmpty)
            #expect(word.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-" || $0 == ".") })
        }
    }

    @Test func differencesOnPurposeHaveAReasonAndNothingElseHas() {
        for item in Self.all {
            let differs = item.steps.contains { $0.original != nil || $0.race?.winners == 1 }
            #expect((item.reason != nil) == differs, "\(item.name)")
            if let reason = item.reason { #expect(reason.hasSuffix("."), "\(item.name)") }
        }
    }

    @Test func everyRowOfTheContractsTableIsThere() {
        let names = Set(Self.all.filter { $0.reason != nil }.map(\.name))
        for name in [
            "register/name-too-long", "login/password-in-another-case", "register/name-empty",
            "register/one-name-eight-times-at-once", "register/name-as-an-array", "upload/not-a-photo/text",
            "upload/no-file", "photo/png-becomes-a-jpeg", "upload/file-under-another-name", "body/over-the-limit",
            "character-set/not-utf-8", "thumbnail/rotated-by-exif", "thumbnail/wide",
            "session/id-unknown-to-the-server",
            "session/new-id-at-login", "cookie/at-login", "cookie/none-for-a-visitor",
            "attempts/refused-after-too-many",
        ] {
            #expect(names.contains(name), "\(name)")
        }
    }

    @Test func noRequestNeedsAnIDThatNoReplyShows() {
        for item in Self.all {
            var known: Set<String> = []
            for step in item.steps {
                let needed = step.request.ids
                #expect(needed.isSubset(of: known), "\(item.name): \(needed)")
                known.formUnion(step.expected.ids)
            }
        }
    }

    @Test func namesFitTheLegacyColumn() {
        let url = "ct-\(RunToken.make())a-\(Self.all.count)-"
        #expect(url.utf8.count <= 20)
    }

    @Test func theSameCasesComeInEveryRun() {
        let again = ContractSuite.cases(attempts: 3) + ContractSuite.cases(apiKey: "key")
        #expect(again.map(\.name) == Self.all.map(\.name))
    }

    @Test(arguments: [
        ("login", "login/wrong-password", true), ("wrong", "login/wrong-password", true),
        ("login/*", "login/wrong-password", true), ("*word", "login/wrong-password", true),
        ("l*w*d", "login/wrong-password", true), ("wrong*", "login/wrong-password", false),
        ("Login", "login/wrong-password", false), ("*", "login/wrong-password", true),
    ])
    func patterns(_ pattern: String, _ name: String, _ matches: Bool) {
        #expect(pattern.matches(ContractCase(name, [])) == matches)
    }
}

extension Template {
    fileprivate var ids: Set<String> {
        Set(
            segments.compactMap { segment in
                if case .id(let label) = segment { label } else { nil }
            }
        )
    }
}

extension ContractRequest {
    fileprivate var ids: Set<String> {
        let content: [Template]
        switch body {
        case .none: content = []
        case .raw(_, let bytes): content = [bytes]
        case .form(let fields): content = fields.map(\.value)
        case .multipart(let multipart): content = [multipart.body]
        }
        return ([path] + content + headers.map(\.value)).reduce(into: []) { $0.formUnion($1.ids) }
    }
}

extension ReplyRule {
    fileprivate var ids: Set<String> {
        switch self {
        case .anything: []
        case .oneOf(let choices): choices.reduce(into: []) { $0.formUnion($1.ids) }
        case .reply(_, _, .exactly(let template)), .reply(_, _, .photoList(let template)): template.ids
        case .reply: []
        }
    }
}
