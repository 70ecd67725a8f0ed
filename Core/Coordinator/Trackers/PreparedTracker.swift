internal import PluginABI
internal import PluginLoading

/// A tracker that has come as far as it can while nobody sees it: everything that can fail is behind it.
///
/// It is made, initialised and, when it is to be enabled, enabled; it holds the state of the tracker that it is to take
/// the place of, when both offer that. What it put out meanwhile waits until it joins the run, and is gone with it when
/// it does not. [core]
@safe final class PreparedTracker {
    /// The tracker.
    let tracker: TrackerInstance
    /// Whether it goes on where the one before it stands, without a session's end and begin.
    private(set) var carriesState = false
    private var stores: [(key: String, value: String)] = []
    private var faults: [TrackerInstance.Fault] = []

    /// Prepares a tracker that joins a run, or that takes the place of `old`.
    init(
        _ setup: TrackerSetup,
        replacing old: TrackerInstance?,
        run: RunDescription,
        router: OutputRouter,
        log: PluginLog,
        at time: Int64
    ) throws(PluginError) {
        tracker = TrackerInstance(setup, run: run, router: router, log: log)
        tracker.pass(.holding)
        tracker.onStore = { [weak self] key, value in self?.stores.append((key, value)) }
        tracker.onFault = { [weak self] fault in self?.faults.append(fault) }
        if let error = tracker.load(setup, run: run) {
            throw error
        }
        if let old {
            tracker.continueCounting(of: old)
        }
        guard old?.isEnabled ?? setup.enabled else { return }
        do throws(PluginError) {
            if let old {
                carriesState = try tracker.takeState(of: old, at: time)
            }
            if let error = tracker.enable(at: time, goingOnFrom: carriesState ? old : nil) {
                throw error
            }
        } catch {
            discard()
            throw error
        }
    }

    /// Ends it; nothing of it was ever seen.
    func discard() {
        tracker.onStore = nil
        tracker.onFault = nil
        tracker.destroy()
    }

    /// Lets out what has waited.
    func join(
        gate: OutputGate,
        onStore: @escaping (_ key: String, _ value: String) -> Void,
        onFault: @escaping (TrackerInstance.Fault) -> Void
    ) {
        for (key, value) in stores {
            onStore(key, value)
        }
        for fault in faults {
            onFault(fault)
        }
        tracker.onStore = onStore
        tracker.onFault = onFault
        tracker.pass(gate)
    }
}
