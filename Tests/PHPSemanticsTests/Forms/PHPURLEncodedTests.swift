import PHPSemantics
import Testing

/// The situations of PHP's own tests `tests/basic/002` to `020` with bodies of the other type, and what else PHP 8.2
/// was seen to make of such bodies.
@Suite struct PHPURLEncodedTests {
    @Test(arguments: cases)
    func yieldsWhatPHPYields(_ test: FormCase) {
        check(test)
    }

    @Test(arguments: cases)
    func cutsMakeNoDifference(_ test: FormCase) {
        checkCuts(test)
    }

    static let cases: [FormCase] = fromPHP + names + pairs + types

    private static let fromPHP = [
        row("002, 003: one pair", "a=Good+day", ["a": "Good day"]),
        row("004: two pairs", "a=Good+day&b=Good+day+again", ["a": "Good day", "b": "Good day again"]),
        row("005: three pairs", "a=Good+day&b=once+more&c=1", ["a": "Good day", "b": "once more", "c": "1"]),
        row("013: brackets", "a[]=1", ["a": .array]),
        row("014: brackets twice", "a[]=1&a[]=1", ["a": .array]),
        row("015: brackets with a number", "a[]=1&a[0]=5", ["a": .array]),
        row("016: brackets with names", "a[a]=1&a[b]=3", ["a": .array]),
        row("017: brackets of all kinds", "a[]=1&a[a]=1&a[b]=3", ["a": .array]),
        row("018: nested brackets", "a[][]=1&a[][]=3&b[a][b][c]=1&b[a][b][d]=1", ["a": .array, "b": .array]),
        row("019: brackets that do not fit", "a[]=1&a[]]=3&a[[]=4", ["a": .array]),
        row("020: brackets in brackets", "a[a[]]=1&a[b[]]=3", ["a": .array]),
    ]

    private static let names = [
        row("leading spaces are dropped", "+a=1&%20%20b=2&  c=3", ["a": "1", "b": "2", "c": "3"]),
        row(
            "spaces and dots become underscores",
            "a.b=1&c+d=2&e%2Ef=3&g =4",
            ["a_b": "1", "c_d": "2", "e_f": "3", "g_": "4"]
        ),
        row("a name ends at NUL", "a%00b=1&%00c=2", ["a": "1"]),
        row("no name", "=1&+=2&[]=3&[a]=4", [:]),
        row("a bracket that is never closed", "a[=1&b[c.d+e[f=2", ["a_": "1", "b_c_d_e_f": "2"]),
        row("a later bracket that is never closed", "a[b][c=1", ["a": .array]),
        row("what follows a bracket", "a[b]c=1&a_b]=2", ["a": .array, "a_b]": "2"]),
        row("a bracket in place of a name's dot", "a.b[c]=1", ["a_b": .array]),
        row("the last of equal names wins", "a=1&a=2&a=", ["a": ""]),
        row("a string after an array", "a[]=1&a=2", ["a": "2"]),
        row("an array after a string", "a=1&a[]=2", ["a": .array]),
        row(
            "a prefix for cookies that dots imitate",
            "_.Host-a=1&..Secure-b=2&__Host-c=3&.__Host-d=4",
            ["__Host-c": "3", "___Host-d": "4"]
        ),
        row(
            "a prefix for cookies that a bracket imitates",
            "_[Host-a=1&__[Host-b=2&_.Host-[c=3&__Secure-[d=4",
            ["___Host-b": "2", "__Secure-_d": "4"]
        ),
        row("a key that has such a prefix", "a[__Host-b]=1&c[d][__Secure-e]=2", ["a": .array, "c": .array]),
        row(
            "brackets after such a key do not count",
            "a[__Host-b" + String(repeating: "[x]", count: 70) + "=1",
            ["a": .array]
        ),
        row("64 levels of brackets", "a=1&a" + String(repeating: "[x]", count: 64) + "=2", ["a": .array]),
        row(
            "65 levels of brackets remove the name",
            "b=1&a=1&a" + String(repeating: "[x]", count: 65) + "=2",
            ["b": "1"]
        ),
    ]

    private static let pairs = [
        row("semicolons do not separate", "a=1;b=2", ["a": "1;b=2"]),
        row("no value", "a&b=&c", ["a": "", "b": "", "c": ""]),
        row("only the first sign counts", "a==1&b=c=d", ["a": "=1", "b": "c=d"]),
        row("encoded separators", "a%3Db=1%26c%3D2", ["a=b": "1&c=2"]),
        row("empty pairs", "&&a=1&&", ["a": "1"]),
        row(
            "escapes that are none",
            "a=%&b=%4&c=%zz&d=%%41&e=%4%41&f=%",
            ["a": "%", "b": "%4", "c": "%zz", "d": "%A", "e": "%4A", "f": "%"]
        ),
        row("an escape that the separator cuts", "a=%4&1=b%", ["a": "%4", "1": "b%"]),
        row("an escape that is cut in the name", "a%4=1&b%=2", ["a%4": "1", "b%": "2"]),
        row("bytes that mean nothing", "a=\u{0}\r\n\"<é", ["a": "\u{0}\r\n\"<é"]),
        row("an empty body", "", [:]),
    ]

    private static let types = [
        ("application/x-www-form-urlencoded; charset=utf-8", true), ("Application/X-WWW-Form-URLEncoded", true),
        ("application/x-www-form-urlencoded,x", true), ("application/x-www-form-urlencoded x", true),
        ("application/x-www-form-urlencoded\t", false), (" application/x-www-form-urlencoded", false),
        ("application/x-www-form-urlencodedx", false), ("application/json", false), ("text/plain", false), ("", false),
    ].map { type, isKnown in
        var test = row("type '\(type)'", "a=1", isKnown ? ["a": "1"] : [:])
        test.contentType = type
        return test
    }

    private static func row(_ origin: String, _ body: String, _ fields: [String: FormCase.Value]) -> FormCase {
        FormCase(origin: origin, contentType: "application/x-www-form-urlencoded", body: body, fields: fields)
    }

    @Test func noType() {
        check(FormCase(origin: "no type", contentType: nil, body: "a=1"))
    }
}
