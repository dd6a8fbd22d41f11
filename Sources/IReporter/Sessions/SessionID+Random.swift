internal import PHPSemantics

extension SessionID {
    /// A new id of PHP's default form, 26 characters of 5 random bits each, from the system's cryptographic source.
    static func random() -> SessionID {
        let alphabet = Array("0123456789abcdefghijklmnopqrstuv".utf8)
        var source = SystemRandomNumberGenerator()
        var characters: [UInt8] = []
        characters.reserveCapacity(26)
        // Each number from the system costs a system call and is good for twelve characters.
        while characters.count < 26 {
            var bits: UInt64 = source.next()
            for _ in 0..<min(12, 26 - characters.count) {
                characters.append(alphabet[Int(bits & 31)])
                bits >>= 5
            }
        }
        guard let id = SessionID(characters) else {
            preconditionFailure("the alphabet is that of session ids")
        }
        return id
    }
}
