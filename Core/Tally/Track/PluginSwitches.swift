internal import Coordinator
internal import System

/// Which trackers are wanted to be enabled, so that a wish that changes nothing can say so.
///
/// Thread-safe.
final class PluginSwitches: Sendable {
    private let wanted: Lock<[String: Bool]>

    init(_ setups: [TrackerSetup]) {
        wanted = Lock(Dictionary(setups.map { ($0.name, $0.enabled) }) { first, _ in first })
    }

    /// Notes how a tracker is, whoever made it so.
    func note(_ name: String, enabled: Bool) {
        wanted.with { $0[name] = enabled }
    }

    /// Notes a wish.
    func request(_ name: String, enable: Bool) -> PluginChange {
        wanted.with { wanted in
            guard let now = wanted[name] else { return .unknown(known: wanted.keys.sorted()) }
            guard now != enable else { return enable ? .alreadyEnabled : .alreadyDisabled }
            wanted[name] = enable
            return .requested
        }
    }
}
