internal import Glibc
internal import PHPSemantics

extension SessionID {
    /// A new id of PHP's default form, 26 characters of 5 random bits each, from the system's cryptographic source.
    static func random() -> SessionID {
        var bytes = [UInt8](repeating: 0, count: 26)
        let status = unsafe bytes.withUnsafeMutableBytes { unsafe getentropy($0.baseAddress!, $0.count) }
        precondition(status == 0, "the system has no random numbers")
        let alphabet: StaticString = "0123456789abcdefghijklmnopqrstuv"
        guard let id = SessionID(bytes.map { unsafe alphabet.utf8Start[Int($0 & 31)] }) else {
            preconditionFailure("the alphabet is that of session ids")
        }
        return id
    }
}
