package import Coordinator
internal import Isolation
public import PluginLoading
internal import Reporting
internal import System
internal import TextEncoding

// Plugins that come while a process goes on.
extension Telemetry {
    /// Loads a plugin file that no loaded file has a plugin of; its plugins can then be configured with
    /// ``load(_:cause:)``.
    ///
    /// - Returns: what is in the file, with the state `loaded`; nothing when the very same file is loaded already, also
    ///   by another path.
    /// - Throws: ``ControlError`` when the file cannot be used, or has a plugin that is loaded already.
    @discardableResult
    public func load(file: String) throws(ControlError) -> [PluginStatus] {
        try change(file) { () throws(PluginError) in
            let library = try catalog.library(file)
            if catalog.uses(library) { return [] }
            try catalog.add(library)
            catalog.forgetRejection(of: file)
            return Self.statuses(library)
        }
    }

    /// Configures an instance of a plugin that is loaded: a tracker joins all runs, at their next event boundary, and a
    /// reporter gets what they put out from then on; runs that begin later have it from the start.
    ///
    /// - Throws: ``ControlError`` when no such plugin is loaded, the name is in use, there are as many instances as the
    ///   plugin allows, or the plugin refuses; it is then in no run.
    public func load(_ selection: PluginSelection, cause: ControlCause = .operator) throws(ControlError) {
        try changeOneByOne(selection.plugin) { () throws(ControlError) in
            let entry = try ControlError.converting { () throws(PluginError) in
                let entry = try catalog.find(selection.plugin)
                if members.with({ $0.has(selection.name) }) { throw .duplicateInstance(name: selection.name) }
                return entry
            }
            do throws(TelemetryError) {
                try InstanceLimit.check(members.with { $0.selections } + [selection], catalog)
            } catch {
                throw ControlError(error)
            }
            switch entry.description.kind {
            case .tracker: try join(selection, entry, cause)
            case .reporter: try begin(selection, entry)
            }
        }
    }

    /// Puts a newer file into the place of the loaded one that has its plugins: the whole file with all its ids, or
    /// nothing of it.
    ///
    /// Everything that can fail happens before: on any failure the old file goes on. A tracker is told, unheard, what
    /// its run was told so far, on this thread while the run goes on; when it said in the open session what the old one
    /// said, it goes on there, otherwise that session ends and begins anew with a snapshot. Several runs change one
    /// after the other; one that refuses behind others goes on with the old file.
    ///
    /// - Returns: the plugins of the file; none when the very same file is loaded already.
    /// - Throws: ``ControlError`` when the file cannot be used, does not have what the old one has in use, or one of
    ///   its plugins refuses.
    @discardableResult
    public func replace(file: String, cause: ControlCause = .operator) throws(ControlError) -> [PluginStatus] {
        try change(file) { () throws(PluginError) in
            let library = try catalog.library(file)
            let replacement = try PluginReplacement(library, in: catalog, members.with { $0 })
            catalog.forgetRejection(of: file)
            guard replacement.changesAnything else { return [] }
            try replace(replacement, cause)
            return Self.statuses(library)
        }
    }

    /// What has become of a file.
    enum Taken {
        /// The very same file is in use.
        case nothingNew
        /// Its plugins are loaded.
        case loaded([PluginStatus])
        /// It has taken the place of another.
        case replaced([PluginStatus])
    }

    /// Loads a file, or puts it into the place of the one that has its plugins when `mayReplace` allows that; one that
    /// cannot be used is kept as rejected.
    func receive(
        file: String,
        within directory: String,
        cause: ControlCause,
        mayReplace: (_ loaded: String) -> Bool
    ) throws(ControlError) -> Taken {
        try change(file) { () throws(PluginError) in
            do throws(PluginError) {
                let library = try catalog.library(file, within: directory)
                guard let id = library.plugins.map(\.id).first(where: { catalog.inUse($0) != nil }),
                    let loaded = catalog.inUse(id)
                else {
                    try catalog.add(library)
                    catalog.forgetRejection(of: file)
                    return .loaded(Self.statuses(library))
                }
                guard loaded.description.sha256 != library.plugins.first?.sha256 else { return .nothingNew }
                guard mayReplace(loaded.library.path) else {
                    throw .inUse(id: id, path: file, first: loaded.library.path)
                }
                let replacement = try PluginReplacement(library, in: catalog, members.with { $0 })
                try replace(replacement, cause)
                catalog.forgetRejection(of: file)
                return .replaced(Self.statuses(library))
            } catch {
                catalog.reject(file, error)
                throw error
            }
        }
    }

    private static func statuses(_ library: LoadedLibrary) -> [PluginStatus] {
        library.plugins.map { PluginStatus(name: $0.shortName, $0, state: .loaded) }
    }

    /// Releases a file from the quarantine, by its hash or the hash's first 8 digits or more.
    ///
    /// It is loaded when it is asked for or comes again.
    ///
    /// - Returns: what was released.
    /// - Throws: ``ControlError`` when there is no quarantine, or no file in it, or more than one, has this hash.
    @discardableResult
    public func release(sha256: String) throws(ControlError) -> PluginQuarantine.Entry {
        guard let quarantine = catalog.admission.quarantine else {
            throw ControlError(kind: .unavailable, "there is no quarantine here, so nothing can be released from it")
        }
        let found = quarantine.entries(withHash: sha256)
        guard let entry = found.first, found.count == 1 else {
            throw ControlError(hash: sha256, fits: found, in: quarantine.entries)
        }
        do throws(PluginQuarantine.Failure) {
            try quarantine.release(entry)
        } catch {
            throw ControlError(kind: .refused, error.description)
        }
        return entry
    }

    // MARK: - Parts

    /// Changes of the set come one after the other; a list that is fixed has none.
    private func changeOneByOne<Result>(
        _ file: String,
        _ body: () throws(ControlError) -> Result
    ) throws(ControlError) -> Result {
        try changing.with { count throws(ControlError) in
            count += 1
            if options.fixed { throw ControlError(.fixed(path: file)) }
            return try body()
        }
    }

    private func change<Result>(
        _ file: String,
        _ body: () throws(PluginError) -> Result
    ) throws(ControlError) -> Result {
        try changeOneByOne(file) { () throws(ControlError) in try ControlError.converting(body) }
    }

    private func join(
        _ selection: PluginSelection,
        _ entry: PluginCatalog.Entry,
        _ cause: ControlCause
    ) throws(ControlError) {
        let setup = TrackerSetup(selection, entry, options)
        let event = ControlEvent(instance: setup.name, change: .load(completed(setup)), cause: cause.rawValue)
        let runs = members.with { $0.liveRuns }
        do throws(PluginError) {
            try change([event], in: runs, limit: options.answerLimit)
        } catch {
            throw ControlError(keepingOut([setup], for: error))
        }
        for run in runs {
            run.recordTracker(setup.name, enabled: setup.enabled)
        }
        members.with { members in
            members.add(selection)
            members.setups.append(setup)
        }
    }

    /// Puts a file into the quarantine from whose code a call did not come back as its tracker was to join.
    ///
    /// - Returns: why it cannot be used: the same, or that it is in quarantine.
    private func keepingOut(_ setups: [TrackerSetup], for error: PluginError) -> PluginError {
        guard case .stuck(let instance, let path, let call) = error, let quarantine = catalog.admission.quarantine,
            let plugin = setups.first(where: { $0.name == instance })?.entry.description
        else { return error }
        quarantine.add(plugin, reason: "\(call) did not come back")
        guard let entry = quarantine.entries.first(where: { $0.sha256 == plugin.sha256 }) else { return error }
        return quarantine.error(on: path, entry)
    }

    private func begin(_ selection: PluginSelection, _ entry: PluginCatalog.Entry) throws(ControlError) {
        var slot = try ControlError.converting { () throws(PluginError) in
            try ReporterSlot(selection, entry, options, catalog.admission.quarantine, status)
        }
        if selection.enabled {
            try slot.set(enabled: true, options, log)
        }
        members.with { members in
            members.add(selection)
            members.reporters.append(slot)
        }
        shareReporters()
    }

    /// In each run trackers change at one boundary, all of them or none; then reporters, and those that changed change
    /// back when one refuses.
    private func replace(_ replacement: PluginReplacement, _ cause: ControlCause) throws(PluginError) {
        var done: [(slot: ReporterSlot, before: PluginCatalog.Entry)] = []
        do throws(PluginError) {
            for (slot, entry) in replacement.reporters {
                try replace(slot, entry)
                done.append((slot, slot.entry))
            }
            let events = replacement.trackers.map { setup in
                ControlEvent(instance: setup.name, change: .replace(completed(setup)), cause: cause.rawValue)
            }
            if !events.isEmpty {
                try change(events, in: members.with { $0.liveRuns }, limit: options.answerLimit)
            }
        } catch {
            for (slot, before) in done {
                try? replace(slot, before)
            }
            throw keepingOut(replacement.trackers, for: error)
        }
        catalog.replace(replacement.old, with: replacement.library)
        members.with { replacement.apply(to: &$0) }
        if !replacement.reporters.isEmpty {
            shareReporters()
        }
    }

    private func replace(_ slot: ReporterSlot, _ entry: PluginCatalog.Entry) throws(PluginError) {
        guard let instance = slot.instance else { return }
        let error: PluginError?
        do throws(JobFailure) {
            error = try instance.replace(entry, configuration: slot.configuration, limit: options.answerLimit)
        } catch {
            throw .noAnswer(instance: slot.name)
        }
        if let error { throw error }
    }
}

extension TrackerSetup {
    /// A tracker as it is configured.
    init(_ selection: PluginSelection, _ entry: PluginCatalog.Entry, _ options: Telemetry.Options) {
        self.init(
            name: selection.name,
            entry: entry,
            configuration: selection.configuration.canonicalText,
            enabled: selection.enabled
        )
        isElsewhere = selection.isElsewhere(entry, options)
        isRequired = selection.required
    }

    /// The same with what its calls may take.
    package func limited(by options: Telemetry.Options) -> TrackerSetup {
        var setup = self
        setup.callLimit = options.trackerCallLimit
        if options.mode == .live {
            setup.callBudget = options.callBudget * 1000
            setup.callsOverBudget = options.callsOverBudget
        }
        return setup
    }
}

extension PluginSelection {
    /// Whether another process is to have it.
    func isElsewhere(_ entry: PluginCatalog.Entry, _ options: Telemetry.Options) -> Bool {
        guard options.mode == .live, entry.library.copyDescriptor != nil else { return false }
        if entry.description.kind == .reporter { return isolation == .process }
        return isolation.map { $0 == .process } ?? options.isolatesTrackers
    }
}

extension Telemetry.Options {
    /// How long a call into a tracker may take, ms, whether it was said or not; 0 waits for ever.
    package var trackerCallLimit: UInt32 { UInt32(clamping: callLimit ?? (mode == .live ? 2_000 : 60_000)) }

    /// How long a call into a reporter in a process of its own may take, ms.
    var isolatedReporterLimit: Int64 {
        callLimit == 0 ? .max / 1_000_000 : max(callLimit ?? 0, reporterCallLimit)
    }

    /// The program that a process of a plugin's own runs.
    package var isolatingProgram: String { trackerProgram ?? (FileNames.programFolder ?? "") + "tally-tracker" }
}

extension ReporterSlot {
    /// A reporter as it is configured, without an instance.
    ///
    /// - Throws: when it is to have a process of its own and cannot have one.
    init(
        _ selection: PluginSelection,
        _ entry: PluginCatalog.Entry,
        _ options: Telemetry.Options,
        _ quarantine: PluginQuarantine?,
        _ host: HostStatus
    ) throws(PluginError) {
        self.init(
            name: selection.name,
            entry: entry,
            configuration: selection.configuration.canonicalText,
            make: try Self.maker(selection, entry, options, quarantine),
            host: host
        )
    }

    private static func maker(
        _ selection: PluginSelection,
        _ entry: PluginCatalog.Entry,
        _ options: Telemetry.Options,
        _ quarantine: PluginQuarantine?
    ) throws(PluginError) -> ReporterMaker {
        guard selection.isElsewhere(entry, options) else {
            return { entry, configuration, link throws(PluginError) in try LoadedReporter(entry, configuration, link) }
        }
        guard !entry.description.machineUse.sharesState else {
            let reason = "its plugin says that its instances share state and need one process: remove its isolation"
            throw .refusedElsewhere(instance: selection.name, reason: reason)
        }
        var isolation = IsolatedReporter.Options(program: options.isolatingProgram)
        isolation.memoryBytes = options.trackerMemoryBytes
        isolation.limit = options.isolatedReporterLimit
        isolation.onFault = { plugin, reason in quarantine?.add(plugin, reason: reason) }
        return { [isolation] entry, configuration, link throws(PluginError) in
            try IsolatedReporter(entry, configuration, link, isolation)
        }
    }
}

extension PluginMembers {
    /// Whether an instance has this name.
    package func has(_ name: String) -> Bool { selections.contains { $0.name == name } }

    /// Adds an instance, which is absent no more.
    fileprivate mutating func add(_ selection: PluginSelection) {
        selections.append(selection)
        absent.removeAll { $0.name == selection.name }
    }
}
