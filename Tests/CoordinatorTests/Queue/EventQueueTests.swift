import EventModel
import Tally
import Testing

/// The queue between track calls and the coordinator.
@Suite struct EventQueueTests {
    @Test("Four producers lose and double nothing, and each one's events stay in order")
    func producers() {
        let producers = 4
        let each = 20_000
        let queue = EventQueue()
        defer { queue.deallocate() }
        let threads = (0..<producers).map { producer in
            Thread(name: "producer") {
                for value in 0..<each {
                    let slot = Self.claim(queue, large: value % 500 == 0)
                    Self.write(UInt64(producer * each + value), to: slot)
                    queue.publish(slot)
                }
            }
        }
        var seen: [UInt64] = []
        while seen.count < producers * each {
            guard let slot = queue.next() else {
                queue.wait(microseconds: 60_000_000)
                continue
            }
            seen.append(Self.read(slot))
            queue.release(slot)
        }
        for thread in threads { thread.join() }
        #expect(queue.next() == nil && queue.count == 0)
        #expect(seen.sorted() == (0..<UInt64(producers * each)).map { $0 })
        for producer in 0..<producers {
            let mine = seen.filter { Int($0) / each == producer }
            #expect(mine == mine.sorted())
        }
    }

    @Test("A full queue refuses, its fill tells how full it is, and a released slot can be claimed again")
    func full() throws {
        let queue = EventQueue()
        defer { queue.deallocate() }
        for number in 0..<EventQueue.slots {
            let slot = try #require(queue.claim())
            #expect(slot.capacity == EventQueue.slotBytes)
            Self.write(UInt64(number), to: slot)
            queue.publish(slot)
            if number == EventQueue.slots / 2 - 1 {
                #expect(queue.fillPermille == 500)
            }
        }
        #expect(queue.fillPermille == 1000)
        #expect(queue.claim() == nil)
        let first = try #require(queue.next())
        #expect(Self.read(first) == 0)
        #expect(queue.claim() == nil)
        queue.release(first)
        #expect(queue.claim() != nil)
        #expect(queue.claim() == nil)
    }

    @Test("Large slots are apart from the ordinary ones and hold the largest event")
    func large() throws {
        let queue = EventQueue()
        defer { queue.deallocate() }
        var slots: [EventSlot] = []
        while let slot = queue.claimLarge() {
            slots.append(slot)
        }
        #expect(slots.count == EventQueue.largeSlots)
        #expect(slots.allSatisfy { $0.capacity == Limits.eventBytes })
        for (number, slot) in slots.enumerated() {
            for offset in stride(from: 0, to: slot.capacity, by: 8) {
                unsafe slot.base.storeBytes(of: UInt64(number), toByteOffset: offset, as: UInt64.self)
            }
        }
        let ordinary = try #require(queue.claim())
        queue.publish(ordinary)
        for slot in slots { queue.publish(slot) }
        _ = queue.next().map(queue.release)
        for number in 0..<slots.count {
            let slot = try #require(queue.next())
            let last = unsafe slot.base.load(fromByteOffset: slot.capacity - 8, as: UInt64.self)
            #expect(Self.read(slot) == UInt64(number) && last == UInt64(number))
            queue.release(slot)
        }
        #expect(queue.claimLarge() != nil)
    }

    @Test("All slots, small and large, can wait at once")
    func everything() {
        let queue = EventQueue()
        defer { queue.deallocate() }
        while let slot = queue.claim() { queue.publish(slot) }
        while let slot = queue.claimLarge() { queue.publish(slot) }
        #expect(queue.count == EventQueue.slots + EventQueue.largeSlots)
        var count = 0
        while let slot = queue.next() {
            queue.release(slot)
            count += 1
        }
        #expect(count == EventQueue.slots + EventQueue.largeSlots)
    }

    @Test("An event wakes a coordinator that sleeps", arguments: [false, true])
    func wakes(busyBefore: Bool) {
        let queue = EventQueue()
        defer { queue.deallocate() }
        if busyBefore, let slot = queue.claim() {
            // After work the coordinator naps before it sleeps.
            queue.publish(slot)
            _ = queue.next().map(queue.release)
        }
        let asleep = Gate()
        let woken = Notes<Int>()
        let sleeper = Thread(name: "sleeper") {
            asleep.open()
            for round in 0..<200 {
                while queue.count == 0 { queue.wait(microseconds: 600_000_000) }
                while let slot = queue.next() { queue.release(slot) }
                woken.add(round)
            }
        }
        asleep.pass()
        for round in 0..<200 {
            guard let slot = queue.claim() else { break }
            queue.publish(slot)
            #expect(woken.wait(for: round + 1))
        }
        sleeper.join()
        #expect(woken.all.count == 200)
    }

    @Test("An interrupt wakes a coordinator that sleeps, and one that is about to")
    func interrupt() {
        let queue = EventQueue()
        defer { queue.deallocate() }
        queue.interrupt()
        queue.wait(microseconds: 600_000_000)
        let woken = Notes<Bool>()
        let sleeper = Thread(name: "sleeper") {
            queue.wait(microseconds: 600_000_000)
            woken.add(true)
        }
        queue.interrupt()
        sleeper.join()
        #expect(woken.all == [true])
    }

    private static func claim(_ queue: EventQueue, large: Bool) -> EventSlot {
        while true {
            if let slot = large ? queue.claimLarge() : queue.claim() { return slot }
            Counter.yield()
        }
    }

    private static func write(_ value: UInt64, to slot: EventSlot) {
        unsafe slot.base.storeBytes(of: value, as: UInt64.self)
    }

    private static func read(_ slot: EventSlot) -> UInt64 {
        unsafe slot.base.load(as: UInt64.self)
    }
}
