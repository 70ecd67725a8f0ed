internal import Coordinator
internal import EventModel
public import PluginABI
public import PluginKit
internal import PluginLoading
internal import Setup
internal import System
internal import TextEncoding

/// A host around one instance of a plugin, for testing it call by call: without player, media, threads or coordinator.
///
/// It is made of the ABI's tables alone, so it serves a plugin in any language, from its file or linked in. A test
/// makes the calls that a host makes; what the plugin says is kept here. Time stands still until ``advance(to:)`` or
/// ``wait(milliseconds:)``, which fire the timers that are due.
///
/// What the plugin asks for is answered by a real host's rules: nothing can be emitted, started or stored while it is
/// disabled, and what breaks a limit is refused. The calls themselves are the test's own, in any order. So a session
/// does not end by itself before a tracker is disabled, and no number of errors disables it.
///
/// It belongs to one thread; only a reporter's threads may log and answer a flush at any time.
@safe public final class FakeHost {
    // MARK: - What the test decides

    /// What the events, timers and commands to come say of the player.
    public var player = FakePlayer()
    /// Extensions of the host that are not offered, by their ids: `tally.store/1`.
    public var withheldExtensions: Set<String> = []
    /// What emitting, starting a timer and storing return instead of doing it; nil when they work.
    public var refusal: tally_status?
    /// The ABI's minor version that it has from the next ``create()`` on: at 0 it calls no function that came with 1.1.
    public var abiMinor = TALLY_ABI_MINOR
    /// Names of the attributes that ``records`` keep, nil for all: long random courses need only those that are looked
    /// at.
    public var keptAttributes: Set<String>?
    /// Whether it says from the next ``create()`` on that it waits until a reporter has room, as a replay does.
    public var waitsForRoom = false
    /// What it says of itself to a reporter that asks (`tally.status/1`), JSON text; nil does not offer that.
    public var status: String? {
        get { fromAnyThread.with { $0.status } }
        set { fromAnyThread.with { $0.status = newValue } }
    }
    /// Tables that are offered instead of its own, by the extension's id; they have to outlive the instance.
    package var replacedExtensions: [String: UnsafeRawPointer] = unsafe [:]

    // MARK: - What the plugin did

    /// The records that it emitted, in order.
    public internal(set) var records: [Record] = []
    /// The beacons that it emitted, in order.
    public internal(set) var beacons: [Beacon] = []
    /// The values that it stored, the last one of each key.
    public internal(set) var stored: [String: String] = [:]
    /// The errors that it explained, in order.
    public internal(set) var faults: [Fault] = []
    /// The errors that it reported to the player, in order.
    public internal(set) var playerErrors: [PlayerError] = []
    /// All timers that it started, in order, with the deadlines that they got.
    public internal(set) var startedTimers: [Timer] = []
    /// The timers that it cancelled, in order, by their ids.
    public internal(set) var cancelledTimers: [UInt64] = []
    /// Where the attributes of each record lay in the plugin's memory.
    package internal(set) var recordAddresses: [UInt] = []

    /// The lines that it logged, in order.
    public var logLines: [LogLine] { fromAnyThread.with { $0.logLines } }
    /// A reporter's answers to flushes, in order.
    public var flushAnswers: [FlushAnswer] { fromAnyThread.with { $0.flushAnswers } }
    /// How often a reporter said that it has room again.
    public var readyCount: Int { fromAnyThread.with { $0.readyCount } }

    // MARK: - Where it stands

    /// Run time, us.
    public internal(set) var time: Int64 = 0
    /// The number of the session that is open, 0 when none is.
    public internal(set) var session: UInt32 = 0
    /// Whether the instance is enabled.
    public internal(set) var isEnabled = false
    /// How many timers are running.
    public var runningTimerCount: Int { timers.count }

    /// The plugin's id.
    public let pluginID: String
    /// The name of the instance.
    public let instance: String
    /// The player run's id.
    public let playerRunID: String
    /// Wall clock at time 0, us since 1970.
    public let epochMicroseconds: Int64
    /// The values that an earlier run stored, by their keys.
    public let storedBefore: [String: String]

    let entry: UnsafePointer<tally_entry>
    let isReporter: Bool
    let storeKeys: [String]
    let wantedEvents: WantedEvents
    let structure: UnsafeMutablePointer<tally_host>
    var plugin: UnsafePointer<tally_plugin>?
    var timers = TimerQueue()
    var random: SplitMix64
    var sessionCount: UInt32 = 0
    var eventCount: UInt64 = 0
    /// Records so far, errors of the player included, which count as records.
    var recordOrdinal: UInt64 = 0
    /// Whether the tracker may emit, start timers and store values.
    var isServing = false
    let fromAnyThread = Lock(FromAnyThread())

    /// What a plugin may say on any thread.
    struct FromAnyThread {
        var logLines: [LogLine] = []
        var flushAnswers: [FlushAnswer] = []
        var readyCount = 0
        var status: String?
    }

    /// Prepares a host for a plugin of a library by the library's entry; nothing of the plugin is called yet.
    ///
    /// - Parameters:
    ///   - entry: what `tally_plugin_entry_v1` returned.
    ///   - plugin: the plugin's id; nil for the library's first one.
    ///   - instance: the instance's configured name.
    ///   - playerRunID: the player run's id.
    ///   - epochMicroseconds: wall clock at time 0, us since 1970.
    ///   - seed: where the random numbers begin. They go on over all sessions, whereas a real host begins anew in each.
    ///   - stored: values that an earlier run stored, by their keys.
    public init(
        entry: UnsafePointer<tally_entry>,
        plugin: String? = nil,
        instance: String = "instance",
        playerRunID: String = "run-1",
        epochMicroseconds: Int64 = 1_700_000_000_000_000,
        seed: UInt64 = 7,
        stored: [String: String] = [:]
    ) {
        unsafe self.entry = unsafe entry
        let description = unsafe DescriptorReading(entry, plugin: plugin)
        pluginID = plugin ?? description.id
        isReporter = description.isReporter
        storeKeys = description.storeKeys
        wantedEvents = description.wantedEvents
        self.instance = instance
        self.playerRunID = playerRunID
        self.epochMicroseconds = epochMicroseconds
        storedBefore = stored
        random = SplitMix64(seed: seed)
        unsafe structure = .allocate(capacity: 1)
        unsafe structure.initialize(to: FakeHostTables.noHost)
    }

    /// Prepares a host for a plugin in a file, or for one that is linked in; nothing of the plugin is called yet.
    ///
    /// The parameters are those of ``init(entry:plugin:instance:playerRunID:epochMicroseconds:seed:stored:)``.
    ///
    /// - Throws: why the file cannot be used, in a host's words.
    public convenience init(
        _ source: PluginSource,
        plugin: String? = nil,
        instance: String = "instance",
        playerRunID: String = "run-1",
        epochMicroseconds: Int64 = 1_700_000_000_000_000,
        seed: UInt64 = 7,
        stored: [String: String] = [:]
    ) throws {
        unsafe try self.init(
            entry: source.entry(),
            plugin: plugin,
            instance: instance,
            playerRunID: playerRunID,
            epochMicroseconds: epochMicroseconds,
            seed: seed,
            stored: stored
        )
    }

    deinit {
        destroy()
        unsafe structure.deallocate()
    }
}

extension FakeHost {
    /// The kinds of outputs that a reporter wants, as it says now; nothing of it set stands for everything.
    public var wants: OutputKinds { unsafe reporter.map { unsafe OutputKinds(rawValue: $0.pointee.wants) } ?? [] }

    /// Hands outputs to a reporter.
    ///
    /// - Returns: how many of them it took, from the first on; negative for an error.
    public func deliver(_ outputs: ReporterOutputs) -> Int64 {
        guard let plugin = unsafe plugin, let reporter = unsafe reporter else { return Int64(TALLY_ERR_UNSUPPORTED) }
        return unsafe reporter.pointee.take(plugin, outputs.list, UInt64(outputs.count))
    }

    /// Asks a reporter to bring away what it took; it answers in ``flushAnswers``, in this call or later.
    ///
    /// - Parameters:
    ///   - token: the number that its answer will have.
    ///   - session: the session that is meant, 0 for the whole run.
    ///   - budgetMilliseconds: how long the host would wait.
    public func flush(token: UInt64, session: UInt32 = 0, budgetMilliseconds: Int64 = 1000) {
        guard let plugin = unsafe plugin, let reporter = unsafe reporter else { return }
        unsafe tally_str.lend(playerRunID) { playerRunID in
            unsafe reporter.pointee.flush(plugin, token, playerRunID, session, budgetMilliseconds)
        }
    }

    private var reporter: UnsafePointer<tally_reporter>? { unsafe table(TALLY_EXT_REPORTER, tally_reporter.self) }
}

extension FakeHost {
    /// An error that a plugin explained by `set_error`, before the call returned it.
    public struct Fault: Sendable, Equatable {
        /// The status, `TALLY_ERR_...`.
        public let status: tally_status
        /// The reason, for people.
        public let text: String

        /// Makes a fault to compare with.
        public init(_ status: tally_status, _ text: String) {
            self.status = status
            self.text = text
        }
    }

    /// An error that a tracker reported to the player's delegate.
    public struct PlayerError: Sendable, Equatable {
        /// The tracker's own code.
        public let code: String
        /// What happened, for people.
        public let message: String
        /// More about it, possibly nothing.
        public let details: String

        /// Makes an error to compare with.
        public init(code: String, message: String, details: String = "") {
            self.code = code
            self.message = message
            self.details = details
        }
    }

    /// A timer that a tracker started.
    public struct Timer: Sendable, Equatable {
        /// Its number, which is never used again.
        public let id: UInt64
        /// When it fires, us since the run's start: as it was asked for, or 1 ms ahead where that was nearer.
        public let deadline: Int64
        /// How long it lives.
        public let scope: TimerScope

        /// Makes a timer to compare with.
        public init(id: UInt64, deadline: Int64, scope: TimerScope = .session) {
            self.id = id
            self.deadline = deadline
            self.scope = scope
        }
    }

    /// A line that a plugin logged.
    public struct LogLine: Sendable, Equatable {
        /// How much it matters; what is no level of the ABI counts as an error.
        public let level: LogLevel
        /// The text.
        public let message: String

        /// Makes a line to compare with.
        public init(_ level: LogLevel, _ message: String) {
            self.level = level
            self.message = message
        }
    }

    /// A reporter's answer to a flush.
    public struct FlushAnswer: Sendable, Equatable {
        /// The flush that it answers.
        public let token: UInt64
        /// Outputs that arrived.
        public let delivered: UInt64
        /// Outputs that are kept safely.
        public let kept: UInt64
        /// Outputs that are lost.
        public let dropped: UInt64

        /// Makes an answer to compare with.
        public init(token: UInt64, delivered: UInt64, kept: UInt64 = 0, dropped: UInt64 = 0) {
            self.token = token
            self.delivered = delivered
            self.kept = kept
            self.dropped = dropped
        }
    }
}

/// What a fake host has to know of the plugin that it is to make, from the plugin's descriptor.
struct DescriptorReading {
    /// The plugin's id; empty when the library has no such plugin.
    private(set) var id = ""
    private(set) var isReporter = false
    private(set) var storeKeys: [String] = []
    private(set) var wantedEvents = unsafe WantedEvents(nil)

    /// Reads the descriptor of a plugin, nil for the library's first one.
    init(_ entry: UnsafePointer<tally_entry>, plugin: String?) {
        for index in unsafe 0..<entry.pointee.count {
            guard let descriptor = unsafe entry.pointee.descriptor(entry, index) else { return }
            let id = unsafe String(cString: descriptor.pointee.id)
            guard plugin == nil || plugin == id else { continue }
            self.id = id
            isReporter = unsafe descriptor.pointee.kind == TALLY_KIND_REPORTER
            storeKeys = unsafe Self.list(descriptor.pointee.store_keys)
            wantedEvents = unsafe WantedEvents(descriptor.pointee.wanted_events)
            return
        }
    }

    private static func list(_ first: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
        guard let first = unsafe first else { return [] }
        var texts: [String] = []
        while let text = unsafe first[texts.count] {
            unsafe texts.append(String(cString: text))
        }
        return texts
    }
}
