import PHPSemantics
import Testing

/// Ids that PHP's file store accepts; see `session_id_error3`, `bug68063` and `bug75140` in `ext/session/tests`.
@Suite struct SessionIDTests {
    @Test(arguments: [
        "a", "0", ",", "-", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789,-",
        String(repeating: "x", count: 256),
    ])
    func accepted(text: String) {
        #expect(SessionID(Array(text.utf8))?.bytes == Array(text.utf8))
        #expect(SessionID(Array(text.utf8))?.description == text)
    }

    @Test(arguments: [
        "", "!", "?><", "£$%^&*()", "\r\n", "\0", "a\0", "¬``@~:{>?><,./[]+--", ".", "..", "../a", "/a", "a/b", "a b",
        "a\n",
        "a=b", "a;b", "a_b", "é", String(repeating: "x", count: 257),
    ])
    func refused(text: String) {
        #expect(SessionID(Array(text.utf8)) == nil)
    }

    @Test func noOtherByteIsAccepted() {
        let accepted = (UInt8.min ... .max).filter { SessionID([$0]) != nil }
        #expect(
            String(decoding: accepted, as: UTF8.self)
                == ",-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        )
    }
}
