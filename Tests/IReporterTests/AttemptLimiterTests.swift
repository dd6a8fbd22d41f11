import Synchronization
import Testing

@testable import IReporter

@Suite struct AttemptLimiterTests {
    private final class Clock: Sendable {
        let now = Atomic<Int>(1000)
        func pass(_ seconds: Int) { now.wrappingAdd(seconds, ordering: .relaxed) }
    }

    private let clock = Clock()

    private func limiter(_ perAddress: Int, _ perAccount: Int = 1000) -> AttemptLimiter {
        let clock = clock
        return AttemptLimiter(.init(perAddress: perAddress, perAccount: perAccount, refillSeconds: 10)) {
            clock.now.load(ordering: .relaxed)
        }
    }

    private func permit(_ limiter: AttemptLimiter, _ address: String) -> AttemptLimiter.Permit? {
        limiter.permit(address: Array(address.utf8))
    }

    /// Whether an address may try a password on an account; if so it is a wrong one.
    private func fails(_ limiter: AttemptLimiter, at account: Int64, from address: String) -> Bool {
        guard let permit = permit(limiter, address) else {
            return false
        }
        guard limiter.allows(permit, on: account) else {
            limiter.conclude(permit, .untried)
            return false
        }
        limiter.conclude(permit, .failed([account]))
        return true
    }

    @Test func addressHasSoManyAttemptsAndThenOneMoreFromTimeToTime() {
        let limiter = limiter(3)
        for _ in 1...3 {
            #expect(permit(limiter, "10.0.0.1") != nil)
        }
        #expect(permit(limiter, "10.0.0.1") == nil)
        #expect(permit(limiter, "10.0.0.2") != nil, "another address is not held up")
        clock.pass(10)
        #expect(permit(limiter, "10.0.0.1") != nil)
        #expect(permit(limiter, "10.0.0.1") == nil)
    }

    @Test func rightPasswordsAndThoseNotTriedCostNothing() throws {
        let limiter = limiter(2)
        for number in 1...100 {
            let granted = try #require(permit(limiter, "10.0.0.1"))
            limiter.conclude(granted, number % 2 == 0 ? .proved(1) : .untried)
        }
    }

    @Test func manyAddressesTogetherExhaustAnAccountButNotForItsOwner() throws {
        let limiter = limiter(3, 20)
        let owner = try #require(permit(limiter, "10.9.9.9"))
        limiter.conclude(owner, .proved(1))
        var allowed = 0
        for number in 0..<200 where fails(limiter, at: 1, from: "10.0.1.\(number)") {
            allowed += 1
        }
        #expect(allowed == 20)
        #expect(fails(limiter, at: 2, from: "10.0.2.1"), "another account")
        #expect(!fails(limiter, at: 1, from: "10.0.2.1"))
        #expect(fails(limiter, at: 1, from: "10.9.9.9"))
        clock.pass(2)
        #expect(fails(limiter, at: 1, from: "10.0.2.1"), "one more in a fifth of the time")
        #expect(!fails(limiter, at: 1, from: "10.0.2.1"))
    }

    @Test func trustEndsAfterAMonth() throws {
        let limiter = limiter(100, 1)
        limiter.conclude(try #require(permit(limiter, "10.0.0.1")), .proved(1))
        #expect(fails(limiter, at: 1, from: "10.0.0.2"))
        clock.pass(30 * 86_400 - 1)
        #expect(fails(limiter, at: 1, from: "10.0.0.2"))
        #expect(fails(limiter, at: 1, from: "10.0.0.1"))
        #expect(fails(limiter, at: 1, from: "10.0.0.1"))
        clock.pass(1)
        #expect(!fails(limiter, at: 1, from: "10.0.0.1"))
    }

    @Test func allAccountsOfANameCount() throws {
        let limiter = limiter(100, 2)
        for _ in 1...2 {
            limiter.conclude(try #require(permit(limiter, "10.0.0.1")), .failed([1, 2]))
        }
        #expect(!fails(limiter, at: 1, from: "10.0.0.2"))
        #expect(!fails(limiter, at: 2, from: "10.0.0.2"))
        #expect(fails(limiter, at: 3, from: "10.0.0.2"))
    }

    @Test func halfOfAnIPv6AddressIsOneAddress() {
        let limiter = limiter(1)
        #expect(permit(limiter, "2001:db8:0:1::1") != nil)
        #expect(permit(limiter, "2001:db8:0:1:ffff::2") == nil)
        #expect(permit(limiter, "2001:db8:0:2::1") != nil)
    }

    @Test func clientsOfAnIPv4AddressInIPv6FormAreNotOneClient() {
        let limiter = limiter(1)
        #expect(permit(limiter, "::ffff:192.0.2.1") != nil)
        #expect(permit(limiter, "::ffff:192.0.2.2") != nil)
        #expect(permit(limiter, "192.0.2.1") == nil, "it is the same in either form")
    }

    @Test func zeroTurnsItOff() {
        let limiter = limiter(0)
        for _ in 1...1000 {
            #expect(fails(limiter, at: 1, from: "10.0.0.1"))
        }
    }

    @Test func hundredThousandAttemptsHoldUpNobodyElse() {
        let limiter = limiter(10, 50)
        var allowed = 0
        for number in 1...100_000 where fails(limiter, at: Int64(number), from: "10.0.0.1") {
            allowed += 1
        }
        #expect(allowed == 10)
        #expect(permit(limiter, "10.0.0.2") != nil)
    }
}
