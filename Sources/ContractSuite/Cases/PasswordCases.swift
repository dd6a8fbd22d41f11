/// Numbers that are the same in every run (Vigna's SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}

extension ContractSuite {
    /// Passwords as the iPhone client makes them: the 20 bytes of a digest, read as Latin-1 and sent as UTF-8.
    ///
    /// A digest's bytes are as good as random ones, so these are random; the last ones hold what is awkward.
    static let passwordCases: [ContractCase] = {
        var numbers = SeededNumbers(seed: 20_110_516)
        var digests = (1...24).map { number in
            (label: "random-\(number)", bytes: (0..<20).map { _ in UInt8.random(in: 0...255, using: &numbers) })
        }
        let awkward: [(String, [UInt8])] = [
            ("nul-first", [0]), ("nul-inside", [0x41, 0, 0x42]), ("line-ends", [0x0d, 0x0a, 0x0d, 0x0a]),
            ("line-end-and-hyphens", [0x0d, 0x0a, 0x2d, 0x2d]), ("quotes", [0x22, 0x27, 0x5c, 0x60]),
            ("plus-and-per-cent", [0x2b, 0x25, 0x25, 0x34, 0x31]), ("nul-encoded-again", [0x25, 0x30, 0x30]),
            ("ampersand-and-equals", [0x26, 0x3d, 0x3b]), ("like-a-boundary", Array("--Boundary+0xAbCdEf".utf8)),
        ]
        digests += awkward.map { label, bytes in
            let filler = (bytes.count..<20).map { _ in UInt8.random(in: 0x61...0x7a, using: &numbers) }
            return (label, bytes + filler)
        }
        return digests.map { label, digest in
            ContractCase(
                "password/iphone/\(label)",
                onPurpose: fits(asUTF8(digest)) ? nil : Reason.narrowColumn,
                passwordSteps(asUTF8(digest))
            )
        } + [
            ContractCase("password/every-printable-byte", passwordSteps(Array(0x21...0x40))),
            ContractCase("password/spaces-only", passwordSteps([0x20, 0x20, 0x20])),
            ContractCase("password/zero", passwordSteps([0x30])),
        ]
    }()

    private static func passwordSteps(_ password: [UInt8]) -> [Step] {
        let bob: Template = "\(name: "bob")"
        func request(_ command: Template) -> ContractRequest {
            .parts(
                .field("command", command),
                .field("username", bob),
                .field("password", Template(bytes: password))
            )
        }
        let success = ReplyRule.account("bob", bob)
        let fits = fits(password)
        return [
            Step(
                request("register"),
                success,
                original: fits ? nil : .oneOf([success, .errorOrFailure("Registration failed")])
            ),
            Step(
                request("login"),
                success,
                original: fits ? nil : .oneOf([success, .errorOrFailure("Authorization failed")]),
                forgettingCookies: true
            ),
        ]
    }

    private static func asUTF8(_ latin1: [UInt8]) -> [UInt8] {
        Array(String(String.UnicodeScalarView(latin1.map { Unicode.Scalar($0) })).utf8)
    }

    /// Whether MariaDB converts a password, once decoded, from UTF-8 to its latin1 without loss.
    private static func fits(_ password: [UInt8]) -> Bool {
        guard let text = String(validating: urlDecoded(password), as: UTF8.self) else { return false }
        // Its latin1 is Windows-1252, where these five stand for themselves.
        let holes: Set<UInt32> = [0x81, 0x8d, 0x8f, 0x90, 0x9d]
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.value < 0x80 || (0xa0...0xff).contains(scalar.value) || holes.contains(scalar.value)
        }
    }
}
