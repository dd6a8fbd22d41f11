internal import COpenSSL

/// SHA-256, of which the result can be compared or stored where the input is secret.
enum SHA256 {
    /// The 32 bytes of the digest.
    static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        return digest
    }
}

/// MD5, as the smaller backend stored passwords; nothing new is ever stored with it.
enum MD5 {
    /// The digest in hexadecimal, in lower case.
    static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 16)
        unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_md5(), nil)
        let digits = Array("0123456789abcdef".utf8)
        return digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
