internal import COpenSSL

/// Whether two byte strings are equal, in a time that tells nothing of where they differ.
///
/// Their lengths are not secret.
func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    unsafe left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}
