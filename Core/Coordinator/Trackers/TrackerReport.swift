internal import EventModel
internal import PluginABI
package import PluginLoading

/// What a tracker of a run is and did.
package struct TrackerReport: Sendable {
    /// Its configured name.
    package let name: String
    /// Its plugin.
    package let plugin: PluginDescription
    /// Whether it is enabled.
    package let isEnabled: Bool
    /// Why the core has disabled it, empty when it has not.
    package let failure: String
    /// Why it is not at work, empty when there is nothing to say.
    package let reason: String
    /// The function of its plugin that did not come back, nil when all did.
    package let stuckIn: String?
    /// What it did so far.
    package let statistics: TrackerStatistics
    /// How long its calls took; nil where nobody asks.
    package let times: CallTimes?
    /// The commands that it offers.
    package let commands: [PluginCommand]

    /// The process that has it, nil for the run's own.
    package let process: Int32?

    /// Of a tracker in a process of its own.
    package init(
        name: String,
        plugin: PluginDescription,
        isEnabled: Bool,
        failure: String,
        advice: String,
        stuckIn: String?,
        process: Int32?,
        statistics: TrackerStatistics,
        commands: [PluginCommand]
    ) {
        self.name = name
        self.plugin = plugin
        self.isEnabled = isEnabled
        self.failure = failure
        reason = failure.isEmpty && !isEnabled ? advice : failure
        self.process = process
        self.statistics = statistics
        self.commands = commands
        self.stuckIn = stuckIn
        times = nil
    }

    /// What puts a tracker to work that has taken the place of one that failed: it stays disabled, also where not
    /// somebody's wish but a fault of the one before made it so.
    package static func advice(for instance: String) -> String {
        "it has taken the place of one that failed, and waits: plugin enable \(instance) puts it to work"
    }

    init(_ tracker: TrackerInstance) {
        process = nil
        name = tracker.name
        plugin = tracker.description
        isEnabled = tracker.isEnabled
        failure = tracker.failure
        reason = tracker.failure.isEmpty ? tracker.advice : tracker.failure
        stuckIn = tracker.stuckIn
        times = tracker.times
        statistics = tracker.counted
        commands = tracker.instance?.commands ?? []
    }
}

/// What a tracker did so far.
public struct TrackerStatistics: Sendable, Equatable {
    /// Events that it was given.
    public var events: UInt64 = 0
    /// Timers that fired.
    public var timers: UInt64 = 0
    /// Records that it emitted.
    public var records: UInt64 = 0
    /// Beacons that it emitted.
    public var beacons: UInt64 = 0
    /// Records and beacons that no reporter got, because the viewer has not given consent.
    public var withheld: UInt64 = 0
    /// Errors that it returned.
    public var errors: UInt64 = 0
    /// Records, beacons, timers and other calls that were refused: against a rule, beyond a limit, or from a thread
    /// of the plugin's own.
    public var refused: UInt64 = 0
    /// Texts of what it said that were no UTF-8, and have U+FFFD now where that was.
    public var repairedTexts: UInt64 = 0
    /// Records and beacons that reporters lost of it because it filled their queues; once for each reporter.
    public var lost: UInt64 = 0

    /// Nothing happened yet.
    public init() {}

    /// Adds what the same tracker did in another run.
    package mutating func add(_ other: TrackerStatistics) {
        for member: WritableKeyPath<TrackerStatistics, UInt64> in [
            \.events, \.timers, \.records, \.beacons, \.withheld, \.errors, \.refused, \.repairedTexts, \.lost,
        ] { self[keyPath: member] += other[keyPath: member] }
    }
}

/// What a tracker said in a session: how much, and of which kinds in which order.
struct SessionOutput: Equatable {
    private var records: UInt64 = 0
    private var beacons: UInt64 = 0
    private var kinds: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Adds a record by its kind.
    mutating func add(record kind: UTF8Text) {
        records += 1
        add(kind)
    }

    /// Adds a beacon by its destination.
    mutating func add(beacon destination: tally_str) {
        beacons += 1
        guard let start = unsafe destination.ptr, unsafe destination.len > 0 else { return add(UTF8Text("")) }
        let bytes = unsafe UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self)
        unsafe add(UTF8Text(start: bytes, count: destination.len))
    }

    // FNV-1a: as good as needed to tell kinds apart, and it costs little at each output.
    private mutating func add(_ kind: UTF8Text) {
        kinds = unsafe kind.bytes.reduce(kinds) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        kinds = (kinds ^ 0xFF) &* 0x100_0000_01B3
    }
}
