package import EventModel
internal import PluginABI
package import System

/// Finds out that the machine slept, that the process was stopped, or that the wall clock was set.
///
/// It is shown everything that happens in a run, by its time. Clocks are read only after a gap in these times that is
/// long enough for a sleep, and once a second.
package struct ClockWatch {
    /// Something that happened to the clocks.
    package struct Finding: Equatable {
        /// `system_suspended` or `clock_step`.
        package let type: EventType
        /// When it happened, in the run's time.
        package let time: Int64
        /// How long it lasted, or by how much the clock was set.
        package let microseconds: Int64

        package init(type: EventType, time: Int64, microseconds: Int64) {
            self.type = type
            self.time = time
            self.microseconds = microseconds
        }
    }

    /// Smaller differences are the ordinary slewing of a clock, and sleep that nobody notices.
    private static let threshold: Int64 = 500_000
    /// How often clocks are read when nothing is suspicious.
    private static let interval: Int64 = 1_000_000
    /// A thread that is woken so much too late was stopped with its process: no load of the machine does that.
    private static let longestDelay: Int64 = 3_000_000

    private var wallOffset: Int64
    private var sleepOffset: Int64
    /// When something last happened in the run: a sleep that has not been told came after that.
    private var lastEvent: Int64
    /// When the run was last seen to go on, be it that its thread went to wait.
    private var lastSign: Int64
    private var lastReading: Int64
    /// When the run's thread was woken far too late, until what happened next was looked at.
    private var lateWake: Int64?

    /// Begins at a time of the run with what the clocks say.
    package init(at time: Int64, _ reading: ClockReading) {
        wallOffset = reading.wall - reading.boot
        sleepOffset = reading.boot - reading.monotonic
        lastEvent = time
        lastSign = time
        lastReading = time
    }

    /// Whether the clocks have to be looked at before what happens at `time`; when not, the run has gone on to there.
    package mutating func isDue(at time: Int64) -> Bool {
        if time - lastEvent > Self.threshold || time - lastReading >= Self.interval { return true }
        goOn(to: time)
        return false
    }

    /// The run's thread went to wait at `from` until `due`, and goes on at `time`.
    package mutating func waited(from: Int64, until due: Int64, wokenAt time: Int64) {
        lastSign = max(lastSign, from)
        if time - due > Self.longestDelay { lateWake = time }
    }

    /// What happened to the clocks before what happened at `time`, as it is now.
    package mutating func findings(before time: Int64, now: Int64, _ reading: ClockReading) -> [Finding] {
        var found: [Finding] = []
        if let sleep = sleep(before: time, now: now, reading) {
            found.append(sleep)
        }
        let wall = reading.wall - reading.boot
        if abs(wall - wallOffset) > Self.threshold {
            found.append(Finding(type: .clockStep, time: time, microseconds: wall - wallOffset))
        }
        wallOffset = wall
        goOn(to: time)
        lastReading = max(lastReading, time)
        return found
    }

    private mutating func goOn(to time: Int64) {
        lastEvent = max(lastEvent, time)
        lastSign = max(lastSign, time)
    }

    private mutating func sleep(before time: Int64, now: Int64, _ reading: ClockReading) -> Finding? {
        let offset = reading.boot - reading.monotonic
        let slept = offset - sleepOffset
        if let woken = lateWake {
            if time >= woken { lateWake = nil }
            // The process stood still beyond what the machine slept: all the time since it was last seen to go on.
            let still = time - lastSign
            if still - slept > Self.longestDelay {
                lateWake = nil
                sleepOffset = offset
                return Finding(type: .systemSuspended, time: lastSign, microseconds: still)
            }
        }
        // The machine may have slept just before the thread went to wait, so that says nothing here.
        let gap = time - lastEvent
        // An event that was queued before the sleep is handled after it: the sleep belongs before the next one.
        if slept > gap, now - time >= slept { return nil }
        let length = min(slept, gap)
        guard length > Self.threshold else {
            sleepOffset = offset
            return nil
        }
        // What is left may be a second sleep, before an event that is queued still.
        sleepOffset += length
        return Finding(type: .systemSuspended, time: time - length, microseconds: length)
    }
}
