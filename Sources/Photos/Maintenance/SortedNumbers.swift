/// Sorts any amount of numbers in bounded memory.
///
/// What does not fit goes to temporary files as sorted runs, which are merged when the numbers are read back.
struct SortedNumbers: Sendable {
    /// Numbers kept in memory before they go to the disk.
    private let capacity: Int
    private let folder: @Sendable () throws(PhotoError) -> Folder
    private var numbers: [UInt64] = []
    private var next = 0
    private var isSorted = false
    private var runs: [SortedRun] = []

    /// How many numbers were added.
    private(set) var count = 0

    /// - Parameters:
    ///   - capacity: Numbers kept in memory; eight bytes each.
    ///   - folder: Where temporary files are made if need be.
    init(capacity: Int, folder: @escaping @Sendable () throws(PhotoError) -> Folder) {
        self.capacity = capacity
        self.folder = folder
    }

    /// Adds a number; all are added before the first is taken.
    mutating func add(_ number: UInt64) throws(PhotoError) {
        precondition(!isSorted, "numbers are added before the first is taken")
        numbers.append(number)
        count += 1
        if numbers.count == capacity {
            numbers.sort()
            runs.append(try SortedRun(numbers, in: folder()))
            numbers.removeAll(keepingCapacity: true)
        }
    }

    /// The smallest number not yet taken, left where it is; nil at the end.
    mutating func peek() throws(PhotoError) -> UInt64? { try smallest()?.number }

    /// Takes the smallest number; nil at the end.
    mutating func take() throws(PhotoError) -> UInt64? {
        guard let (number, run) = try smallest() else { return nil }
        if let run { runs[run].dropHead() } else { next += 1 }
        return number
    }

    /// The smallest number not yet taken, and the run it is in, or nil for those in memory.
    private mutating func smallest() throws(PhotoError) -> (number: UInt64, run: Int?)? {
        if !isSorted {
            numbers.sort()
            isSorted = true
        }
        var smallest: (number: UInt64, run: Int?)?
        if next < numbers.count { smallest = (numbers[next], nil) }
        for run in runs.indices {
            guard let head = try runs[run].head() else { continue }
            if let found = smallest, found.number <= head { continue }
            smallest = (head, run)
        }
        return smallest
    }
}
