import Foundation

/// Something that becomes true once, on any thread.
public final class Flag: @unchecked Sendable {
    // @unchecked: `value` is touched only under `lock`.
    private let lock = NSLock()
    private var value = false

    /// A flag that is not set.
    public init() {}

    /// Whether it is set.
    public var isSet: Bool { lock.withLock { value } }

    /// Sets it.
    public func set() { lock.withLock { value = true } }
}
