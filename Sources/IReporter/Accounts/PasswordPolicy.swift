internal import COpenSSL

/// How passwords are stored, and how what is stored is compared.
///
/// A stored password is a scrypt hash, `$md5$` and a hexadecimal MD5 (imported from the smaller backend's table), or
/// the password itself, as PHP stored it.
struct PasswordPolicy: Sendable {
    /// The scrypt parameters; nil stores passwords as they are, for PHP to read.
    let scrypt: ScryptParameters?

    /// What comparing a password gives.
    enum Verdict: Equatable {
        /// It is another one.
        case differs
        /// It is the one.
        case matches
        /// It is the one, and ought to be stored anew, in the form that is given.
        case matchesButOutdated(replacement: [UInt8])
    }

    private static let md5Prefix = Array("$md5$".utf8)

    /// The form in which a new password is stored; nil if there was no memory to hash it.
    func encode(_ password: [UInt8]) -> [UInt8]? {
        if scrypt == nil && !Self.looksHashed(password) {
            return password
        }
        // Stored as it is, a password that looks like a hash would be taken for one.
        return ScryptHash(password: password, parameters: scrypt ?? .recommended)?.encoded
    }

    /// Compares a password with what is stored.
    ///
    /// Where passwords are hashed this takes one hash's time, whatever is stored.
    func verify(_ password: [UInt8], stored: [UInt8]) -> Verdict {
        if let hash = ScryptHash(stored) {
            guard hash.matches(password) else {
                return .differs
            }
            return scrypt == nil || scrypt == hash.parameters ? .matches : outdated(password)
        }
        let isMatch =
            stored.starts(with: Self.md5Prefix)
            ? constantTimeEqual(Self.md5Hex(password), Self.lowercased(stored.dropFirst(Self.md5Prefix.count)))
            : constantTimeEqual(password, stored)
        guard isMatch else {
            verifyNothing(password)
            return .differs
        }
        return scrypt == nil ? .matches : outdated(password)
    }

    /// Takes the time of a comparison, for a user who does not exist.
    func verifyNothing(_ password: [UInt8]) {
        if let scrypt {
            _ = ScryptHash(password: password, parameters: scrypt)
        }
    }

    private func outdated(_ password: [UInt8]) -> Verdict {
        encode(password).map { .matchesButOutdated(replacement: $0) } ?? .matches
    }

    private static func looksHashed(_ password: [UInt8]) -> Bool {
        password.starts(with: md5Prefix) || ScryptHash(password) != nil
    }

    private static func md5Hex(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 16)
        unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_md5(), nil)
        let digits = Array("0123456789abcdef".utf8)
        return digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
    }
}
