internal import EventModel
package import PluginABI
package import PluginLoading
internal import TextEncoding

/// A tracker that has come as far as it can while nobody sees it: everything that can fail is behind it.
///
/// It is made, initialised and, when it is to be enabled, enabled. What it put out meanwhile waits until it joins the
/// run, and is gone with it when it does not. [core]
@safe final class PreparedTracker {
    /// The tracker.
    let tracker: TrackerInstance
    /// Whether it goes on where the one before it stands, without a session's end and begin.
    let goesOn: Bool
    private var stores: [(key: String, value: String)] = []
    private var faults: [TrackerInstance.Fault] = []

    /// A tracker that has caught up with the run, and goes on where the one before it stands.
    init(goingOn tracker: TrackerInstance) {
        self.tracker = tracker
        goesOn = true
    }

    /// Prepares a tracker that joins a run, or that takes the place of `old`.
    init(
        _ setup: TrackerSetup,
        replacing old: TrackerInstance?,
        run: RunDescription,
        router: OutputRouter,
        log: PluginLog,
        lending lent: LentMemory,
        at time: Int64
    ) throws(PluginError) {
        goesOn = setup.goesOn
        tracker = TrackerInstance(setup, run: run, router: router, log: log, lending: lent)
        tracker.pass(.holding)
        tracker.onStore = { [weak self] key, value in self?.stores.append((key, value)) }
        tracker.onFault = { [weak self] fault in
            self?.faults.append(fault)
            return true
        }
        if let error = tracker.load(setup, run: run) {
            throw error
        }
        if let old {
            tracker.continueCounting(of: old)
        }
        guard old?.isEnabled ?? setup.enabled else { return }
        if let error = tracker.enable(at: time) {
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
        onFault: @escaping (TrackerInstance.Fault) -> Bool
    ) {
        for (key, value) in stores {
            onStore(key, value)
        }
        for fault in faults {
            _ = onFault(fault)
        }
        tracker.onStore = onStore
        tracker.onFault = onFault
        tracker.pass(gate)
    }
}

/// One tracker that a player run is to have.
package struct TrackerSetup: Sendable {
    /// The configured name of the instance.
    package let name: String
    /// The plugin and its library.
    package let entry: PluginCatalog.Entry
    /// JSON text of its configuration.
    package var configuration: String
    /// Whether it is enabled when the run begins.
    package var enabled: Bool

    /// Persistent values as they are when the run begins, by key.
    package var stored: [String: String] = [:]
    /// How long a call into it may take until the run goes on without it, ms; 0 waits for ever.
    package var callLimit: UInt32 = 0
    /// How long its calls should take, ns; nil measures none.
    package var callBudget: Int64?
    /// After how many calls that took longer it is to be disabled; 0 is never.
    package var callsOverBudget: UInt64 = 0
    /// Whether another process has it: here stands what it is called and whether it is enabled.
    package var isElsewhere = false
    /// Whether one in another process that takes a place has said there what the one before has said.
    package var goesOn = false
    /// Whether the run is not to begin without it.
    package var isRequired = false

    package init(name: String, entry: PluginCatalog.Entry, configuration: String, enabled: Bool) {
        self.name = name
        self.entry = entry
        self.configuration = configuration
        self.enabled = enabled
    }
}

/// Persistent values in the forms in which they are handed on.
package enum StoredValues {
    /// A JSON object with the keys in their order, as archives have it; at most ``Limits/storedBytes`` of it are kept.
    package static func text(_ values: [String: String]) -> String {
        var object = JSONObject()
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { object[key] = .string(value) }
        return JSONValue.object(object).canonicalText
    }

    /// Attributes in the order of their names, as a tracker gets them.
    ///
    /// Lends the values as a block; nil when there are none.
    package static func with<Result>(
        _ values: [String: String],
        _ body: (UnsafePointer<tally_record>?) -> Result
    ) -> Result {
        guard !values.isEmpty else { return body(nil) }
        let record = RecordBuilder()
        record.begin("stored")
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            record.set(named: key, .string(value))
        }
        return withExtendedLifetime(record) { unsafe body(record.raw) }
    }
}
