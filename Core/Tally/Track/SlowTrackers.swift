internal import Coordinator
internal import PluginLoading
internal import Setup
internal import System

/// Archives that a tracker's part of a run is over because its calls took too long, at the next event boundary.
///
/// A replay decides nothing of that kind: it does what the archive says.
final class SlowTrackers: Sendable {
    /// The run, once it goes on.
    struct Run {
        weak var run: LiveRun?
    }

    let live = Lock(Run())
    private let switches: PluginSwitches
    private let quarantine: PluginQuarantine?

    init(switches: PluginSwitches, quarantine: PluginQuarantine?) {
        self.switches = switches
        self.quarantine = quarantine
    }

    /// Listens to a coordinator; before its thread starts.
    func attach(to coordinator: Coordinator) {
        coordinator.onOverBudget = { [self] name in disable(name) }
        coordinator.onStuck = { [self] tracker, call in
            disable(tracker.name)
            quarantine?.add(tracker.plugin, reason: "\(call) did not come back")
        }
    }

    private func disable(_ name: String) {
        switches.record(name, enabled: false)
        let event = ControlEvent(instance: name, change: .disable, cause: ControlCause.timeBudget.rawValue)
        live.with { $0.run }?.perform { coordinator, time in _ = try? coordinator.change([event], at: time) }
    }
}
