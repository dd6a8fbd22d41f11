import PHPSemantics
import Testing

/// Who is logged in according to a session file.
///
/// Of PHP's own `ext/session/tests`, those that read sessions are here by their situations. Left out are those on save
/// handlers, cookies that PHP sends, URL rewriting, other serializers, garbage collection and strict mode, which are
/// not about reading the format.
@Suite struct SessionReadingTests {
    static let cases: [SessionCase] = truth + numbers + fromPHP + lookalikes + damaged + references + types

    @Test(arguments: cases)
    func tellsWhoIsLoggedIn(_ test: SessionCase) {
        let session = SessionData(decoding: test.bytes)
        #expect(session.loggedInUser() == test.user)
        #expect(session.encoded() == (test.isReadable ? test.bytes : []))
        if !test.isReadable { #expect(session.isEmpty) }
    }

    /// A file that was cut off logs nobody in, unless it was cut between two keys.
    @Test(arguments: cases)
    func noBeginningOfAFileLogsInAnyoneElse(_ test: SessionCase) {
        for end in test.bytes.indices {
            let user = SessionData(decoding: Array(test.bytes[..<end])).loggedInUser()
            #expect(user == nil || test.bytes[end - 1] == UInt8(ascii: ";") || test.bytes[end - 1] == UInt8(ascii: "}"))
        }
    }

    /// The contract's section on who counts as logged in.
    private static let truth = [
        SessionCase("contract: a string", #"IdUser|s:2:"13";"#, user: 13),
        SessionCase("contract: an integer", "IdUser|i:13;", user: 13),
        SessionCase("contract: true", "IdUser|b:1;", user: 1),
        SessionCase("contract: an empty string", #"IdUser|s:0:"";"#),
        SessionCase("contract: a zero in a string", #"IdUser|s:1:"0";"#),
        SessionCase("contract: null", "IdUser|N;"),
        SessionCase("contract: false", "IdUser|b:0;"),
        SessionCase("contract: a missing key", #"name|s:2:"13";"#),
        SessionCase("contract: an empty file", ""),
        SessionCase("contract: a truncated file", #"IdUser|s:2:"13"#, isReadable: false),
        SessionCase("contract: garbage", "no session at all", isReadable: false),
        SessionCase("zero", "IdUser|i:0;"),
        SessionCase("minus zero", "IdUser|d:-0;"),
        SessionCase("not a number", "IdUser|d:NAN;"),
        SessionCase("infinity", "IdUser|d:INF;"),
        SessionCase("an empty array", "IdUser|a:0:{}"),
        SessionCase("an array", "IdUser|a:1:{i:0;i:13;}"),
        SessionCase("an object", #"IdUser|O:8:"stdClass":1:{s:2:"id";i:13;}"#),
    ]

    private static let numbers = [
        SessionCase("a negative integer", "IdUser|i:-1;", user: -1),
        SessionCase("a double", "IdUser|d:13.9;", user: 13),
        SessionCase("a double that no integer holds", "IdUser|d:1.0E+25;"),
        SessionCase("an integer that is too large", "IdUser|i:99999999999999999999;", user: .max),
        SessionCase("a string with white space and an end", #"IdUser|s:5:" 13ab";"#, user: 13),
        SessionCase("a string that is decoded first", #"IdUser|s:6:"%31%33";"#, user: 13),
        SessionCase("a plus becomes a space", #"IdUser|s:3:"+13";"#, user: 13),
        SessionCase("an exponent", #"IdUser|s:3:"2e3";"#, user: 2000),
        SessionCase("zeros", #"IdUser|s:2:"00";"#, user: 0),
        SessionCase("a zero with a space", #"IdUser|s:2:"0 ";"#, user: 0),
        SessionCase("no number at all", #"IdUser|s:3:"bob";"#, user: 0),
    ]

    private static let fromPHP = [
        SessionCase(
            "003, 023: objects with properties, one of them in an array",
            #"IdUser|s:1:"7";o|O:3:"foo":2:{s:1:"a";s:2:"ok";s:1:"b";i:1;}"#
                + #"l|a:1:{i:3;O:3:"foo":2:{s:1:"a";s:2:"ok";s:1:"b";i:1;}}"#,
            user: 7
        ),
        SessionCase(
            "session_decode_basic: values of all types",
            "a|i:0;b|i:-2345;c|d:10.5;d|d:-10.5;e|d:123456789000;f|d:1.23456789E-9;g|d:0.5;h|N;i|b:1;j|b:0;"
                + #"k|s:0:"";l|s:12:"Hello there!";m|O:6:"classA":0:{}IdUser|i:7;"#,
            user: 7
        ),
        SessionCase("session_decode_error: a number for a file", "12345", isReadable: false),
        SessionCase("session_decode_error: a word for a file", "Nothing", isReadable: false),
        SessionCase(
            "session_decode_error2: an array and references to it",
            "IdUser|i:7;foo|a:3:{i:0;i:1;i:1;i:2;i:2;i:3;}bar|R:2;baz|R:2;",
            user: 7
        ),
        SessionCase("session_decode_variation4: the binary format", "\u{3}fooi:1234567890;", isReadable: false),
        SessionCase("bug24592: several nulls", "a|N;b|N;IdUser|i:7;", user: 7),
        SessionCase("bug72681: a string that looks like another key", #"a|s:24:"IdUser|O:8:"StdClass":0:";"#),
        SessionCase(
            "bug79031: objects with formats of their own",
            #"a|C:3:"Foo":26:{a:1:{s:1:"x";O:1:"y":0:{}}}b|C:3:"Foo":18:{a:1:{s:1:"x";r:3;}}IdUser|i:7;"#,
            user: 7
        ),
    ]

    /// Text that a search for a logged-in user would find.
    private static let lookalikes = [
        SessionCase("contract: a key in a string", #"a|s:15:"IdUser|s:1:"1";";"#),
        SessionCase("a key in a string in an array", #"a|a:1:{i:0;s:15:"IdUser|s:1:"1";";}"#),
        SessionCase("a key in an array's key", #"a|a:1:{s:11:"IdUser|i:1;";i:0;}"#),
        SessionCase("a key in a property's name", #"a|O:1:"A":1:{s:11:"IdUser|i:1;";i:0;}"#),
        SessionCase("a key in an object's own format", #"a|C:1:"A":12:{IdUser|i:1; }"#),
        SessionCase("a key at the end of another", "xIdUser|i:1;"),
        SessionCase("a key with white space", " IdUser|i:1;"),
        SessionCase("a key in another case", "iduser|i:1;"),
        SessionCase("a key after a line end", "\nIdUser|i:1;"),
        SessionCase("a key with what was a mark once", "!IdUser|i:1;"),
        SessionCase("a key of an array", #"a|a:1:{s:6:"IdUser";i:1;}"#),
        SessionCase("the last of equal keys counts", "IdUser|i:1;IdUser|i:0;"),
        SessionCase("the last of equal keys counts, if it is true", "IdUser|i:0;a|N;IdUser|i:7;", user: 7),
        SessionCase("contract: an array before it", #"a|a:2:{i:0;a:0:{}s:1:"b";a:1:{i:0;N;}}IdUser|i:7;"#, user: 7),
        SessionCase("contract: other keys after it", #"IdUser|i:7;a|a:1:{i:0;s:2:"|;";}"#, user: 7),
        SessionCase("an empty key", "|i:1;IdUser|i:7;", user: 7),
    ]

    private static let damaged = [
        SessionCase("a key without a value", "IdUser|i:1;a|", isReadable: false),
        SessionCase("text after the last value", "IdUser|i:1;a", isReadable: false),
        SessionCase("a line end after the last value", "IdUser|i:1;\n", isReadable: false),
        SessionCase("a length that is too short", #"IdUser|s:1:"13";"#, isReadable: false),
        SessionCase("a length that is too long", #"IdUser|s:3:"13";"#, isReadable: false),
        SessionCase("a length beyond the file", #"IdUser|s:99:"13";"#, isReadable: false),
        SessionCase("a length beyond 64 bits", #"IdUser|s:99999999999999999999:"1";"#, isReadable: false),
        SessionCase("a negative length", #"IdUser|s:-1:"";"#, isReadable: false),
        SessionCase("a length with a sign", #"IdUser|s:+1:"1";"#, isReadable: false),
        SessionCase("a length with zeros", #"IdUser|s:01:"7";"#, user: 7),
        SessionCase("no length", #"IdUser|s::"1";"#, isReadable: false),
        SessionCase("a string without quotes", "IdUser|s:1:1;", isReadable: false),
        SessionCase("a string without an end", #"IdUser|s:1:"1""#, isReadable: false),
        SessionCase("an integer without an end", "IdUser|i:1", isReadable: false),
        SessionCase("an integer without digits", "IdUser|i:;", isReadable: false),
        SessionCase("an integer with more behind it", "IdUser|i:1x;", isReadable: false),
        SessionCase("an integer with a fraction", "IdUser|i:1.5;", isReadable: false),
        SessionCase("a boolean that is neither", "IdUser|b:2;", isReadable: false),
        SessionCase("a double without digits", "IdUser|d:.;", isReadable: false),
        SessionCase("a double with an exponent only", "IdUser|d:e5;", isReadable: false),
        SessionCase("a double with half an exponent", "IdUser|d:1e;", isReadable: false),
        SessionCase("a type in the wrong case", "IdUser|I:1;", isReadable: false),
        SessionCase("no type", "IdUser|:1;", isReadable: false),
        SessionCase("an array with too few elements", "IdUser|i:1;a|a:2:{i:0;N;}", isReadable: false),
        SessionCase("an array with too many elements", "IdUser|i:1;a|a:1:{i:0;N;i:1;N;}", isReadable: false),
        SessionCase("an array with a huge count", "IdUser|i:1;a|a:2147483647:{i:0;N;}", isReadable: false),
        SessionCase(
            "an array with a count beyond 64 bits",
            "a|a:99999999999999999999:{}IdUser|i:1;",
            isReadable: false
        ),
        SessionCase("an array with a negative count", "IdUser|i:1;a|a:-1:{}", isReadable: false),
        SessionCase("an array with a key of another type", "IdUser|i:1;a|a:1:{N;i:1;}", isReadable: false),
        SessionCase("an array with an array for a key", "IdUser|i:1;a|a:1:{a:0:{}i:1;}", isReadable: false),
        SessionCase("an array with a reference for a key", "IdUser|i:1;a|a:1:{R:1;i:1;}", isReadable: false),
        SessionCase("an array with a semicolon after it", "IdUser|i:1;a|a:0:{};", isReadable: false),
        SessionCase("an object with a semicolon after it", #"a|O:1:"A":0:{};b|N;IdUser|i:7;"#, user: 7),
        SessionCase("an object without a class", #"IdUser|i:1;a|O:0:"":0:{}"#, isReadable: false),
        SessionCase("an object with an impossible class", #"IdUser|i:1;a|O:3:"A B":0:{}"#, isReadable: false),
        SessionCase("an object of a class from the root", #"IdUser|i:1;a|O:2:"\A":0:{}"#, isReadable: false),
        SessionCase("an object's own format without an end", #"IdUser|i:1;a|C:1:"A":3:{ab}"#, isReadable: false),
        SessionCase("an enumeration without a case", #"IdUser|i:1;a|E:4:"Suit";"#, isReadable: false),
        SessionCase("an old type", "IdUser|i:1;a|o:0:{}", isReadable: false),
    ]

    private static let references = [
        SessionCase("a reference to a string", #"a|s:1:"7";IdUser|R:1;"#, user: 7),
        SessionCase("a reference to an element", "a|a:2:{i:0;i:5;i:1;i:7;}IdUser|R:3;", user: 7),
        SessionCase("a reference to a reference's target", "a|i:7;b|R:1;c|i:8;IdUser|R:1;", user: 7),
        SessionCase("references take no number", "a|i:5;b|R:1;c|i:7;IdUser|R:2;", user: 7),
        SessionCase("a reference to an object", #"a|O:1:"A":0:{}IdUser|r:1;"#),
        SessionCase("object references take a number", #"a|O:1:"A":0:{}b|r:1;c|i:7;IdUser|R:3;"#, user: 7),
        SessionCase("an array in itself", "a|a:1:{i:0;R:1;}IdUser|i:7;", user: 7),
        SessionCase("an object in itself", #"a|O:1:"A":1:{s:1:"a";r:1;}IdUser|i:7;"#, user: 7),
        SessionCase("an object reference to an object reference", #"a|O:1:"A":0:{}b|r:1;c|r:2;IdUser|i:7;"#, user: 7),
        SessionCase("an object reference to an own format", #"a|C:1:"A":0:{}b|r:1;IdUser|i:7;"#, user: 7),
        SessionCase("a reference to itself", "IdUser|R:1;", isReadable: false),
        SessionCase("an object reference to itself", "IdUser|r:1;", isReadable: false),
        SessionCase("a reference ahead", "IdUser|R:2;a|i:7;", isReadable: false),
        SessionCase("a reference to nothing", "IdUser|i:7;a|R:0;", isReadable: false),
        SessionCase("a reference beyond 64 bits", "IdUser|i:7;a|R:99999999999999999999;", isReadable: false),
        SessionCase("an object reference to a string", #"IdUser|s:1:"7";a|r:1;"#, isReadable: false),
        SessionCase("an object reference to an array", "IdUser|i:7;a|a:0:{}b|r:2;", isReadable: false),
    ]

    private static let types = [
        SessionCase("a string with escapes", #"IdUser|S:2:"\31\33";"#, user: 13),
        SessionCase("a string with a broken escape", #"IdUser|S:1:"\3g";"#, isReadable: false),
        SessionCase("a string with an escape beyond its end", #"IdUser|S:1:"\"#, isReadable: false),
        SessionCase("an object's count with a sign", #"a|O:1:"A":+1:{i:0;N;}IdUser|i:7;"#, user: 7),
        SessionCase("an object's count that is missing", #"a|O:1:"A"::{}IdUser|i:7;"#, user: 7),
        SessionCase("names of classes", #"a|O:7:"N\_Ab\9":0:{}IdUser|i:7;"#, user: 7),
        SessionCase(
            "private and protected properties",
            "a|O:1:\"A\":2:{s:4:\"\0A\0x\";N;s:4:\"\0*\0y\";N;}IdUser|i:7;",
            user: 7
        ),
        SessionCase(
            "doubles of all forms",
            "a|d:.5;b|d:1.;c|d:+1e5;d|d:-1.5E-10;e|d:-INF;f|d:1e999;IdUser|i:7;",
            user: 7
        ),
    ]
}
