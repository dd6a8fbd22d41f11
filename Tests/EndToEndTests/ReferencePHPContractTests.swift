import ContractSuite
import TestSupport
import Testing

/// The suite on real PHP: it holds there, and it notices what is changed.
@Suite struct ReferencePHPContractTests {
    private func run(_ url: ContractURL, asOriginal: Bool = true) -> [ContractResult] {
        var options = ContractRunner.Options()
        options.asOriginal = asOriginal
        return ContractRunner(url: url, options: options).run()
    }

    @Test(arguments: [
        ReferenceSite.Options(characterSet: "latin1", throwsErrors: false),
        ReferenceSite.Options(characterSet: "utf8mb4", throwsErrors: true),
    ])
    func everythingHoldsOnTheOriginal(_ options: ReferenceSite.Options) throws {
        let site = try ReferenceSite(options)
        let results = run(try site.install("original"))
        #expect(results.count > 450)
        for result in results where result.outcome != .held {
            Issue.record("\(result.name): \(result.outcome)")
        }
    }

    @Test func thePurposesShowWithoutTheOption() throws {
        let site = try ReferenceSite()
        let failures = run(try site.install("original"), asOriginal: false).filter(\.isFailure)
        #expect(failures.allSatisfy { $0.reason != nil })
        let names = Set(failures.map(\.name))
        for name in [
            "login/password-in-another-case", "register/password-empty", "session/new-id-at-login",
            "cookie/none-for-a-visitor", "photo/png-becomes-a-jpeg", "thumbnail/rotated-by-exif", "thumbnail/wide",
            "upload/no-file", "character-set/not-utf-8",
        ] {
            #expect(names.contains(name), "\(name)")
        }
    }

    /// A change to the PHP, and a case that must notice it.
    struct Change: Sendable, CustomTestStringConvertible {
        var name: String
        var file = "commands.php"
        var old: String
        var new: String
        var noticedBy: String

        var testDescription: String { name }
    }

    private static let site = Result { try ReferenceSite() }

    @Test(arguments: [
        Change(
            name: "changed-message",
            old: "'Authorization failed'",
            new: "'Authorisation failed'",
            noticedBy: "login/wrong-password"
        ),
        Change(
            name: "message-with-a-full-stop",
            old: "'Upload malfunction'",
            new: "'Upload malfunction.'",
            noticedBy: "multipart/file/file-name-empty"
        ),
        Change(
            name: "ids-as-numbers",
            old: "json_encode(['result' => $found])",
            new: "json_encode(['result' => $found], JSON_NUMERIC_CHECK)",
            noticedBy: "register/created"
        ),
        Change(
            name: "success-as-text",
            old: "['successful' => 1]",
            new: "['successful' => '1']",
            noticedBy: "upload/as-the-iphone-client-sends-it"
        ),
        Change(
            name: "error-beside-success",
            old: "['result' => $list]",
            new: "['result' => $list, 'error' => null]",
            noticedBy: "stream/urlencoded"
        ),
        Change(
            name: "slashes-not-escaped",
            old: "json_encode(['result' => $found])",
            new: "json_encode(['result' => $found], JSON_UNESCAPED_SLASHES)",
            noticedBy: "json/slash"
        ),
        Change(
            name: "unicode-not-escaped",
            old: "json_encode(['result' => $found])",
            new: "json_encode(['result' => $found], JSON_UNESCAPED_UNICODE)",
            noticedBy: "character-set/accent"
        ),
        Change(
            name: "oldest-first",
            old: "ORDER BY IdPhoto DESC",
            new: "ORDER BY IdPhoto",
            noticedBy: "stream/newest-first"
        ),
        Change(name: "fifty-one", old: "LIMIT 50", new: "LIMIT 51", noticedBy: "stream/fifty-at-most"),
        Change(
            name: "row-before-the-session",
            old: "if (!$user) {",
            new: "if (!$user && false) {",
            noticedBy: "upload/nobody-is-logged-in"
        ),
        Change(
            name: "logout-forgets-nothing",
            old: "$_SESSION = [];\n    session_destroy();",
            new: "",
            noticedBy: "session/logout-ends-it"
        ),
        Change(
            name: "another-content-type",
            file: "index.php",
            old: "application/json",
            new: "text/html",
            noticedBy: "headers/stream"
        ),
        Change(
            name: "missing-header",
            file: "index.php",
            old: "header('Content-Type: application/json');",
            new: "header('Content-Type: application/json'); header_remove('Pragma');",
            noticedBy: "headers/error"
        ),
        Change(
            name: "a-line-end-too-many",
            file: "index.php",
            old: "<?php\n",
            new: "\n<?php\n",
            noticedBy: "command/unknown"
        ),
        Change(
            name: "get-served-too",
            file: "index.php",
            old: "$_POST['command']",
            new: "$_REQUEST['command']",
            noticedBy: "method/get-with-query"
        ),
        Change(
            name: "no-second-decoding",
            file: "database.php",
            old: "urldecode($value)",
            new: "$value",
            noticedBy: "decoding/multipart/plus"
        ),
        Change(
            name: "cast-without-an-end",
            file: "index.php",
            old: "(int) ($_POST['IdPhoto'] ?? 0)",
            new: "(int) preg_replace('/\\D/', '', $_POST['IdPhoto'] ?? '0')",
            noticedBy: "cast/fraction"
        ),
        Change(
            name: "thumbnail-in-proportion",
            old: "imagecreatetruecolor($side, $side)",
            new: "imagecreatetruecolor($side, 2 * $side)",
            noticedBy: "photo/baseline"
        ),
        Change(
            name: "photo-under-another-name",
            old: "$path.jpg",
            new: "$path.jpeg",
            noticedBy: "photo/baseline"
        ),
        Change(
            name: "pair-success-as-text",
            file: "pair.php",
            old: "=== null ? 1 : 0",
            new: "=== null ? '1' : 0",
            noticedBy: "pair/log-in/match"
        ),
        Change(
            name: "pair-compares-exactly",
            file: "jsonsignup.php",
            old: ") != (",
            new: ") !== (",
            noticedBy: "pair/sign-up/equal-as-numbers"
        ),
    ])
    func aChangeIsNoticed(_ change: Change) throws {
        let url = try Self.site.get().install(
            change.name,
            changing: change.file,
            change.old,
            to: change.new
        )
        let failures = run(url).filter(\.isFailure).map(\.name)
        #expect(failures.contains(change.noticedBy), "\(failures)")
    }

    @Test func aCopyOfTheOriginalIsTheSame() throws {
        // Of its own: what other tests upload would show in a stream of fifty.
        let site = try ReferenceSite()
        var options = ContractRunner.Options()
        options.against = try site.install("second")
        let results = ContractRunner(url: try site.install("first"), options: options).run()
        #expect(results.filter(\.isFailure).map(\.name) == [])
    }
}
