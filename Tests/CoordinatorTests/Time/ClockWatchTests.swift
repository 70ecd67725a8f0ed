import EventModel
import System
import Tally
import Testing

/// A machine that slept, a process that was stopped and a wall clock that was set are told apart, and from ordinary life.
@Suite struct ClockWatchTests {
    private static let second: Int64 = 1_000_000
    private static let hour: Int64 = 3_600_000_000

    /// The clocks at a time of the run, after so much sleep and with the wall clock set by so much.
    private static func reading(_ time: Int64, slept: Int64 = 0, set: Int64 = 0) -> ClockReading {
        ClockReading(wall: 7_000 + time + set, boot: 500 + time, monotonic: 400 + time - slept)
    }

    private static func suspended(_ time: Int64, _ length: Int64) -> ClockWatch.Finding {
        ClockWatch.Finding(type: .systemSuspended, time: time, microseconds: length)
    }

    @Test("Clocks are read once a second, and after each gap that is long enough for a sleep")
    func due() {
        let watch = WatchedClocks(Self.reading(0))
        for time: Int64 in [250_000, 500_000, 750_000] { #expect(!watch.isDue(at: time)) }
        #expect(watch.isDue(at: 1_000_000))
        #expect(watch.findings(before: 1_000_000, now: 1_000_000, Self.reading(1_000_000)) == [])
        #expect(!watch.isDue(at: 1_500_000))
        #expect(watch.isDue(at: 2_000_001))
    }

    @Test("Clocks that go as they did tell nothing, be it for an hour")
    func quiet() {
        let watch = WatchedClocks(Self.reading(0))
        #expect(watch.findings(before: Self.hour, now: Self.hour, Self.reading(Self.hour, slept: 400_000)) == [])
    }

    @Test("A wall clock that was set tells by how much, once", arguments: [Int64(3_600_000_000), -700_000])
    func step(microseconds: Int64) {
        let watch = WatchedClocks(Self.reading(0))
        let after = Self.reading(Self.second, set: microseconds)
        let step = ClockWatch.Finding(type: .clockStep, time: Self.second, microseconds: microseconds)
        #expect(watch.findings(before: Self.second, now: Self.second, after) == [step])
        #expect(watch.findings(before: Self.second, now: Self.second, after) == [])
    }

    @Test("A wall clock that is set during playback is told within a second, be there samples all the time")
    func stepDuringPlayback() throws {
        let watch = WatchedClocks(Self.reading(0))
        var found: [ClockWatch.Finding] = []
        for time in stride(from: Int64(250_000), through: 5 * Self.second, by: 250_000) where watch.isDue(at: time) {
            let set = time > 2_100_000 ? -Self.hour : 0
            found += watch.findings(before: time, now: time, Self.reading(time, set: set))
        }
        #expect(found.map(\.microseconds) == [-Self.hour])
        #expect(try #require(found.first).time <= 3_100_000)
    }

    @Test("A sleep is dated where it began, tells for how long, and is no step of the clock")
    func sleep() {
        let watch = WatchedClocks(Self.reading(0))
        #expect(!watch.isDue(at: 200_000))
        let woken = 300_000 + Self.hour
        let after = Self.reading(woken, slept: Self.hour)
        #expect(watch.isDue(at: woken))
        #expect(watch.findings(before: woken, now: woken + 90, after) == [Self.suspended(300_000, Self.hour)])
        #expect(watch.findings(before: woken, now: woken + 90, after) == [])
    }

    @Test("A sleep during which the clock was set tells both")
    func both() {
        let watch = WatchedClocks(Self.reading(0))
        let found = watch.findings(
            before: 61 * Self.second,
            now: 61 * Self.second,
            Self.reading(61 * Self.second, slept: 60 * Self.second, set: 9 * Self.second)
        )
        #expect(found.map(\.type) == [.systemSuspended, .clockStep])
        #expect(found.map(\.microseconds) == [60 * Self.second, 9 * Self.second])
    }

    @Test("An event that was queued before the sleep is not taken for one after it")
    func queuedBefore() {
        let watch = WatchedClocks(Self.reading(0))
        let woken = Self.second + Self.hour
        let after = Self.reading(woken, slept: Self.hour)
        #expect(watch.isDue(at: 900_000))
        #expect(watch.findings(before: 900_000, now: woken, after) == [])
        #expect(watch.findings(before: woken, now: woken, after) == [Self.suspended(Self.second, Self.hour)])
    }

    @Test("Of two sleeps each is told, though both are over when the first event after them is handled")
    func twoAtOnce() {
        let watch = WatchedClocks(Self.reading(0))
        let between = Self.second + Self.hour
        let now = between + 100_000 + 2 * Self.hour
        let after = Self.reading(now, slept: 3 * Self.hour)
        let found = watch.findings(before: between, now: now, after) + watch.findings(before: now, now: now, after)
        #expect(found.map(\.time) == [0, between + 100_000 + Self.second])
        #expect(found.map(\.microseconds) == [between, 2 * Self.hour - Self.second])
    }

    @Test("Naps too short to be told do not add up to a sleep in the midst of playback")
    func naps() {
        let watch = WatchedClocks(Self.reading(0))
        for second in 1...20 {
            let time = Int64(second) * Self.second
            _ = watch.isDue(at: time - 250_000)
            #expect(watch.findings(before: time, now: time, Self.reading(time, slept: time / 10)) == [])
        }
    }

    @Test("A process that was stopped slept, from when it was last seen to go on")
    func stopped() {
        let watch = WatchedClocks(Self.reading(0))
        #expect(!watch.isDue(at: 200_000))
        let woken = 60 * Self.second
        watch.waited(from: 210_000, until: 450_000, wokenAt: woken)
        // What was queued before the stop comes first; what comes after it may be dated before the thread woke.
        #expect(!watch.isDue(at: 220_000))
        #expect(watch.isDue(at: woken - 80))
        let found = watch.findings(before: woken - 80, now: woken, Self.reading(woken))
        #expect(found == [Self.suspended(220_000, woken - 80 - 220_000)])
        #expect(!watch.isDue(at: woken))
    }

    @Test("A process that was stopped before or after the machine slept has one sleep")
    func stoppedAndSlept() {
        let watch = WatchedClocks(Self.reading(0))
        let woken = Self.hour + 60 * Self.second
        watch.waited(from: 100_000, until: 350_000, wokenAt: woken)
        let after = Self.reading(woken, slept: Self.hour)
        #expect(watch.findings(before: woken, now: woken, after) == [Self.suspended(100_000, woken - 100_000)])
        #expect(watch.findings(before: woken, now: woken, after) == [])
    }

    @Test("A machine that sleeps just before the run's thread goes to wait has slept", arguments: [700_000, hour])
    func sleptBeforeWaiting(_ slept: Int64) {
        let watch = WatchedClocks(Self.reading(0))
        #expect(!watch.isDue(at: 100_000))
        watch.waited(from: 100_010 + slept, until: 350_000 + slept, wokenAt: 200_000 + slept)
        let next = 200_000 + slept
        #expect(watch.isDue(at: next))
        let found = watch.findings(before: next, now: next, Self.reading(next, slept: slept))
        #expect(found == [Self.suspended(next - slept, slept)])
    }

    @Test("A thread that is woken late while the player goes on was not stopped, nor one that had long to wait")
    func late() {
        let watch = WatchedClocks(Self.reading(0))
        watch.waited(from: 0, until: 250_000, wokenAt: 10 * Self.second)
        for time in stride(from: Int64(250_000), through: 10 * Self.second, by: 250_000) where watch.isDue(at: time) {
            #expect(watch.findings(before: time, now: 10 * Self.second, Self.reading(time)) == [])
        }
        #expect(watch.findings(before: 20 * Self.second, now: 20 * Self.second, Self.reading(20 * Self.second)) == [])
        watch.waited(from: 20 * Self.second, until: 30 * Self.second, wokenAt: 32 * Self.second)
        #expect(watch.findings(before: 32 * Self.second, now: 32 * Self.second, Self.reading(32 * Self.second)) == [])
    }
}

/// A watch that expectations can call.
private final class WatchedClocks {
    private var watch: ClockWatch

    init(_ reading: ClockReading) { watch = ClockWatch(at: 0, reading) }

    func isDue(at time: Int64) -> Bool { watch.isDue(at: time) }

    func waited(from: Int64, until due: Int64, wokenAt time: Int64) {
        watch.waited(from: from, until: due, wokenAt: time)
    }

    func findings(before time: Int64, now: Int64, _ reading: ClockReading) -> [ClockWatch.Finding] {
        watch.findings(before: time, now: now, reading)
    }
}
