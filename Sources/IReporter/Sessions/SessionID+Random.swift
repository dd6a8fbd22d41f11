internal import PHPSemantics

extension SessionID {
    /// A new id of PHP's default form, 26 characters of 5 random bits each, from the system's cryptographic source.
    static func random() -> SessionID {
        let alphabet = Array("0123456789abcdefghijklmnopqrstuv".utf8)
        var source = SystemRandomNumberGenerator()
        let characters = (0..<26).map { _ in alphabet[Int(source.next() & 31 as UInt64)] }
        guard let id = SessionID(characters) else {
            preconditionFailure("the alphabet is that of session ids")
        }
        return id
    }
}
