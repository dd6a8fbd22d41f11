import Testing

@testable import IReporter

extension PasswordPolicy {
    /// Compares a password with the only one that is stored.
    func verify(_ password: [UInt8], stored: [UInt8]) -> Verdict {
        find(password, among: [stored])?.verdict ?? .differs
    }
}

@Suite struct PasswordTests {
    /// Little work, so that tests are quick.
    private static let quick = ScryptParameters("ln=4,r=8,p=1")!

    @Test(arguments: [
        ("ln=18,r=8,p=1", true), ("ln=18,r=8,p=2", true), ("ln=18,r=8,p=3", false), ("ln=19,r=8,p=1", false),
        ("ln=17,r=8,p=4", true), ("ln=20,r=8,p=4", false), ("ln=24,r=64,p=64", false),
    ])
    func workIsBounded(parameters: String, isAllowed: Bool) {
        #expect((ScryptParameters(parameters) != nil) == isAllowed)
        // What is stored and reads as such a hash is somebody's password as PHP stored it, and costs nothing.
        let stored = "$scrypt$\(parameters)$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        #expect((ScryptHash(Array(stored.utf8)) != nil) == isAllowed)
    }
    private let hashing = PasswordPolicy(parameters: quick, storage: .hashed)
    private let plain = PasswordPolicy(parameters: quick, storage: .plain)

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// RFC 7914, section 12.
    @Test(arguments: [
        (
            "$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA",
            "password", false
        ),
        (
            "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr55h6F3A1lHkDfzwF7RVdYhw",
            "pleaseletmein", true
        ),
    ])
    func knownHashIsRecognized(stored: String, password: String, isReadable: Bool) throws {
        // The first has a salt of four bytes, which nobody should store: it is not taken for a hash.
        let hash = ScryptHash(bytes(stored))
        #expect((hash != nil) == isReadable)
        if let hash {
            // OpenSSL's memory limit and r and p are read from the string.
            #expect(hash.matches(bytes(password)))
            #expect(!hash.matches(bytes(password + "x")))
            #expect(hash.encoded == bytes(stored))
        }
    }

    @Test func hashIsAPHCStringWithFreshSalt() throws {
        let first = try #require(hashing.encode(bytes("secret")))
        let second = try #require(hashing.encode(bytes("secret")))
        #expect(first != second)
        let text = String(decoding: first, as: UTF8.self)
        #expect(text.wholeMatch(of: /\$scrypt\$ln=4,r=8,p=1\$[A-Za-z0-9+\/]{22}\$[A-Za-z0-9+\/]{43}/) != nil, "\(text)")
    }

    @Test func recommendedHashFitsTheColumn() throws {
        let policy = PasswordPolicy(parameters: .recommended, storage: .hashed)
        #expect(try #require(policy.encode(bytes("x"))).count <= PasswordColumn.hashLength)
        #expect(ScryptParameters.recommended.memory == 16 * 1024 * 1024)
    }

    @Test(arguments: [[UInt8](), [0], [0, 0], Array(0...255), Array("$scrypt$".utf8), Array("$md5$".utf8)])
    func everyPasswordMatchesItselfAlone(password: [UInt8]) throws {
        for policy in [hashing, plain] {
            let stored = try #require(policy.encode(password))
            #expect(policy.verify(password, stored: stored) == .matches)
            #expect(policy.verify(password + [0], stored: stored) == .differs)
            #expect(policy.verify(password.dropLast() + [7], stored: stored) == .differs)
        }
    }

    @Test func hashItselfOpensNothing() throws {
        let stored = try #require(hashing.encode(bytes("secret")))
        for policy in [hashing, plain] {
            #expect(policy.verify(stored, stored: stored) == .differs)
        }
        #expect(
            plain.verify(
                bytes("$md5$5ebe2294ecd0e0f08eab7690d2a6ee69"),
                stored: bytes("$md5$5ebe2294ecd0e0f08eab7690d2a6ee69")
            ) == .differs
        )
    }

    @Test func passwordThatLooksLikeAHashIsNotStoredAsItIs() throws {
        let lookalike = try #require(hashing.encode(bytes("secret")))
        let stored = try #require(plain.encode(lookalike))
        #expect(stored != lookalike)
        #expect(plain.verify(lookalike, stored: stored) == .matches)
        #expect(plain.verify(bytes("secret"), stored: stored) == .differs)
    }

    @Test(arguments: [
        "secret", "$md5$5ebe2294ecd0e0f08eab7690d2a6ee69", "$md5$5EBE2294ECD0E0F08EAB7690D2A6EE69",
    ])
    func outdatedFormIsReplacedWhereHashesAreKept(stored: String) throws {
        guard case .matchesButOutdated(let replacement) = hashing.verify(bytes("secret"), stored: bytes(stored)) else {
            Issue.record("not outdated")
            return
        }
        #expect(hashing.verify(bytes("secret"), stored: replacement) == .matches)
        #expect(hashing.verify(bytes("Secret"), stored: bytes(stored)) == .differs)
        #expect(plain.verify(bytes("secret"), stored: bytes(stored)) == .matches)
    }

    @Test func besidePHPNewPasswordsAreHashedAndOthersStay() throws {
        let beside = PasswordPolicy(parameters: Self.quick, storage: .hashedBesidePlain)
        let stored = try #require(beside.encode(bytes("secret")))
        #expect(ScryptHash(stored) != nil)
        #expect(beside.verify(bytes("secret"), stored: stored) == .matches)
        #expect(beside.verify(bytes("secret"), stored: bytes("secret")) == .matches)
        #expect(beside.verify(bytes("other"), stored: bytes("secret")) == .differs)
    }

    @Test func changedParametersReplaceTheHash() throws {
        let other = PasswordPolicy(parameters: ScryptParameters("ln=5,r=8,p=1")!, storage: .hashed)
        let stored = try #require(hashing.encode(bytes("secret")))
        guard case .matchesButOutdated(let replacement) = other.verify(bytes("secret"), stored: stored) else {
            Issue.record("not outdated")
            return
        }
        #expect(String(decoding: replacement, as: UTF8.self).hasPrefix("$scrypt$ln=5,r=8,p=1$"))
    }

    @Test(arguments: [
        "", "ln=14", "ln=14,r=8", "ln=14,r=8,p=5,x=1", "ln=0,r=8,p=1", "ln=25,r=8,p=1", "ln=24,r=64,p=1",
        "r=8,ln=14,p=5",
        "ln=14,r=8,p=-5", "ln=14,r=8,p=5,", "N=16384,r=8,p=5",
    ])
    func parametersOutOfBoundsAreRefused(text: String) {
        #expect(ScryptParameters(text) == nil)
    }

    @Test(arguments: [
        "$scrypt$", "$scrypt$ln=4,r=8,p=1$$", "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA",
        "$scrypt$ln=4,r=8,p=1$A A$AA",
    ])
    func malformedHashIsAPassword(stored: String) {
        #expect(ScryptHash(bytes(stored)) == nil)
        #expect(plain.verify(bytes(stored), stored: bytes(stored)) == .matches)
    }

    @Test(arguments: 0...40)
    func base64ReturnsWhatItWasGiven(length: Int) {
        let input = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
        #expect(Base64.decode(Base64.encode(input)) == input)
        #expect(!Base64.encode(input).contains("="))
    }

    @Test(arguments: ["A", "AB=", "A-", "AAAA\n", "AB", "é"])
    func base64RefusesWhatItNeverMakes(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
