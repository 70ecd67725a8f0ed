package import Archive
package import Coordinator
internal import PluginABI
public import PluginLoading
public import Reporting
package import System
internal import TextEncoding

/// The plugins of a process: found, loaded and configured; makes player runs and replays.
///
/// Reporters are made once and serve all runs, each on a thread of its own; trackers are made for each run. All methods
/// may be called from any thread.
public final class Telemetry: Sendable {
    /// What full reporter queues do.
    public enum Mode: Sendable {
        /// Outputs are dropped and counted: a live run never waits.
        case live
        /// The run waits: nothing is lost.
        case replay
    }

    /// How outputs are handled when nobody takes them.
    public struct Options: Sendable {
        /// Live or replay.
        public var mode = Mode.live
        /// Nothing is handed to reporters; archives are written all the same.
        public var quiet = false
        /// Whether the list of plugins stays as it is: nothing is loaded or replaced at run time; enabling and
        /// disabling still work (Adobe VHL 1.4, "Enable and Disable Plug-ins").
        public var fixed = false
        /// The file that keeps trackers' persistent values from run to run; nil keeps nothing.
        public var storeFile: String?
        /// How many bytes of what a run without an archive was told are kept in an unnamed file, for a tracker that
        /// takes another's place; 0 keeps nothing.
        public var keptBytes = 64 * 1024 * 1024
        /// How long nothing may be recorded of a run, us, until a session that is open is ended; at most 31 days.
        ///
        /// A sleep of the machine does not count. A replay goes by what the archive's header says, and by this where
        /// the header says nothing.
        public var longestSilence: Int64 = 6 * 3_600 * 1_000_000
        /// How long a plugin or a run may take to answer a command, ms, unless the caller says otherwise.
        public var answerLimit: Int64 = 60_000
        /// How long a call into a tracker may take until its run goes on without it, ms; 0 waits for ever.
        ///
        /// Nil is 2 s in a live run, and 60 s in a replay, which has time. What counts is the time in which the process
        /// runs.
        public var callLimit: Int64?
        /// How long a call into a tracker of a live run should take, us: longer ones are counted.
        public var callBudget: Int64 = 5_000
        /// After how many calls that took longer than ``callBudget`` a tracker is disabled; 0 is never.
        public var callsOverBudget: UInt64 = 0
        /// Whether trackers of a live run whose selection does not say it have processes of their own.
        public var isolatesTrackers = false
        /// The program of such processes, and of those of reporters, `tally-tracker`; nil is the one beside the running
        /// program.
        public var trackerProgram: String?
        /// How many bytes of address space such a process may have.
        public var trackerMemoryBytes = 512 * 1024 * 1024
        /// How long what others say waits, in its order, for a tracker in such a process that is behind, ms.
        public var trackerHold: Int64 = 500
        /// How long a call into a reporter that has a process of its own may take, ms; ``callLimit`` when longer.
        ///
        /// Behind that its process is ended, and another goes on.
        public var reporterCallLimit: Int64 = 60_000
        /// What lies between trackers and reporters.
        public var delivery = DeliveryPolicy()
        /// Whether reporters are called on the thread that hands them outputs, instead of threads of their own.
        ///
        /// Then one thread alone uses all of this telemetry.
        package var reportersShareThread = false
        /// Marks that reporters gave an earlier process, by instance: they take up their output there.
        package var reporterMarks: [String: String] = [:]
        /// Takes log lines, from any thread.
        public var log: (@Sendable (LogLine) -> Void)?

        /// The options of an ordinary player.
        public init() {}
    }

    /// The plugins that were found, whether configured or not.
    public var plugins: [PluginDescription] { catalog.plugins }
    /// What was wrong with plugin files that were found and cannot be used, one sentence each.
    public var rejected: [String] { catalog.rejected.map(\.description) }
    /// The configured instances in the order of the configuration; what was loaded later comes behind.
    public var selections: [PluginSelection] { members.with { $0.selections } }

    /// The configured instances that are left out, because their plugin is missing or cannot be used.
    public var absentPlugins: [PluginStatus] { members.with { $0.absent } }

    /// The instances and runs of this moment.
    package let members: Lock<PluginMembers>
    /// Held by whoever changes the set of plugins, one after the other; counts the changes.
    let changing = Lock<UInt64>(0)
    package let extraConsumers: [any OutputConsumer & Sendable]
    package let log: PluginLog
    package let options: Options
    package let store: PersistentStore?
    package let catalog: PluginCatalog
    /// What reporters are told of all this.
    let status = HostStatus()

    /// Whether the file of persistent values lacks what trackers put there last.
    package var hasLostStoredValues: Bool { store?.isBehind ?? false }

    /// Finds and loads the plugins and starts the reporters.
    ///
    /// `plugins` are the instances in the order in which their outputs are to come; none is legal. Plugin files are
    /// looked for in `directories`; the first file that has an id wins. Throws a ``TelemetryError`` for a plugin that
    /// is required and not found or cannot be used, or refuses its configuration; ``absentPlugins`` has what is not
    /// required.
    public convenience init(
        plugins: [PluginSelection] = [],
        directories: [String] = [],
        options: Options = Options()
    ) throws(TelemetryError) {
        let catalog = PluginCatalog()
        for directory in directories {
            catalog.search(directory)
        }
        try self.init(plugins: plugins, catalog: catalog, options: options)
    }

    /// Uses a catalog of plugins that was filled before.
    ///
    /// - Throws: as ``init(plugins:directories:options:)``.
    public convenience init(
        plugins: [PluginSelection],
        catalog: PluginCatalog,
        options: Options = Options()
    ) throws(TelemetryError) {
        try self.init(plugins: plugins, catalog: catalog, options: options, extraConsumers: [])
    }

    /// Also hands outputs to consumers that are no plugins: for tests.
    package init(
        plugins selections: [PluginSelection],
        catalog: PluginCatalog,
        options: Options,
        extraConsumers: [any OutputConsumer & Sendable]
    ) throws(TelemetryError) {
        self.catalog = catalog
        self.options = options
        self.extraConsumers = extraConsumers
        let sink = options.log
        let log = PluginLog { instance, level, message in
            sink?(LogLine(level: LogLine.Level(rawValue: level) ?? .info, instance: instance, message: message))
        }
        self.log = log
        if sink != nil {
            CallWatch.shared.listen { call in log.write("", TALLY_LOG_WARN, Self.words(for: call)) }
        }
        store = try options.storeFile.map { path throws(TelemetryError) in try PersistentStore(path: path, log: log) }
        try InstanceLimit.check(selections, catalog)
        if options.mode == .live {
            for unmet in PluginNeeds.unmet(selections, catalog) {
                log.write(unmet.instance, TALLY_LOG_WARN, unmet.text)
            }
        }
        var setups: [TrackerSetup] = []
        var reporters: [ReporterSlot] = []
        var names: Set<String> = []
        var absent: [PluginStatus] = []
        do throws(PluginError) {
            for selection in selections {
                guard let entry = try Self.entry(of: selection, in: catalog, options, absent: &absent) else { continue }
                guard names.insert(selection.name).inserted else { throw .duplicateInstance(name: selection.name) }
                switch entry.description.kind {
                case .tracker: setups.append(TrackerSetup(selection, entry, options))
                case .reporter:
                    reporters.append(try ReporterSlot(selection, entry, options, catalog.admission.quarantine, status))
                }
            }
            let enabled = Set(selections.filter(\.enabled).map(\.name))
            let opened = reporters.indices.filter { enabled.contains(reporters[$0].name) }
            let needed = Set(selections.filter(\.required).map(\.name))
            // What a tracker refuses is known before a reporter empties its output.
            let tried = setups.filter { !opened.isEmpty || !needed.contains($0.name) }
            for (setup, error) in Self.rehearse(tried.map { $0.limited(by: options) }) {
                guard let selection = selections.first(where: { $0.name == setup.name }), !selection.required,
                    error.isOfPlugin
                else { throw error }
                absent.append(PluginStatus(unfit: selection, setup.entry.description, error))
                setups.removeAll { $0.name == setup.name }
            }
            for place in opened {
                reporters[place].instance = try reporters[place].makeInstance(options, log)
            }
        } catch {
            for reporter in reporters {
                reporter.instance?.close(limit: 1_000)
            }
            throw TelemetryError(error)
        }
        for status in absent {
            let text = "\(status.reason) It is not required: all goes on without it."
            log.write(status.name, TALLY_LOG_ERROR, text)
        }
        let present = selections.filter { selection in !absent.contains { $0.name == selection.name } }
        members = Lock(PluginMembers(selections: present, setups: setups, reporters: reporters, absent: absent))
        status.attach(to: self)
    }

    /// The plugin of an instance; nil, and a status for it, when nothing depends on it and it cannot be used.
    private static func entry(
        of selection: PluginSelection,
        in catalog: PluginCatalog,
        _ options: Options,
        absent: inout [PluginStatus]
    ) throws(PluginError) -> PluginCatalog.Entry? {
        guard !selection.required else { return try catalog.find(selection.plugin) }
        let entry: PluginCatalog.Entry
        do throws(PluginError) {
            entry = try catalog.find(selection.plugin)
        } catch {
            absent.append(PluginStatus(absent: selection, error))
            return nil
        }
        do throws(PluginError) {
            // What a trial in another process does not show is shown here, before anything depends on it.
            if !selection.isElsewhere(entry, options) { try entry.library.load() }
            return entry
        } catch {
            absent.append(PluginStatus(unfit: selection, entry.description, error))
            return nil
        }
    }

    /// Makes the enabled trackers once, unheard, to learn whether one refuses its configuration.
    ///
    /// - Throws: what it says; a plugin that is missing, or not required and cannot be used, is none of this.
    package static func rehearse(
        _ selections: [PluginSelection],
        from catalog: PluginCatalog,
        _ options: Options = Options()
    ) throws(TelemetryError) {
        do throws(PluginError) {
            var setups: [TrackerSetup] = []
            for selection in selections where selection.enabled && catalog.plugin(named: selection.plugin) != nil {
                let entry = try catalog.find(selection.plugin)
                let setup = TrackerSetup(selection, entry, options)
                if entry.description.kind == .tracker { setups.append(setup) }
            }
            let needed = Set(selections.filter(\.required).map(\.name))
            for (setup, error) in rehearse(setups) where needed.contains(setup.name) || !error.isOfPlugin {
                throw error
            }
        } catch {
            throw TelemetryError(error)
        }
    }

    /// Makes each tracker once, unheard; those of which one cannot be made, with the reason.
    private static func rehearse(_ setups: [TrackerSetup]) -> [(setup: TrackerSetup, error: PluginError)] {
        // What is not to run here is not run here; it says what it refuses when its process begins.
        let setups = setups.filter { !$0.isElsewhere }
        guard !setups.isEmpty else { return [] }
        let run = RunDescription(id: "rehearsal", epoch: 0)
        return Thread.perform(name: "tally-core") {
            var failed: [(setup: TrackerSetup, error: PluginError)] = []
            for setup in setups {
                do throws(PluginError) {
                    try Coordinator(run: run, trackers: [setup], consumers: [], recorder: nil, log: .silent).abandon()
                } catch {
                    failed.append((setup, error))
                }
            }
            return failed
        }
    }

    private static func words(for call: CallWatch.LongCall) -> String {
        let plugin = call.plugin.map { " into \($0)" } ?? ""
        let end = call.isGivenUp ? ", and is given up" : " and is not back"
        return "a call of \(call.name)\(plugin) has taken \(call.milliseconds) ms\(end)"
    }

    /// The trackers of a run that begins now, but for what they have kept.
    package var setups: [TrackerSetup] { members.with { $0.setups } }

    /// The reporters that there are.
    package var reporters: [ReporterInstance] { members.with { $0.reporters.compactMap(\.instance) } }

    /// What each reporter did so far.
    public var reporterStatistics: [(name: String, statistics: ReporterStatistics)] {
        reporters.map { ($0.name, $0.statistics) }
    }

    /// A mark from each enabled reporter of the place up to which its output is safe, by instance, as JSON text.
    ///
    /// To be called when no outputs are on their way. Throws which reporter has none, and why.
    package func markReporters(limit: Int64 = 60_000) throws(TelemetryError) -> [(name: String, mark: String)] {
        var marks: [(name: String, mark: String)] = []
        for reporter in reporters where reporter.isEnabled {
            do {
                marks.append((reporter.name, try reporter.mark(limit: limit).get()))
            } catch {
                throw .noMark(instance: reporter.name, Self.reason(error))
            }
        }
        return marks
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? PluginError {
        case .notOffered?:
            "it has no place to go on from. Choose reporters that do, such as one that writes a file, or replay without a "
                + "checkpoint"
        case let error?: error.reason
        case nil: "it does not answer"
        }
    }

    /// Lets the reporters deliver what they took and ends them.
    ///
    /// - Parameter limit: how long to wait for each, ms.
    /// - Returns: the names of reporters that did not end in time.
    @discardableResult
    public func close(limit: Int64 = 10_000) -> [String] { reporters.filter { !$0.close(limit: limit) }.map(\.name) }

    /// Everything that takes outputs.
    package var consumers: [any OutputConsumer] {
        options.quiet ? [] : reporters.map { $0 } + extraConsumers.map { $0 }
    }

    /// Those of them that have these names, all for nil, and what the host listens with.
    package func consumers(named names: Set<String>?) -> [any OutputConsumer] {
        guard let names, !options.quiet else { return consumers }
        return reporters.filter { names.contains($0.name) }.map { $0 } + extraConsumers.map { $0 }
    }

    /// The trackers of a run that begins now, with what they have kept and how long their calls may take.
    package func currentSetups() -> [TrackerSetup] { setups.map(completed) }

    /// A tracker with what it has kept, and how long its calls may take.
    package func completed(_ setup: TrackerSetup) -> TrackerSetup {
        var setup = setup.limited(by: options)
        if let store { setup.stored = store.values(of: setup.name) }
        return setup
    }

    /// The part of an archive's header that describes the trackers of a run.
    package func recordedTrackers(_ setups: [TrackerSetup]) -> [ArchiveHeader.Tracker] {
        setups.map { setup in
            let configuration = try? JSONParser().parse(setup.configuration)
            return ArchiveHeader.Tracker(
                name: setup.name,
                plugin: setup.entry.description.id,
                version: setup.entry.description.version,
                sha256: setup.entry.description.sha256,
                enabled: setup.enabled,
                configuration: configuration ?? .object([:]),
                stored: setup.stored
            )
        }
    }
}

/// A line of the log: for people, and no part of the promise.
public struct LogLine: Sendable {
    /// How grave a line is.
    public enum Level: Int32, Sendable {
        /// For whoever looks for a fault.
        case debug
        /// Worth knowing.
        case info
        /// Something is wrong, and the run goes on.
        case warning
        /// Something is lost or does not work.
        case error
    }

    /// How grave it is.
    public let level: Level
    /// The plugin instance that says it; empty for the core.
    public let instance: String
    /// The text.
    public let message: String

    /// A line of the core, or of an instance.
    package init(level: Level, instance: String, message: String) {
        self.level = level
        self.instance = instance
        self.message = message
    }
}
