import Testing

@testable import Photos

@Suite struct SortedNumbersTests {
    private static func sorted(_ numbers: [UInt64], capacity: Int) throws -> [UInt64] {
        let folder = try TemporaryFolder()
        let path = folder.path
        var sorter = SortedNumbers(capacity: capacity) { () throws(PhotoError) in try Folder(path: path) }
        for number in numbers { try sorter.add(number) }
        #expect(sorter.count == numbers.count)
        var result: [UInt64] = []
        while let number = try sorter.peek() {
            #expect(try sorter.take() == number)
            result.append(number)
        }
        #expect(try sorter.take() == nil)
        #expect(folder.names == [], "temporary files have no names")
        return result
    }

    @Test(arguments: [1, 2, 7, 100, 9999, 10_000, 10_001, 20_000])
    func areTheSameHoweverFewFitInMemory(capacity: Int) throws {
        // Every residue once, in no order; and some twice.
        let numbers = (0..<10_000).map { UInt64($0 * 7919 % 9973) << 20 }
        guard capacity > 2 || capacity == 2 else {
            #expect(try Self.sorted(Array(numbers[..<50]), capacity: capacity) == numbers[..<50].sorted())
            return
        }
        let some = capacity < 100 ? Array(numbers[..<500]) : numbers
        #expect(try Self.sorted(some, capacity: capacity) == some.sorted())
    }

    @Test func extremesSurviveTheDisk() throws {
        #expect(try Self.sorted([.max, 0, 1 << 63, 1], capacity: 2) == [0, 1, 1 << 63, .max])
    }

    @Test func noneIsNone() throws {
        #expect(try Self.sorted([], capacity: 2) == [])
    }
}
