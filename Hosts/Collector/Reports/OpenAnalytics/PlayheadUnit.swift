/// The unit of a player's playheads, which libraries disagree on, as far as its events show it.
///
/// Once decided it stays: the places of a run must not change their measure in its midst.
struct PlayheadUnit {
    private(set) var unit: OpenAnalyticsOptions.Unit?
    /// The heartbeat before, when nothing but heartbeats came since: its time, ms, and its playhead.
    private var before: (time: Int64, playhead: Double)?

    /// A duration from here on is one in milliseconds: 36 seconds of them, or ten hours in seconds.
    private static let longDuration = 36_000.0
    /// A playhead from here on is the time since 1970 in milliseconds.
    static let earliestWall = 1e12
    /// Two heartbeats nearer to one another than this say nothing, ms.
    private static let shortestInterval: Int64 = 1000

    init(_ unit: OpenAnalyticsOptions.Unit?) {
        self.unit = unit
    }

    /// Looks at what an event shows; `time` is ms since 1970.
    mutating func observe(_ event: OpenAnalyticsEvent, at time: Int64) {
        guard unit == nil else { return }
        defer {
            switch event.kind {
            case .heartbeat: before = event.playhead.map { (time, $0) }
            case .warning, .bitrateChanged, .metadata, .report: break
            default: before = nil
            }
        }
        if [event.playhead, event.duration].contains(where: { $0.map { $0 != $0.rounded(.down) } ?? false }) {
            unit = .seconds
        } else if event.duration ?? 0 >= Self.longDuration || event.playhead ?? 0 >= Self.earliestWall {
            unit = .milliseconds
        } else if event.kind == .heartbeat, let before, let playhead = event.playhead {
            unit = Self.unit(playhead - before.playhead, in: time - before.time)
        }
    }

    /// The unit in which a way is about as long as the time that it took, ms.
    private static func unit(_ way: Double, in time: Int64) -> OpenAnalyticsOptions.Unit? {
        guard time >= shortestInterval else { return nil }
        return switch way / Double(time) {
        case 0.4...2.5: .milliseconds
        case 0.000_4...0.002_5: .seconds
        default: nil
        }
    }

    /// A number in ms; nil until the unit is known.
    func milliseconds(_ number: Double?) -> Int64? {
        guard let number, let unit else { return nil }
        let milliseconds = unit == .seconds ? number * 1000 : number
        return milliseconds < 0x1p53 ? Int64(milliseconds.rounded()) : nil
    }
}
