internal import FastCGI
internal import Glibc

/// Limits how often a password may be guessed, by token buckets in memory.
///
/// Each address has a bucket, and each account has one. A failed attempt takes a token from both; tokens come back
/// with time. An account's bucket is larger than an address's and fills faster, so nobody can empty it alone; and an
/// address from which the account's owner has logged in lately does not ask the account's bucket, so that many
/// together cannot lock its owner out either.
///
/// Buckets live in tables of fixed size, found by a hash that is keyed anew in each process: memory is bounded, and
/// nobody can choose whose bucket they share.
final class AttemptLimiter: Sendable {
    /// How many attempts are allowed.
    struct Limits: Sendable, Equatable {
        /// Failed attempts that an address may make at once; 0 turns the limits off.
        var perAddress = 100
        /// Failed attempts on one account that all addresses together may make at once.
        var perAccount = 500
        /// Seconds after which an address has one attempt more.
        ///
        /// An account has it in a fifth of that.
        var refillSeconds = 10
    }

    /// An attempt that is allowed, and is paid for until it turns out to have been right.
    struct Permit {
        fileprivate let address: Int
        fileprivate let account: Int
        fileprivate let isTrusted: Bool
        fileprivate let trustKey: UInt64
    }

    private struct Bucket {
        var used: Double = 0
        var since = 0
    }

    private struct State {
        var addresses: [Bucket]
        var accounts: [Bucket]
        /// Which address logged in to which account, and when.
        var trusted: [(key: UInt64, time: Int)]
    }

    private static let tableSize = 1 << 16
    private static let mappedPrefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    private static let trustSeconds = 30 * 86_400
    private let limits: Limits
    private let clock: @Sendable () -> Int
    private let state: Locked<State>

    /// Makes a limiter in which nobody has tried anything yet.
    ///
    /// - Parameter clock: seconds on a clock that only goes forward; tests have their own.
    init(_ limits: Limits, clock: @escaping @Sendable () -> Int = monotonicSeconds) {
        self.limits = limits
        self.clock = clock
        let empty = [Bucket](repeating: Bucket(), count: limits.perAddress == 0 ? 0 : Self.tableSize)
        state = Locked(State(addresses: empty, accounts: empty, trusted: empty.map { _ in (0, 0) }))
    }

    /// Asks for an attempt at an account from an address; nil if there were too many.
    ///
    /// - Parameters:
    ///   - account: the name as sent; a spelling that only differs as `FoldedName` says makes no other account of it.
    ///   - address: the client's address in text.
    func permit(account: [UInt8], address: [UInt8]) -> Permit? {
        guard limits.perAddress > 0 else {
            return Permit(address: 0, account: 0, isTrusted: true, trustKey: 0)
        }
        let address = Self.network(of: address)
        // Of the name as sent: whoever owns an account with a name of the same form is not this account's owner.
        let trustKey = Self.hash([account, address])
        let addressSlot = Self.slot(Self.hash([address]))
        let accountSlot = Self.slot(Self.hash([FoldedName(account).bytes]))
        let now = clock()
        return state.withLock { state in
            let trust = state.trusted[Self.slot(trustKey)]
            let isTrusted = trust.key == trustKey && now - trust.time < Self.trustSeconds
            let permit = Permit(address: addressSlot, account: accountSlot, isTrusted: isTrusted, trustKey: trustKey)
            refill(&state.addresses[permit.address], now, Double(limits.refillSeconds))
            refill(&state.accounts[permit.account], now, Double(limits.refillSeconds) / 5)
            guard state.addresses[permit.address].used + 1 <= Double(limits.perAddress),
                permit.isTrusted || state.accounts[permit.account].used + 1 <= Double(limits.perAccount)
            else {
                return nil
            }
            state.addresses[permit.address].used += 1
            if !permit.isTrusted {
                state.accounts[permit.account].used += 1
            }
            return permit
        }
    }

    /// Gives an attempt back that did not fail.
    ///
    /// - Parameter provedOwner: the password was right, so this address is the account's owner's.
    func returnPermit(_ permit: Permit, provedOwner: Bool) {
        guard limits.perAddress > 0 else {
            return
        }
        let now = clock()
        state.withLock { state in
            state.addresses[permit.address].used = max(0, state.addresses[permit.address].used - 1)
            if !permit.isTrusted {
                state.accounts[permit.account].used = max(0, state.accounts[permit.account].used - 1)
            }
            if provedOwner {
                state.trusted[Self.slot(permit.trustKey)] = (permit.trustKey, now)
            }
        }
    }

    private func refill(_ bucket: inout Bucket, _ now: Int, _ secondsPerToken: Double) {
        bucket.used = max(0, bucket.used - Double(now - bucket.since) / secondsPerToken)
        bucket.since = now
    }

    private static func slot(_ hash: UInt64) -> Int {
        Int(hash % UInt64(tableSize))
    }

    private static func hash(_ parts: [[UInt8]]) -> UInt64 {
        var hasher = Hasher()
        for part in parts {
            hasher.combine(part)
        }
        return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }

    /// An IPv4 address as it is; of an IPv6 address the first half, since whoever has one has 2⁶⁴ of them.
    ///
    /// A socket that takes both shows an IPv4 client as `::ffff:192.0.2.1`; all of those have one first half.
    private static func network(of address: [UInt8]) -> [UInt8] {
        var binary = in6_addr()
        guard unsafe inet_pton(AF_INET6, String(decoding: address, as: UTF8.self), &binary) == 1 else {
            return address
        }
        let bytes = unsafe withUnsafeBytes(of: &binary) { unsafe Array($0) }
        guard bytes.starts(with: mappedPrefix) else {
            return Array(bytes.prefix(8))
        }
        return Array(bytes.suffix(4).map(String.init).joined(separator: ".").utf8)
    }
}
