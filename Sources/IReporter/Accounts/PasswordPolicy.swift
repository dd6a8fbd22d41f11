/// How passwords are stored, and how what is stored is compared.
///
/// A stored password is a scrypt hash, `$md5$` and a hexadecimal MD5 (imported from the smaller backend's table), or
/// the password itself, as PHP stored it.
struct PasswordPolicy: Sendable {
    /// What becomes of a password that is stored.
    enum Storage: Sendable {
        /// It is hashed, and so are those found stored otherwise, when their owners log in.
        case hashed
        /// It is stored as it is, for PHP to read.
        case plain
        /// It is hashed, but what PHP reads stays as it is: for the smaller backends beside a PHP that still runs.
        case hashedBesidePlain
    }

    /// The work that a hash takes.
    let parameters: ScryptParameters
    let storage: Storage

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
        // Stored as it is, a password that looks like a hash would be taken for one.
        if case .plain = storage, !Self.looksHashed(password) {
            return password
        }
        return ScryptHash(password: password, parameters: parameters)?.encoded
    }

    /// Compares a password with what is stored.
    ///
    /// Where passwords are hashed this takes one hash's time, whatever is stored.
    func verify(_ password: [UInt8], stored: [UInt8]) -> Verdict {
        if let hash = ScryptHash(stored) {
            guard hash.matches(password) else {
                return .differs
            }
            return hash.parameters == parameters ? .matches : outdated(password)
        }
        // Nobody but this program reads it, so it is replaced even where PHP runs beside.
        let isMD5 = stored.starts(with: Self.md5Prefix)
        let isMatch =
            isMD5
            ? constantTimeEqual(MD5.hexadecimal(password), Self.lowercased(stored.dropFirst(Self.md5Prefix.count)))
            : constantTimeEqual(password, stored)
        guard isMatch else {
            verifyNothing(password)
            return .differs
        }
        if case .hashedBesidePlain = storage, !isMD5 {
            verifyNothing(password)
            return .matches
        }
        return outdated(password)
    }

    /// Takes the time of a comparison, for a user who does not exist.
    func verifyNothing(_ password: [UInt8]) {
        if case .plain = storage {
            return
        }
        _ = ScryptHash(password: password, parameters: parameters)
    }

    private func outdated(_ password: [UInt8]) -> Verdict {
        if case .plain = storage {
            return .matches
        }
        return encode(password).map { .matchesButOutdated(replacement: $0) } ?? .matches
    }

    private static func looksHashed(_ password: [UInt8]) -> Bool {
        password.starts(with: md5Prefix) || ScryptHash(password) != nil
    }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
    }
}
