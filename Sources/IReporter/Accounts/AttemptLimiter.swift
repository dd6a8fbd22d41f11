internal import FastCGI
internal import Glibc

/// Limits how often a password may be guessed, by token buckets in memory.
///
/// Each address has a bucket, and each account has one. A failed attempt takes a token from both; tokens come back
/// with time. An account's bucket is larger than an address's and fills faster, so nobody can empty it alone; and an
/// address from which the account's owner has logged in lately does not ask the account's bucket, so that many
/// together cannot lock its owner out either. An account is known by its number: which spellings of a name lead to it
/// only the database can tell.
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

    /// An attempt that an address is allowed, and has paid for until it turns out to have been right.
    struct Permit: Sendable {
        fileprivate let address: Int
        fileprivate let network: [UInt8]
    }

    /// What became of an attempt.
    enum Outcome {
        /// The password was right, so this address is the account's owner's.
        case proved(Int64)
        /// The password was tried on these accounts and is none of theirs.
        case failed([Int64])
        /// No password was tried.
        case untried
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

    /// Asks for an attempt from an address, given in text; nil if there were too many.
    func permit(address: [UInt8]) -> Permit? {
        guard limits.perAddress > 0 else {
            return Permit(address: 0, network: [])
        }
        let network = Self.network(of: address)
        let slot = Self.slot(Self.hash(network))
        let now = clock()
        return state.withLock { state in
            refill(&state.addresses[slot], now, Double(limits.refillSeconds))
            guard state.addresses[slot].used + 1 <= Double(limits.perAddress) else {
                return nil
            }
            state.addresses[slot].used += 1
            return Permit(address: slot, network: network)
        }
    }

    /// Whether an attempt may be one at this account, too.
    func allows(_ permit: Permit, on account: Int64) -> Bool {
        guard limits.perAddress > 0 else {
            return true
        }
        let slot = Self.slot(Self.hash(account))
        let now = clock()
        return state.withLock { state in
            refill(&state.accounts[slot], now, Double(limits.refillSeconds) / 5)
            return state.accounts[slot].used + 1 <= Double(limits.perAccount) || trusts(state, permit, account, now)
        }
    }

    /// Says what became of an attempt: one that has failed counts against the accounts, any other is given back.
    func conclude(_ permit: Permit, _ outcome: Outcome) {
        guard limits.perAddress > 0 else {
            return
        }
        let now = clock()
        state.withLock { state in
            switch outcome {
            case .proved(let account):
                let key = Self.trustKey(permit, account)
                state.trusted[Self.slot(key)] = (key, now)
            case .failed(let accounts):
                for account in accounts where !trusts(state, permit, account, now) {
                    let slot = Self.slot(Self.hash(account))
                    refill(&state.accounts[slot], now, Double(limits.refillSeconds) / 5)
                    state.accounts[slot].used += 1
                }
                return
            case .untried:
                break
            }
            state.addresses[permit.address].used = max(0, state.addresses[permit.address].used - 1)
        }
    }

    private func trusts(_ state: State, _ permit: Permit, _ account: Int64, _ now: Int) -> Bool {
        let key = Self.trustKey(permit, account)
        let trust = state.trusted[Self.slot(key)]
        return trust.key == key && now - trust.time < Self.trustSeconds
    }

    private static func trustKey(_ permit: Permit, _ account: Int64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(permit.network)
        hasher.combine(account)
        return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }

    private func refill(_ bucket: inout Bucket, _ now: Int, _ secondsPerToken: Double) {
        bucket.used = max(0, bucket.used - Double(now - bucket.since) / secondsPerToken)
        bucket.since = now
    }

    private static func slot(_ hash: UInt64) -> Int {
        Int(hash % UInt64(tableSize))
    }

    private static func hash(_ value: some Hashable) -> UInt64 {
        UInt64(bitPattern: Int64(value.hashValue))
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
