import PHPSemantics
import Testing

/// Setting and removing a key leaves the bytes of all others alone.
@Suite struct SessionWritingTests {
    @Test(arguments: [
        ("", #"IdUser|s:2:"42";"#, "the first key"),
        ("a|i:1;", #"a|i:1;IdUser|s:2:"42";"#, "a new key comes last"),
        (#"a|N;IdUser|s:1:"7";b|N;"#, #"a|N;IdUser|s:2:"42";b|N;"#, "in the old value's place"),
        (
            "IdUser|i:7;b|d:1.50;c|S:1:\"\\31\";", "IdUser|s:2:\"42\";b|d:1.50;c|S:1:\"\\31\";",
            "other values as they are"
        ),
        ("IdUser|a:1:{i:0;N;}b|N;", #"IdUser|s:2:"42";b|N;"#, "in an array's place"),
        ("IdUser|i:7;a|N;IdUser|i:8;", #"IdUser|i:7;a|N;IdUser|s:2:"42";"#, "the last of equal keys"),
        ("IdUser|i:7;a|a:1:{i:0;R:2;}", #"IdUser|s:2:"42";a|a:1:{i:0;R:2;}"#, "one number for another"),
        (#"a|a:1:{i:0;R:1;}IdUser|a:1:{i:0;N;}"#, #"a|a:1:{i:0;R:1;}IdUser|s:2:"42";"#, "references before it"),
        (
            "IdUser|a:1:{i:0;N;}a|i:5;b|R:3;", #"IdUser|a:1:{i:0;N;}a|i:5;b|R:3;IdUser|s:2:"42";"#,
            "numbers that would change"
        ),
        (
            #"IdUser|O:1:"A":0:{}b|r:1;"#, #"IdUser|O:1:"A":0:{}b|r:1;IdUser|s:2:"42";"#,
            "an object that is referred to"
        ),
        ("a|i:5;IdUser|R:1;b|R:1;", #"a|i:5;IdUser|R:1;b|R:1;IdUser|s:2:"42";"#, "a reference that took no number"),
        (
            #"IdUser|a:1:{i:0;N;}b|C:1:"A":4:{R:3;}"#, #"IdUser|a:1:{i:0;N;}b|C:1:"A":4:{R:3;}IdUser|s:2:"42";"#,
            "references that only a class knows"
        ),
        ("garbage", #"IdUser|s:2:"42";"#, "instead of what cannot be read"),
    ])
    func setting(before: String, after: String, what: String) {
        var session = SessionData(decoding: Array(before.utf8))
        session.set("IdUser", to: Array("42".utf8))
        #expect(String(decoding: session.encoded(), as: UTF8.self) == after, "\(what)")
        #expect(session["IdUser"] == .string(Array("42".utf8)))
        #expect(session.loggedInUser() == 42)
        session.set("IdUser", to: Array("43".utf8))
        #expect(session.encoded().count == after.utf8.count, "a second time takes no more room")
        #expect(session.loggedInUser() == 43)
        #expect(SessionData(decoding: session.encoded()) == session)
    }

    @Test func anyBytes() {
        var session = SessionData()
        let value: [UInt8] = Array(0...255)
        session.set("a", to: value)
        session.set("b", to: [])
        #expect(SessionData(decoding: session.encoded())["a"] == .string(value))
        #expect(session["b"] == .string([]))
        #expect(session["c"] == nil)
    }

    @Test(arguments: [
        ("", "", "nothing"),
        ("a|i:1;", "a|i:1;", "a missing key"),
        (#"a|N;IdUser|s:1:"7";b|N;"#, "a|N;b|N;", "a key"),
        ("IdUser|i:7;a|N;IdUser|i:8;", "a|N;", "equal keys"),
        ("a|a:1:{i:0;R:1;}IdUser|i:7;b|N;", "a|a:1:{i:0;R:1;}b|N;", "references before it"),
        ("IdUser|i:7;a|i:5;b|R:2;", "IdUser|N;a|i:5;b|R:2;", "numbers that would change"),
        ("IdUser|a:1:{i:0;N;}a|i:5;b|R:2;", "IdUser|a:1:{i:0;N;}a|i:5;b|R:2;IdUser|N;", "several numbers"),
    ])
    func removing(before: String, after: String, what: String) {
        var session = SessionData(decoding: Array(before.utf8))
        session.remove("IdUser")
        #expect(String(decoding: session.encoded(), as: UTF8.self) == after, "\(what)")
        #expect(session["IdUser"] == nil || session["IdUser"] == .null)
        #expect(session.loggedInUser() == nil)
    }

    @Test func emptiness() {
        #expect(SessionData().isEmpty)
        #expect(SessionData(decoding: []).isEmpty)
        #expect(!SessionData(decoding: Array("a|N;".utf8)).isEmpty)
    }

    /// What has no use in the application, but belongs to the reading of a value.
    @Test(
        arguments: [
            ("N;", .null, false), ("b:1;", .bool(true), true), ("i:-3;", .int(-3), true),
            ("d:0.5;", .double(0.5), true),
            (#"s:1:"0";"#, .string([48]), false), (#"s:2:"0 ";"#, .string([48, 32]), true),
            ("a:0:{}", .array(count: 0), false),
            ("a:1:{i:0;N;}", .array(count: 1), true), (#"O:1:"A":0:{}"#, .object, true),
            (#"E:3:"A:B";"#, .object, true),
        ] as [(String, PHPValue, Bool)]
    )
    func valuesAndTheirTruth(text: String, value: PHPValue, isTruthy: Bool) {
        let session = SessionData(decoding: Array("k|\(text)".utf8))
        #expect(session["k"] == value)
        #expect(session["k"]?.isTruthy == isTruthy)
    }
}
