import Testing

@testable import FastCGI

@Suite struct HeavyLaneTests {
    private final class Item: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    @Test func itemsLeaveInTheOrderOfTheirArrival() {
        let lane = HeavyLane<Item>(capacity: 400)
        var next = 0
        for number in 0..<1000 {
            #expect(lane.append(Item(number)))
            if number % 3 > 0 {
                #expect(lane.next()?.number == next)
                next += 1
            }
        }
        lane.close()
        #expect(lane.count == 1000 - next)
        while let item = lane.next() {
            #expect(item.number == next)
            next += 1
        }
        #expect(next == 1000)
    }

    @Test func fullOrClosedLaneTakesNothing() {
        let lane = HeavyLane<Item>(capacity: 2)
        #expect(lane.append(Item(1)))
        #expect(lane.append(Item(2)))
        #expect(!lane.append(Item(3)))
        #expect(lane.takeFirst { $0.number == 2 } == nil)
        #expect(lane.takeFirst { $0.number == 1 }?.number == 1)
        #expect(lane.append(Item(3)))
        lane.close()
        #expect(!lane.append(Item(4)))
        #expect(lane.next()?.number == 2)
        #expect(lane.next()?.number == 3)
        #expect(lane.next() == nil)
    }

    /// Files and passwords of requests that are answered must not stay as long as somebody else waits.
    @Test func whatWasTakenIsNotKept() {
        let lane = HeavyLane<Item>(capacity: 10)
        weak var first: Item?
        do {
            let item = Item(1)
            first = item
            _ = lane.append(item)
        }
        _ = lane.append(Item(2))
        #expect(first != nil)
        #expect(lane.next()?.number == 1)
        #expect(first == nil)
        #expect(lane.count == 1)
    }
}
