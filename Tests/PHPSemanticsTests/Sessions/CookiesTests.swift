import PHPSemantics
import Testing

/// What PHP 8.2 has in `$_COOKIE`.
@Suite struct CookiesTests {
    /// The header of PHP's `tests/basic/022`, but for other words; since PHP 8.0 names are not decoded.
    private static let many =
        "one=first  ; two=2nd%20; three=val 3.; no 4= number 4 %3B; one=late; %20one=x;+one=y;one;no  5=%20 5;"
        + " no%206=6;no+7=;$no.8;no-9=1;;;- & % $no 10=10"
    private static let spaces = "c o=value; c o= v a l ;;c%20o+o k=v;name=\"a\",\"b\",c==;UEhQIQ==foo"

    static let cases: [(String, String, String?)] = [
        (many, "one", "first  "), (many, "two", "2nd "), (many, "three", "val 3."), (many, "no_4", " number 4 ;"),
        (many, "%20one", "x"), (many, "+one", "y"), (many, "no__5", "  5"), (many, "no%206", "6"), (many, "no+7", ""),
        (many, "$no_8", ""), (many, "no-9", "1"), (many, "-_&_%_$no_10", "10"), (many, "no_6", nil),
        (spaces, "c_o", "value"), (spaces, "c%20o+o_k", "v"), (spaces, "name", "\"a\",\"b\",c=="),
        (spaces, "UEhQIQ", "=foo"),
        ("", "a", nil), (";;", "a", nil), ("=1", "", nil), ("a", "a", ""), ("a=", "a", ""), ("a=1", "A", nil),
        ("a=1", "b", nil), ("ab=1", "a", nil), ("a=1;ab=2", "ab", "2"), ("b=1; a=2", "a", "2"), ("b=1;\ta=2", "a", "2"),
        ("a=1+2", "a", "1+2"), ("a=%41%2b%zz%", "a", "A+%zz%"), ("a=\"1\"", "a", "\"1\""), ("a=1,b=2", "a", "1,b=2"),
        ("a=x%00y", "a", "x\0y"),
        ("a[]=1", "a", nil), ("a=1; a[]=2", "a", nil), ("a[]=1; a=2", "a", nil), ("a[=1", "a_", "1"),
        ("[a=1", "a", nil),
        ("a.b=1", "a_b", "1"), ("..Host-a=1", "__Host-a", nil), ("__Host-a=1", "__Host-a", "1"), (".a=1", "_a", "1"),
        ("PHPSESSID=first; PHPSESSID=second", "PHPSESSID", "first"), ("xPHPSESSID=1; PHPSESSID=2", "PHPSESSID", "2"),
        ("x=PHPSESSID=1", "PHPSESSID", nil), ("x=\"; PHPSESSID=1\"", "PHPSESSID", "1\""),
    ]

    @Test(arguments: cases)
    func values(header: String, name: String, value: String?) {
        #expect(Cookies.value(of: name, in: Array(header.utf8)) == value.map { Array($0.utf8) })
    }

    @Test func cookiesBeyondTheLimitAreIgnored() {
        let nothing = "; ;=1;"
        let header = (0..<1005).map { "k\($0)=\($0)" }.joined(separator: nothing)
        #expect(Cookies.value(of: "k999", in: Array(header.utf8)) == Array("999".utf8))
        #expect(Cookies.value(of: "k1000", in: Array(header.utf8)) == nil)
    }
}
