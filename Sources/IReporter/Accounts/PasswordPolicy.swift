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
    /// Told of each hash that is computed; tests count the work.
    var willHash: @Sendable (ScryptParameters) -> Void = { _ in }

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

    /// Whether a new password is hashed.
    var hashes: Bool {
        if case .plain = storage { false } else { true }
    }

    /// The form in which a new password is stored; nil if there was no memory to hash it.
    func encode(_ password: [UInt8]) -> [UInt8]? {
        // Stored as it is, a password that looks like a hash would be taken for one.
        if case .plain = storage, !Self.looksHashed(password) {
            return password
        }
        return hash(password)
    }

    /// Compares a password with what is stored for a name: one for each account of that name, or none.
    ///
    /// Where passwords are hashed this takes the time of one hash with the present parameters, whether there is such
    /// an account or not and whatever is stored, so that the time does not tell who exists. There are two exceptions:
    /// several hashes of one name, and a hash that takes more work than the present parameters.
    ///
    /// - Returns: the number of the first one that matches, and how; nil if none does.
    func find(_ password: [UInt8], among stored: [[UInt8]]) -> (number: Int, verdict: Verdict)? {
        var work = 0
        for (number, stored) in stored.enumerated() {
            let verdict = verify(password, stored: stored, work: &work)
            if verdict != .differs {
                return (number, verdict)
            }
        }
        complete(work, password)
        return nil
    }

    /// Compares a password with one that is stored, and adds the work of what was hashed for it to `work`.
    private func verify(_ password: [UInt8], stored: [UInt8], work: inout Int) -> Verdict {
        if let hash = ScryptHash(stored) {
            willHash(hash.parameters)
            work += hash.parameters.work
            guard hash.matches(password) else {
                return .differs
            }
            return hash.parameters == parameters ? .matches : outdated(password)
        }
        let isMD5 = stored.starts(with: Self.md5Prefix)
        let isMatch =
            isMD5
            ? constantTimeEqual(MD5.hexadecimal(password), Self.lowercased(stored.dropFirst(Self.md5Prefix.count)))
            : constantTimeEqual(password, stored)
        guard isMatch else {
            return .differs
        }
        // MD5 is read by nobody but this program, so it is replaced even where PHP runs beside.
        if case .hashedBesidePlain = storage, !isMD5 {
            complete(work, password)
            return .matches
        }
        return outdated(password)
    }

    /// Hashes for nothing until as much work was done as a hash takes.
    private func complete(_ work: Int, _ password: [UInt8]) {
        if case .plain = storage {
            return
        }
        for parameters in parameters.covering(parameters.work - work) {
            willHash(parameters)
            _ = ScryptHash(password: password, parameters: parameters)
        }
    }

    private func outdated(_ password: [UInt8]) -> Verdict {
        if case .plain = storage {
            return .matches
        }
        return hash(password).map { .matchesButOutdated(replacement: $0) } ?? .matches
    }

    private func hash(_ password: [UInt8]) -> [UInt8]? {
        willHash(parameters)
        return ScryptHash(password: password, parameters: parameters)?.encoded
    }

    private static func looksHashed(_ password: [UInt8]) -> Bool {
        password.starts(with: md5Prefix) || ScryptHash(password) != nil
    }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
    }
}
