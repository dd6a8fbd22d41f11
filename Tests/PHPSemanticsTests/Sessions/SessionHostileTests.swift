import PHPSemantics
import Testing

/// Files that are planted to cost time, memory or stack.
@Suite struct SessionHostileTests {
    private static func nested(_ levels: Int, opening: String, closing: String = "}") -> [UInt8] {
        Array(("IdUser|i:7;a|" + String(repeating: opening, count: levels) + "N;").utf8)
            + Array(String(repeating: closing, count: levels).utf8)
    }

    /// PHP gives up beyond 4096 levels.
    @Test(arguments: [(1, true), (4096, true), (4097, false), (1_000_000, false)])
    func nestedArrays(levels: Int, isReadable: Bool) {
        let session = SessionData(decoding: Self.nested(levels, opening: "a:1:{i:0;"))
        #expect(session.loggedInUser() == (isReadable ? 7 : nil))
    }

    @Test(arguments: [(4096, true), (4097, false), (1_000_000, false)])
    func nestedObjects(levels: Int, isReadable: Bool) {
        let session = SessionData(decoding: Self.nested(levels, opening: "O:1:\"A\":1:{i:0;"))
        #expect(session.loggedInUser() == (isReadable ? 7 : nil))
    }

    /// PHP counts an empty object as a level, but not an empty array.
    @Test func emptyContainersAtTheLimit() {
        let array = Self.nested(4096, opening: "a:1:{i:0;", closing: "}").map { $0 }
        let text = String(decoding: array, as: UTF8.self)
        #expect(SessionData(decoding: Array(text.replacing("N;", with: "a:0:{}").utf8)).loggedInUser() == 7)
        #expect(SessionData(decoding: Array(text.replacing("N;", with: "O:1:\"A\":0:{}").utf8)).loggedInUser() == nil)
    }

    /// A count is believed only as far as there are bytes for it.
    @Test func openingsWithoutEnd() {
        let bytes = Array(("IdUser|i:7;a|" + String(repeating: "a:999999999:{i:0;", count: 100_000)).utf8)
        #expect(SessionData(decoding: bytes).isEmpty)
    }

    @Test func manyKeysAndValues() {
        let keys = (0..<50_000).map { "k\($0)|i:\($0);" }.joined()
        #expect(SessionData(decoding: Array((keys + "IdUser|R:8;").utf8)).loggedInUser() == 7)
        let elements = (0..<100_000).map { "i:\($0);N;" }.joined()
        #expect(SessionData(decoding: Array("a|a:100000:{\(elements)}IdUser|i:7;".utf8)).loggedInUser() == 7)
    }
}
