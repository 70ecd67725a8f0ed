import System
import Testing

/// The lock-free queue of numbers: nothing lost, nothing doubled, each producer's order kept.
@Suite struct IndexRingTests {
    @Test("Numbers come out in the order in which they went in, over many rounds of the ring")
    func order() {
        let ring = IndexRing(capacity: 8)
        defer { ring.deallocate() }
        var next: UInt32 = 0
        for value in 0..<UInt32(1_000) {
            #expect(ring.push(value) == Int(value))
            if value % 3 == 2 {
                for _ in 0..<3 {
                    #expect(ring.pop() == next)
                    next += 1
                }
            }
        }
        #expect(next == 999)
        #expect(ring.pop() == 999 && ring.pop() == nil)
    }

    @Test("A full ring refuses and takes again after one was taken out")
    func full() {
        let ring = IndexRing(capacity: 4)
        defer { ring.deallocate() }
        for value in 0..<UInt32(4) {
            #expect(ring.push(value) != nil)
        }
        #expect(ring.push(99) == nil && ring.push(99) == nil)
        #expect(ring.count == 4)
        #expect(ring.pop() == 0)
        #expect(ring.push(4) != nil && ring.push(99) == nil)
        #expect((0..<5).map { _ in ring.pop() } == [1, 2, 3, 4, nil])
    }

    @Test("Four producers and three consumers lose and double nothing")
    func manyToMany() {
        let producers = 4
        let consumers = 3
        let each = 20_000
        let ring = IndexRing(capacity: 64)
        defer { ring.deallocate() }
        let left = Counter(producers * each)
        let taken = (0..<consumers).map { _ in Notes<[UInt32]>() }
        let threads =
            (0..<producers).map { producer in
                Thread(name: "producer") {
                    for value in 0..<each {
                        while ring.push(UInt32(producer * each + value)) == nil { Counter.yield() }
                    }
                }
            }
            + (0..<consumers).map { consumer in
                Thread(name: "consumer") {
                    var mine: [UInt32] = []
                    while !left.isZero {
                        guard let value = ring.pop() else {
                            Counter.yield()
                            continue
                        }
                        mine.append(value)
                        left.decrement()
                    }
                    taken[consumer].add(mine)
                }
            }
        for thread in threads { thread.join() }
        let lists = taken.compactMap(\.all.first)
        #expect(lists.count == consumers)
        #expect(lists.joined().sorted() == (0..<UInt32(producers * each)).map { $0 })
        for list in lists {
            for producer in 0..<producers {
                let mine = list.filter { Int($0) / each == producer }
                #expect(mine == mine.sorted())
            }
        }
    }
}
