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

    private func permit(_ limiter: AttemptLimiter, _ account: String, _ address: String) -> AttemptLimiter.Permit? {
        limiter.permit(account: Array(account.utf8), address: Array(address.utf8))
    }

    @Test func addressHasSoManyAttemptsAndThenOneMoreFromTimeToTime() {
        let limiter = limiter(3)
        for _ in 1...3 {
            #expect(permit(limiter, "bob", "10.0.0.1") != nil)
        }
        #expect(permit(limiter, "eve", "10.0.0.1") == nil)
        #expect(permit(limiter, "bob", "10.0.0.2") != nil, "another address is not held up")
        clock.pass(10)
        #expect(permit(limiter, "bob", "10.0.0.1") != nil)
        #expect(permit(limiter, "bob", "10.0.0.1") == nil)
    }

    @Test func rightPasswordsCostNothing() throws {
        let limiter = limiter(2)
        for _ in 1...100 {
            let granted = try #require(permit(limiter, "bob", "10.0.0.1"))
            limiter.returnPermit(granted, provedOwner: true)
        }
    }

    @Test func manyAddressesTogetherExhaustAnAccountButNotForItsOwner() throws {
        let limiter = limiter(3, 20)
        let owner = try #require(permit(limiter, "bob", "10.9.9.9"))
        limiter.returnPermit(owner, provedOwner: true)
        var allowed = 0
        for number in 0..<200 where permit(limiter, ["bob", "BOB ", "böb"][number % 3], "10.0.1.\(number)") != nil {
            allowed += 1
        }
        #expect(allowed == 20, "spellings make no other account")
        #expect(permit(limiter, "eve", "10.0.2.1") != nil)
        #expect(permit(limiter, "bob", "10.0.2.1") == nil)
        #expect(permit(limiter, "bob", "10.9.9.9") != nil)
    }

    @Test func ownerOfAnAccountWithASimilarNameIsNotTrustedWithThisOne() throws {
        let limiter = limiter(100, 5)
        let neighbour = try #require(permit(limiter, "ⓑob", "10.0.4.1"))
        limiter.returnPermit(neighbour, provedOwner: true)
        var allowed = 0
        for _ in 0..<50 where permit(limiter, "bob", "10.0.4.1") != nil {
            allowed += 1
        }
        #expect(allowed == 5)
        #expect(permit(limiter, "ⓑob", "10.0.4.1") != nil, "trusted with their own")
    }

    @Test func halfOfAnIPv6AddressIsOneAddress() {
        let limiter = limiter(1)
        #expect(permit(limiter, "bob", "2001:db8:0:1::1") != nil)
        #expect(permit(limiter, "bob", "2001:db8:0:1:ffff::2") == nil)
        #expect(permit(limiter, "bob", "2001:db8:0:2::1") != nil)
    }

    @Test func clientsOfAnIPv4AddressInIPv6FormAreNotOneClient() {
        let limiter = limiter(1)
        #expect(permit(limiter, "bob", "::ffff:192.0.2.1") != nil)
        #expect(permit(limiter, "bob", "::ffff:192.0.2.2") != nil)
        #expect(permit(limiter, "bob", "192.0.2.1") == nil, "it is the same in either form")
    }

    @Test func zeroTurnsItOff() {
        let limiter = limiter(0)
        for _ in 1...1000 {
            #expect(permit(limiter, "bob", "10.0.0.1") != nil)
        }
    }

    @Test func hundredThousandAttemptsHoldUpNobodyElse() {
        let limiter = limiter(10, 50)
        var allowed = 0
        for number in 1...100_000 where permit(limiter, "user\(number)", "10.0.0.1") != nil {
            allowed += 1
        }
        #expect(allowed == 10)
        #expect(permit(limiter, "bob", "10.0.0.2") != nil)
    }
}
