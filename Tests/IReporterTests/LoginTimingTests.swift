import FastCGI
import Testing

@testable import IReporter

/// What a log-in costs must not tell whether there is such an account: counted in hashes, since times vary.
@Suite struct LoginTimingTests {
    private static let present = ScryptParameters("ln=6,r=8,p=3")!
    private static let password = Array("secret".utf8)

    /// The hashes that a policy computes.
    private final class Meter: Sendable {
        private let hashes = Locked<[ScryptParameters]>([])

        func policy(_ storage: PasswordPolicy.Storage) -> PasswordPolicy {
            PasswordPolicy(parameters: present, storage: storage) { hash in self.hashes.withLock { $0.append(hash) } }
        }

        /// In the order in which they were computed.
        var counted: [ScryptParameters] { hashes.withLock { $0 } }
    }

    private static func hash(_ password: String, _ parameters: String) -> [UInt8] {
        ScryptHash(password: Array(password.utf8), parameters: ScryptParameters(parameters)!)!.encoded
    }

    /// What may be stored for a name whose owner has another password.
    static let others: [[[UInt8]]] = [
        [], [hash("other", "ln=6,r=8,p=3")], [Array("other".utf8)], [[]], [Array("$md5$".utf8)],
        [Array("$md5$00000000000000000000000000000000".utf8)], [Array("$scrypt$ln=6,r=8,p=3$".utf8)],
        [Array("one".utf8), Array("two".utf8), Array("three".utf8)],
        [Array("one".utf8), hash("other", "ln=6,r=8,p=3"), Array("$md5$".utf8)],
    ]

    @Test(arguments: others, [PasswordPolicy.Storage.hashed, .hashedBesidePlain])
    func wrongPasswordCostsOneHashWhateverIsStored(stored: [[UInt8]], storage: PasswordPolicy.Storage) {
        let meter = Meter()
        #expect(meter.policy(storage).find(Self.password, among: stored) == nil)
        #expect(meter.counted == [Self.present])
    }

    @Test(arguments: [
        hash("secret", "ln=6,r=8,p=3"), password, Array("$md5$5ebe2294ecd0e0f08eab7690d2a6ee69".utf8),
    ])
    func rightPasswordCostsOneHashToo(stored: [UInt8]) {
        for storage in [PasswordPolicy.Storage.hashed, .hashedBesidePlain] {
            let meter = Meter()
            #expect(meter.policy(storage).find(Self.password, among: [stored])?.number == 0)
            #expect(meter.counted == [Self.present])
        }
    }

    @Test(arguments: ["ln=4,r=8,p=1", "ln=6,r=8,p=1", "ln=6,r=4,p=3", "ln=5,r=8,p=5", "ln=1,r=8,p=1"])
    func hashOfLessWorkIsMadeUpFor(parameters: String) {
        let meter = Meter()
        #expect(meter.policy(.hashed).find(Self.password, among: [Self.hash("other", parameters)]) == nil)
        #expect(meter.counted.first?.description == parameters)
        #expect(meter.counted.map(\.work).reduce(0, +) == Self.present.work)
    }

    @Test func workIsCoveredUpToTheCheapestHash() {
        for work in 0...2000 {
            let covered = Self.present.covering(work).map(\.work).reduce(0, +)
            #expect((0..<16).contains(work - covered), "\(work)")
        }
        #expect(Self.present.covering(Self.present.work) == [Self.present])
        #expect(Self.present.covering(-1) == [])
    }

    @Test func plainPasswordsCostNothing() {
        let meter = Meter()
        #expect(meter.policy(.plain).find(Self.password, among: []) == nil)
        #expect(meter.policy(.plain).find(Self.password, among: [Self.password])?.verdict == .matches)
        #expect(meter.counted == [])
    }
}
