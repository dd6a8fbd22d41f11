/// How much work a password hash takes.
public struct ScryptParameters: Sendable, Equatable, CustomStringConvertible {
    /// Binary logarithm of the number of blocks (N).
    public let logN: Int
    /// Size of a block in units of 128 bytes (r).
    public let blockSize: Int
    /// How often the whole is done (p).
    public let parallelization: Int

    /// OWASP's recommendation that takes the least memory but one: 16 MiB.
    public static let recommended = ScryptParameters(logN: 14, blockSize: 8, parallelization: 5)

    /// Bytes of memory that one hash takes while it is computed.
    public var memory: Int { 128 * blockSize << logN }

    /// Blocks that one hash goes through, which is what its time follows.
    var work: Int { blockSize * parallelization << logN }

    /// Parameters of hashes that together take an amount of work, or as much less as the cheapest block costs.
    func covering(_ work: Int) -> [ScryptParameters] {
        var rest = work
        var result: [ScryptParameters] = []
        for logN in (1...self.logN).reversed() where rest >= blockSize << logN {
            let times = rest / (blockSize << logN)
            result.append(ScryptParameters(logN: logN, blockSize: blockSize, parallelization: times))
            rest %= blockSize << logN
        }
        return result
    }

    private init(logN: Int, blockSize: Int, parallelization: Int) {
        self.logN = logN
        self.blockSize = blockSize
        self.parallelization = parallelization
    }

    /// Reads `ln=14,r=8,p=5`, as it stands in a PHC string and in `IREPORTER_SCRYPT`.
    ///
    /// Nil if it is malformed, or so large that a hash would take more than 256 MiB or some seconds: while PHP runs
    /// beside, anybody can choose a password that reads as a hash, and have it computed by each attempt to log in.
    public init?(_ text: some StringProtocol) {
        var values: [Int] = []
        for (part, name) in zip(text.split(separator: ",", omittingEmptySubsequences: false), ["ln=", "r=", "p="]) {
            guard part.hasPrefix(name), let value = Int(part.dropFirst(name.count)), value > 0 else {
                return nil
            }
            values.append(value)
        }
        guard values.count == 3, text.filter({ $0 == "," }).count == 2, values[0] <= 24, values[1] <= 64,
            values[2] <= 64
        else {
            return nil
        }
        self.init(logN: values[0], blockSize: values[1], parallelization: values[2])
        guard memory <= 1 << 28, memory * parallelization <= 1 << 29 else {
            return nil
        }
    }

    /// The parameters as they stand in a PHC string.
    public var description: String { "ln=\(logN),r=\(blockSize),p=\(parallelization)" }
}
