import EventModel
import Tally
import Testing

/// A wall clock that was set, and a machine that slept, are told apart and from ordinary slewing.
@Suite struct ClockWatchTests {
    private typealias Reading = ClockWatch.Reading

    @Test("A clock that goes as the others do tells nothing")
    func quiet() {
        var watch = ClockWatch(Reading(wall: 1_000, boot: 500, monotonic: 400))
        #expect(watch.check(Reading(wall: 9_001_000, boot: 9_000_500, monotonic: 9_000_400)).isEmpty)
        #expect(watch.check(Reading(wall: 10_400_000, boot: 10_000_000, monotonic: 9_999_900)).isEmpty)
    }

    @Test("A wall clock that was set tells by how much, once", arguments: [Int64(3_600_000_000), -700_000])
    func step(microseconds: Int64) {
        var watch = ClockWatch(Reading(wall: 0, boot: 0, monotonic: 0))
        let after = Reading(wall: 1_000_000 + microseconds, boot: 1_000_000, monotonic: 1_000_000)
        let found = watch.check(after)
        #expect(found.map(\.type) == [.clockStep])
        #expect(found.map(\.microseconds) == [microseconds])
        #expect(watch.check(after).isEmpty)
    }

    @Test("Sleep of the machine tells for how long, and is no step of the clock")
    func sleep() {
        var watch = ClockWatch(Reading(wall: 0, boot: 0, monotonic: 0))
        let found = watch.check(Reading(wall: 61_000_000, boot: 61_000_000, monotonic: 1_000_000))
        #expect(found.map(\.type) == [.systemSuspended])
        #expect(found.map(\.microseconds) == [60_000_000])
    }

    @Test("Sleep during which the clock was set tells both")
    func both() {
        var watch = ClockWatch(Reading(wall: 0, boot: 0, monotonic: 0))
        let found = watch.check(Reading(wall: 70_000_000, boot: 61_000_000, monotonic: 1_000_000))
        #expect(found.map(\.type) == [.systemSuspended, .clockStep])
        #expect(found.map(\.microseconds) == [60_000_000, 9_000_000])
    }
}
