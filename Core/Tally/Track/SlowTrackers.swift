internal import Coordinator
internal import PluginLoading
internal import Setup
internal import System

/// Archives that a tracker's part of a run is over because its calls took too long, at the next event boundary.
///
/// A replay decides nothing of that kind: it does what the archive says.
final class SlowTrackers: Sendable {
    /// The run, once it goes on.
    private struct Run {
        weak var run: LiveRun?
    }

    private let live = Lock(Run())
    private let early = Lock<[String]>([])
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
        // Those that did not come back as they were made.
        for report in coordinator.reports {
            guard let call = report.stuckIn else { continue }
            early.with { $0.append(report.name) }
            quarantine?.add(report.plugin, reason: "\(call) did not come back")
        }
    }

    /// Archives from now on in this run.
    func begin(in run: LiveRun) {
        live.with { $0 = Run(run: run) }
        for name in early.with({ $0 }) { disable(name) }
    }

    /// Archives that a tracker is disabled.
    func disable(_ name: String, _ cause: ControlCause = .timeBudget) {
        switches.record(name, enabled: false)
        let event = ControlEvent(instance: name, change: .disable, cause: cause.rawValue)
        live.with { $0.run }?.perform { coordinator, time in _ = try? coordinator.change([event], at: time) }
    }
}
