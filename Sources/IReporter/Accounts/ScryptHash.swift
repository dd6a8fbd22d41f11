internal import COpenSSL

/// A password's scrypt hash in the PHC string format: `$scrypt$ln=14,r=8,p=5$SALT$HASH`, both in base64 without
/// padding.
struct ScryptHash: Equatable {
    let parameters: ScryptParameters
    let salt: [UInt8]
    let digest: [UInt8]

    private static let prefix = "$scrypt$"
    private static let saltLength = 16
    private static let digestLength = 32

    /// Hashes a password with fresh salt; nil if the system has no memory for it.
    init?(password: [UInt8], parameters: ScryptParameters) {
        var source = SystemRandomNumberGenerator()
        let salt = (0..<Self.saltLength).map { _ in UInt8.random(in: 0...255, using: &source) }
        guard let digest = Self.derive(password, salt, parameters, Self.digestLength) else {
            return nil
        }
        self.parameters = parameters
        self.salt = salt
        self.digest = digest
    }

    /// Reads a PHC string; nil if it is none, or none of scrypt.
    init?(_ stored: [UInt8]) {
        let text = String(decoding: stored, as: UTF8.self)
        guard text.hasPrefix(Self.prefix) else {
            return nil
        }
        let parts = text.dropFirst(Self.prefix.count).split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 3, let parameters = ScryptParameters(parts[0]), let salt = Base64.decode(parts[1]),
            let digest = Base64.decode(parts[2]), (8...64).contains(salt.count), (16...64).contains(digest.count)
        else {
            return nil
        }
        self.parameters = parameters
        self.salt = salt
        self.digest = digest
    }

    /// The PHC string.
    var encoded: [UInt8] {
        Array("\(Self.prefix)\(parameters)$\(Base64.encode(salt))$\(Base64.encode(digest))".utf8)
    }

    /// Whether the hash is that of `password`; takes the same time whatever the answer.
    func matches(_ password: [UInt8]) -> Bool {
        guard let derived = Self.derive(password, salt, parameters, digest.count) else {
            return false
        }
        return constantTimeEqual(derived, digest)
    }

    /// The password as it is hashed: as it is, but for one that ends in NUL.
    ///
    /// HMAC, and with it scrypt, fills a key of up to 64 bytes with NULs, so `x` and `x` followed by NUL would be one
    /// password. A longer key is digested first; these passwords are made longer, with their length at the end.
    private static func distinct(_ password: [UInt8]) -> [UInt8] {
        let block = 64
        guard password.count <= block, password.last == 0 else {
            return password
        }
        return password + repeatElement(0, count: block - password.count) + [UInt8(password.count)]
    }

    private static func derive(
        _ password: [UInt8],
        _ salt: [UInt8],
        _ parameters: ScryptParameters,
        _ length: Int
    ) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: length)
        let result = unsafe distinct(password).withUnsafeBytes { password in
            unsafe EVP_PBE_scrypt(
                password.baseAddress?.assumingMemoryBound(to: CChar.self),
                password.count,
                salt,
                salt.count,
                1 << UInt64(parameters.logN),
                UInt64(parameters.blockSize),
                UInt64(parameters.parallelization),
                // OpenSSL counts a little more than the blocks themselves.
                UInt64(parameters.memory) * 2 + 1 << 20,
                &output,
                length
            )
        }
        return result == 1 ? output : nil
    }
}
