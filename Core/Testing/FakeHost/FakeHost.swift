internal import Coordinator
internal import EventModel
public import PluginABI
internal import PluginKit
internal import PluginLoading
internal import Setup
internal import System
internal import TextEncoding

/// A host around one instance of a plugin, for testing it call by call: without player, media, threads or coordinator.
///
/// It is made of the ABI's tables alone, so it serves a plugin in any language, from its file or linked in. A test makes
/// the calls that a host makes; what the plugin says is kept here. Time stands still until ``advance(to:)`` or
/// ``wait(milliseconds:)``, which fire the timers that are due.
///
/// What the plugin asks for is answered by a real host's rules: nothing can be emitted, started or stored while it is
/// disabled, and what breaks a limit is refused. The calls themselves are the test's own, in any order. So a session does
/// not end by itself before a tracker is disabled, and no number of errors disables it.
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
    /// Names of the attributes that ``records`` keep, nil for all: long random courses need only those that are looked at.
    public var keptAttributes: Set<String>?
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
    /// Whether the instance was given the state of another one since it was made.
    var hasLoadedState = false
    /// Whether timers may be started again where they were, however near.
    var isGoingOn = false
    let fromAnyThread = Lock(FromAnyThread())

    /// What a plugin may say on any thread.
    struct FromAnyThread {
        var logLines: [LogLine] = []
        var flushAnswers: [FlushAnswer] = []
        var readyCount = 0
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
