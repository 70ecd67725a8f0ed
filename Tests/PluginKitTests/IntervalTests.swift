import PluginABI
import PluginKit
import Testing

@Suite("Intervals")
struct IntervalTests {
    /// An interval in a box that a script can hold.
    private final class Box: @unchecked Sendable {
        var interval: Interval?
        var fired: [Int64] = []
    }

    private func start(_ host: FakeHost, _ box: Box) throws -> HostedTracker {
        var script = ScriptedTracker.Script()
        script.begin = { host, _ in box.interval = Interval(every: 10_000_000, host: host) }
        script.handle = { (_, event) throws(TrackerFault) in
            if event.type == .play { box.interval?.start(at: event.time) } else { box.interval?.stop() }
        }
        script.fire = { _, timer, deadline in
            if box.interval?.fires(timer, at: deadline) == true { box.fired.append(deadline) }
        }
        let tracker = try #require(TestLibrary.tracker(host, script))
        #expect(tracker.start() == TALLY_OK)
        return tracker
    }

    @Test func deadlinesAreOnePeriodApartHoweverLateTheyFire() throws {
        let host = FakeHost()
        let box = Box()
        let tracker = try start(host, box)
        _ = tracker.handle(TestBlock(.play, at: 1_234_567))
        for index in 0..<5 { tracker.fire(host.timers[index]) }
        #expect(host.timers.map(\.deadline) == (1...6).map { 1_234_567 + $0 * 10_000_000 })
        #expect(box.fired == host.timers.prefix(5).map(\.deadline))
    }

    @Test func aTimerOfSomebodyElseIsNotTaken() throws {
        let host = FakeHost()
        let box = Box()
        let tracker = try start(host, box)
        _ = tracker.handle(TestBlock(.play, at: 0))
        tracker.fire(FakeHost.Timer(id: 5555, deadline: 3, scope: 1))
        #expect(box.fired.isEmpty)
        #expect(host.timers.count == 1)
    }

    @Test func stoppingCancelsAndStartingBeginsANewRow() throws {
        let host = FakeHost()
        let box = Box()
        let tracker = try start(host, box)
        _ = tracker.handle(TestBlock(.play, at: 0))
        _ = tracker.handle(TestBlock(.pause, at: 4_000_000))
        #expect(host.cancelled == [100])
        #expect(box.interval?.isRunning == false)
        tracker.fire(host.timers[0])
        #expect(box.fired.isEmpty)
        _ = tracker.handle(TestBlock(.play, at: 7_000_000))
        #expect(host.timers.last?.deadline == 17_000_000)
        #expect(box.interval?.nextDeadline == 17_000_000)
    }

    @Test func startingTwiceLeavesOneTimer() throws {
        let host = FakeHost()
        let box = Box()
        let tracker = try start(host, box)
        _ = tracker.handle(TestBlock(.play, at: 0))
        _ = tracker.handle(TestBlock(.play, at: 1_000_000))
        #expect(host.timers.count == 2)
        #expect(host.cancelled == [100])
    }
}
