import Coordinator
import EventModel
import PluginABI
import Testing
import TextEncoding

/// One-shot timers in the order of their deadlines, then of their starts.
@Suite struct TimerQueueTests {
    private static let session = TALLY_TIMER_SESSION
    private static let instance = TALLY_TIMER_INSTANCE

    @Test("Timers come by deadline, those of one deadline in the order in which they were started")
    func order() throws {
        var queue = TimerQueue()
        let starts: [Int64] = [30, 10, 20, 10, 30, 10]
        let ids = starts.compactMap { queue.start(deadline: $0, scope: Self.session) }
        let taken = Self.drain(&queue, until: 100)
        #expect(taken == [ids[1], ids[3], ids[5], ids[2], ids[0], ids[4]])
        #expect(queue.nextDeadline == nil && queue.count == 0)
    }

    @Test("A timer is taken once, at its deadline and not before")
    func oneShot() {
        var queue = TimerQueue()
        let id = queue.start(deadline: 50, scope: Self.session)
        #expect(queue.nextDeadline == 50)
        let taken = [49, 50, .max].map { queue.remove(dueAt: $0) }
        #expect(taken.map { $0?.id } == [nil, id, nil])
        #expect(taken[1]?.deadline == 50)
    }

    @Test("A cancelled timer is never taken; cancelling twice, late or for nothing does nothing")
    func cancel() {
        var queue = TimerQueue()
        let ids = (0..<5).compactMap { queue.start(deadline: Int64($0), scope: Self.session) }
        queue.cancel(ids[0])
        queue.cancel(ids[3])
        queue.cancel(ids[3])
        queue.cancel(999)
        #expect(queue.nextDeadline == 1)
        let taken = Self.drain(&queue, until: 10)
        #expect(taken == [ids[1], ids[2], ids[4]])
        queue.cancel(ids[1])
        #expect(queue.count == 0)
    }

    @Test("Postponed timers come in the order of their new deadlines; a deadline that is never stays never")
    func postpone() {
        var queue = TimerQueue()
        let ids = [30, 10, 50, 20, .max].compactMap { queue.start(deadline: $0, scope: Self.session) }
        queue.cancel(ids[3])
        queue.postpone(before: 40, by: 100)
        #expect(queue.nextDeadline == 50)
        queue.postpone(before: .max, by: 1_000)
        #expect(Self.drain(&queue, until: .max - 1) == [ids[2], ids[1], ids[0]])
        #expect(queue.nextDeadline == .max)
    }

    @Test("An id is never given out again, whatever became of its timer")
    func ids() {
        var queue = TimerQueue()
        var seen: Set<UInt64> = []
        for round in 0..<1_000 {
            let id = queue.start(deadline: Int64(round), scope: round % 2 == 0 ? Self.session : Self.instance)
            #expect(seen.insert(id ?? 0).inserted)
            switch round % 5 {
            case 0: queue.cancel(id ?? 0)
            case 1: _ = queue.remove(dueAt: .max)
            case 2: queue.cancelSession()
            case 3: queue.cancelAll()
            default: break
            }
        }
        #expect(!seen.contains(0))
    }

    @Test("The end of a session takes its timers and leaves those of the instance")
    func scopes() {
        var queue = TimerQueue()
        let ids = (0..<8).compactMap { queue.start(deadline: 5, scope: $0 % 2 == 0 ? Self.session : Self.instance) }
        queue.cancelSession()
        #expect(queue.count == 4)
        let taken = Self.drain(&queue, until: 5)
        #expect(taken == [ids[1], ids[3], ids[5], ids[7]])
    }

    @Test("The limit counts timers that are running, and none more start until one has ended")
    func limit() {
        var queue = TimerQueue()
        let ids = (0..<Limits.timers).compactMap { queue.start(deadline: Int64($0), scope: Self.session) }
        #expect(ids.count == Limits.timers)
        let tooMany = queue.start(deadline: 1, scope: Self.session)
        queue.cancel(ids[77])
        let again = [1, 2].map { queue.start(deadline: $0, scope: Self.session) }
        #expect(tooMany == nil && again[0] != nil && again[1] == nil)
    }

    @Test("A million timers started and cancelled before a running one leave nothing behind")
    func compaction() {
        var queue = TimerQueue()
        let near = queue.start(deadline: 1, scope: Self.session)
        for round in 0..<1_000_000 {
            let id = queue.start(deadline: 1 << 50 + Int64(round), scope: Self.session)
            queue.cancel(id ?? 0)
            if queue.storedCount > 200 { break }
        }
        #expect(queue.storedCount <= 200)
        let taken = Self.drain(&queue, until: .max)
        #expect(taken == [near])
    }

    @Test("Timers behave as a sorted list does", arguments: 0..<50)
    func model(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var queue = TimerQueue()
        var model: [(deadline: Int64, id: UInt64, scope: UInt32)] = []
        for _ in 0..<500 {
            switch random.next() % 10 {
            case 0...4:
                let deadline = Int64(random.next() % 40)
                let scope = random.next() % 2 == 0 ? Self.session : Self.instance
                guard let id = queue.start(deadline: deadline, scope: scope) else { continue }
                model.append((deadline, id, scope))
            case 5, 6:
                guard let victim = model.randomElement(using: &random) else { continue }
                queue.cancel(victim.id)
                model.removeAll { $0.id == victim.id }
            case 7 where random.next() % 10 == 0:
                queue.cancelSession()
                model.removeAll { $0.scope == Self.session }
            default:
                let time = Int64(random.next() % 40)
                let next = model.filter { $0.deadline <= time }.min { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
                let taken = queue.remove(dueAt: time)
                #expect(taken?.id == next?.id)
                model.removeAll { $0.id == next?.id }
            }
            #expect(queue.count == model.count)
            #expect(queue.nextDeadline == model.map(\.deadline).min())
        }
    }

    private static func drain(_ queue: inout TimerQueue, until time: Int64) -> [UInt64] {
        var ids: [UInt64] = []
        while let due = queue.remove(dueAt: time) {
            ids.append(due.id)
        }
        return ids
    }
}
