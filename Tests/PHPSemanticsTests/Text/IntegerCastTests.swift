import PHPSemantics
import Testing

/// `(int)` of strings; the contract's examples and the edges of the 64-bit range.
@Suite struct IntegerCastTests {
    @Test(arguments: [
        ("2", 2), ("2abc", 2), ("2.9", 2), ("2e0", 2), (" 2", 2), ("\n2", 2), ("+2", 2), ("2e3", 2000), ("abc", 0),
        ("0x2", 0),
        ("", 0),
    ])
    func contract(text: String, value: Int64) {
        #expect(IntegerCast.integer(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        ("-2", -2), ("--2", 0), ("- 2", 0), ("+-2", 0), ("-", 0), ("+", 0), ("-0", 0), ("007", 7), ("1 2", 1),
        ("1_000", 1), ("1,5", 1),
        (" \t\n\r\u{b}\u{c}2", 2), ("\u{a0}2", 0), ("\u{0}2", 0), ("2\u{0}3", 2), ("٢", 0),
    ])
    func signsAndWhiteSpace(text: String, value: Int64) {
        #expect(IntegerCast.integer(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        (".5", 0), (".", 0), ("-.9e1", -9), ("1.", 1), ("1.e3", 1000), ("1..2", 1), ("1e", 1), ("1e+", 1), ("1e-", 1),
        ("1e+3", 1000),
        ("1E3", 1000), ("1500e-2", 15), ("1e-1", 0), ("e3", 0), (".e3", 0), ("1e3e3", 1000), ("0e99999", 0),
        ("-2.9", -2),
        ("2.99999999999999999999", 3), ("9007199254740993", 9_007_199_254_740_993),
        ("9007199254740993.0", 9_007_199_254_740_992),
    ])
    func doubles(text: String, value: Int64) {
        #expect(IntegerCast.integer(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        ("9223372036854775807", .max), ("9223372036854775808", .max), ("-9223372036854775808", .min),
        ("-9223372036854775809", .min),
        ("18446744073709551617", .max), ("99999999999999999999", .max), ("-99999999999999999999", .min),
        ("00000000000000000000000000000007", 7), ("9.2e18", 9_200_000_000_000_000_000), ("9.3e18", .max),
        ("-9.3e18", .min),
        ("1e308", .max), ("-1e308", .min), ("1e309", 0), ("-1e1000", 0), ("1e1000000000000000000000", 0),
        ("1e-1000000000000", 0),
    ])
    func limits(text: String, value: Int64) {
        #expect(IntegerCast.integer(Array(text.utf8)) == value)
    }

    @Test(arguments: [(308, Int64.max), (309, 0), (100_000, 0)])
    func manyNines(count: Int, value: Int64) {
        #expect(IntegerCast.integer([UInt8](repeating: UInt8(ascii: "9"), count: count)) == value)
    }

    @Test func manyZeros() {
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 100_000)
        #expect(IntegerCast.integer(zeros + Array("42".utf8)) == 42)
        #expect(IntegerCast.integer(Array("0.".utf8) + zeros + Array("42".utf8)) == 0)
    }

    /// What is asked of a slice is asked of its bytes only.
    @Test func slices() {
        let bytes = Array("12345".utf8)
        #expect(IntegerCast.integer(bytes[1..<3]) == 23)
        #expect(IntegerCast.integer(bytes[5...]) == 0)
    }
}
