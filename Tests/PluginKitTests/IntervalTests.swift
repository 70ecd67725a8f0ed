import PluginKit
import TallyTesting
import Testing

@Suite("Intervals")
struct IntervalTests {
    /// An interval in a box that a script can hold.
    private final class Box: @unchecked Sendable {
        var interval: Interval?
        var fired: [Int64] = []
    }

    private func start(_ box: Box) throws -> FakeHost {
        var script = ScriptedTracker.Script()
        script.begin = { host, _ in box.interval = Interval(every: 10_000_000, host: host) }
        script.handle = { (_, event) throws(TrackerFault) in
            if event.type == .play { box.interval?.start(at: event.time) } else { box.interval?.stop() }
        }
        script.fire = { _, timer, deadline in
            if box.interval?.fires(timer, at: deadline) == true { box.fired.append(deadline) }
        }
        let host = TestLibrary.host(script)
        host.initialize()
        host.enable()
        return host
    }

    @Test func deadlinesAreOnePeriodApartHoweverLateTheyFire() throws {
        let box = Box()
        let host = try start(box)
        host.advance(to: 1_234_567)
        host.send(.play)
        host.advance(to: 1_234_567 + 5 * 10_000_000)
        #expect(host.startedTimers.map(\.deadline) == (1...6).map { 1_234_567 + $0 * 10_000_000 })
        #expect(box.fired == host.startedTimers.prefix(5).map(\.deadline))
    }

    @Test func aTimerOfSomebodyElseIsNotTaken() throws {
        let box = Box()
        let host = try start(box)
        host.send(.play)
        host.fire(5555, at: 3)
        #expect(box.fired.isEmpty)
        #expect(host.startedTimers.count == 1)
    }

    @Test func stoppingCancelsAndStartingBeginsANewRow() throws {
        let box = Box()
        let host = try start(box)
        host.send(.play)
        host.advance(to: 4_000_000)
        host.send(.pause)
        #expect(host.cancelledTimers == [1])
        #expect(box.interval?.isRunning == false)
        host.fire(1, at: 10_000_000)
        #expect(box.fired.isEmpty)
        host.advance(to: 7_000_000)
        host.send(.play)
        #expect(host.startedTimers.last?.deadline == 17_000_000)
        #expect(box.interval?.nextDeadline == 17_000_000)
    }

    @Test func startingTwiceLeavesOneTimer() throws {
        let box = Box()
        let host = try start(box)
        host.send(.play)
        host.advance(to: 1_000_000)
        host.send(.play)
        #expect(host.startedTimers.count == 2)
        #expect(host.cancelledTimers == [1])
    }
}
