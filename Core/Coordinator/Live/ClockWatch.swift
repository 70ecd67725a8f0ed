internal import EventModel
internal import PluginABI

/// Finds out that the wall clock was set or that the machine slept.
struct ClockWatch {
    /// Smaller differences are the ordinary slewing of a clock.
    private static let threshold: Int64 = 500_000

    private var wallOffset = SystemTime.wall() - SystemTime.boot()
    private var sleepOffset = SystemTime.boot() - SystemTime.monotonic()

    /// What happened since the last call, with by how much.
    mutating func check() -> [(type: EventType, microseconds: Int64)] {
        let wall = SystemTime.wall() - SystemTime.boot()
        let sleep = SystemTime.boot() - SystemTime.monotonic()
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
