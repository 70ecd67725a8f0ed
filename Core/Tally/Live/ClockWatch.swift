package import EventModel
internal import PluginABI
internal import System

/// Finds out that the wall clock was set or that the machine slept.
package struct ClockWatch {
    /// Smaller differences are the ordinary slewing of a clock.
    private static let threshold: Int64 = 500_000

    /// The three clocks at one instant, us.
    package struct Reading: Sendable {
        let wall: Int64
        let boot: Int64
        let monotonic: Int64

        package init(wall: Int64, boot: Int64, monotonic: Int64) {
            self.wall = wall
            self.boot = boot
            self.monotonic = monotonic
        }

        /// The clocks of this machine now.
        package static func now() -> Reading {
            Reading(wall: SystemTime.wall(), boot: SystemTime.boot(), monotonic: SystemTime.monotonic())
        }
    }

    private var wallOffset: Int64
    private var sleepOffset: Int64

    /// Begins with what the clocks say.
    package init(_ reading: Reading = .now()) {
        wallOffset = reading.wall - reading.boot
        sleepOffset = reading.boot - reading.monotonic
    }

    /// What happened since the last call, with by how much.
    package mutating func check(_ reading: Reading = .now()) -> [(type: EventType, microseconds: Int64)] {
        let wall = reading.wall - reading.boot
        let sleep = reading.boot - reading.monotonic
        defer {
            wallOffset = wall
            sleepOffset = sleep
        }
        var found: [(EventType, Int64)] = []
        if sleep - sleepOffset > Self.threshold {
            found.append((.systemSuspended, sleep - sleepOffset))
        }
        if abs(wall - wallOffset) > Self.threshold {
            found.append((.clockStep, wall - wallOffset))
        }
        return found
    }
}
