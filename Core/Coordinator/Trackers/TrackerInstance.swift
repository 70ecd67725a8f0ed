internal import CLinux
internal import EventModel
internal import PluginABI
internal import PluginLoading
internal import TextEncoding

/// One tracker of one player run: its plugin instance with timers, random numbers and counters of its own. [core]
///
/// Nothing that it hands to its plugin depends on another plugin or on a reporter.
@safe final class TrackerInstance {
    /// Errors of this tracker that concern the player.
    struct Fault {
        let instance: String
        let code: String
        let message: String
        let details: String
    }

    let name: String
    let description: PluginDescription
    private(set) var log: PluginLog
    @safe @exclusivity(unchecked) var statistics = TrackerStatistics()
    @safe @exclusivity(unchecked) private(set) var isEnabled = false
    @safe @exclusivity(unchecked) private(set) var timers = TimerQueue()
    /// Why the core has disabled it, empty when it has not.
    private(set) var failure = ""
    /// Called with errors that the tracker reports; says whether anybody is told.
    var onFault: ((Fault) -> Bool)?
    /// Called after the core has disabled it.
    var onDisabled: (() -> Void)?
    /// Called with persistent values that the tracker writes.
    var onStore: ((_ key: String, _ value: String) -> Void)?

    private let host: UnsafeMutablePointer<tally_host>
    @safe @exclusivity(unchecked) private var router: OutputRouter
    private var identity: OriginIdentity
    /// The asset that the identity names.
    private var video: SessionVideo
    private let runID: String
    private(set) var instance: PluginInstance?
    private var table: tally_tracker?
    /// What ``handle(_:)`` calls: apart from the others, because an event is handed over in a few nanoseconds.
    @safe @exclusivity(unchecked) private var onEvent: OnEvent?
    private let wanted: WantedEvents
    var random = SplitMix64(seed: 0)
    var recordOrdinal: UInt64 = 0
    var beaconOrdinal: UInt64 = 0
    private var errorText = ""
    @safe @exclusivity(unchecked) private var errorsInRow = 0
    private var reportTime: Int64?
    @safe @exclusivity(unchecked) var mayEmit = false
    /// The configuration that it has now, JSON text.
    var configuration = "{}"
    private var gate = OutputGate.open
    private var held = HeldOutputs()
    @safe @exclusivity(unchecked) var now: Int64 = 0
    @safe @exclusivity(unchecked) var session: UInt32 = 0
    /// What it said in the open session.
    @safe @exclusivity(unchecked) private(set) var said = SessionOutput()

    init(_ setup: TrackerSetup, run: RunDescription, router: OutputRouter, log: PluginLog) {
        name = setup.name
        description = setup.entry.description
        wanted = setup.entry.description.wantedEvents
        self.log = log
        self.router = router
        video = router.video
        runID = run.id
        identity = OriginIdentity(
            runID: run.id,
            pluginID: setup.entry.description.id,
            version: setup.entry.description.version,
            instance: setup.name,
            videoID: router.video.id,
            epoch: run.epoch
        )
        unsafe host = .allocate(capacity: 1)
        unsafe host.initialize(to: TrackerHostTables.structure(for: self))
    }

    deinit {
        unsafe host.deinitialize(count: 1)
        unsafe host.deallocate()
    }

    // MARK: - Life cycle

    /// Makes and initialises the plugin's instance.
    func load(_ setup: TrackerSetup, run: RunDescription) -> PluginError? {
        let made = unsafe StoredValues.with(setup.stored) { stored in
            unsafe CText.with(run.id) { runID in
                unsafe CText.with(name) { name in
                    var info = unsafe tally_run_info(
                        struct_size: UInt32(MemoryLayout<tally_run_info>.size),
                        semantics: run.semantics,
                        player_run_id: runID,
                        instance: name,
                        epoch_us: run.epoch,
                        stored: stored
                    )
                    return unsafe withUnsafePointer(to: &info) { info in
                        unsafe PluginInstance.make(
                            setup.entry,
                            instance: self.name,
                            host: host,
                            run: info,
                            configuration: setup.configuration,
                            errorText: { self.removeErrorText() }
                        )
                    }
                }
            }
        }
        switch made {
        case .failure(let error): return error
        case .success(let made):
            do throws(PluginError) {
                table = try made.trackerTable()
            } catch {
                made.destroy()
                return error
            }
            instance = made
            configuration = setup.configuration
            onEvent = table.map { table in
                unsafe OnEvent(plugin: made.plugin, open: made.identity.opening(.onEvent), call: table.on_event)
            }
            return nil
        }
    }

    /// Enables it; its session, if one is open, begins with ``beginSession(_:session:)``.
    func enable(at time: Int64) -> PluginError? {
        guard let instance, !isEnabled else { return nil }
        now = time
        session = 0
        random = SplitMix64(run: runID, tracker: name, session: session)
        mayEmit = true
        if let error = instance.enable() {
            mayEmit = false
            timers.cancelAll()
            return error
        }
        isEnabled = true
        errorsInRow = 0
        failure = ""
        return nil
    }

    /// Disables it: afterwards no timer fires and nothing is emitted.
    func disable() {
        guard let instance, isEnabled else { return }
        isEnabled = false
        mayEmit = false
        instance.disable()
        timers.cancelAll()
    }

    /// Disables and destroys it.
    func destroy() {
        disable()
        withhold(held)
        held = HeldOutputs()
        instance?.destroy()
        instance = nil
        table = nil
        onEvent = nil
    }

    // MARK: - Events and timers

    func beginSession(_ snapshot: EventView, session: UInt32) {
        guard let instance, let table, isEnabled else { return }
        now = snapshot.time
        self.session = session
        said = SessionOutput()
        random = SplitMix64(run: runID, tracker: name, session: session)
        count(outcome: instance.call(.sessionBegin) { unsafe table.session_begin(instance.plugin, snapshot.raw) })
    }

    func handle(_ event: UnsafePointer<tally_event>) {
        guard let onEvent, isEnabled else { return }
        now = unsafe event.pointee.time_us
        session = unsafe event.pointee.session
        guard unsafe wanted.contains(event.pointee.type) else { return }
        statistics.events += 1
        let before = tally_enter_plugin(onEvent.open)
        let status = unsafe onEvent.call(onEvent.plugin, event)
        tally_leave_plugin(before)
        if status < 0 || errorsInRow != 0 {
            count(outcome: status)
        }
    }

    /// An instance and its function for events.
    @safe private struct OnEvent {
        let plugin: UnsafePointer<tally_plugin>
        /// What the thread notes while it is in there.
        let open: UInt32
        let call: @convention(c) (UnsafePointer<tally_plugin>, UnsafePointer<tally_event>) -> tally_status
    }

    /// Fires all timers that are due at `deadline` exactly.
    func fireTimers(at deadline: Int64, state: UnsafePointer<tally_state>) {
        while let instance, let table, isEnabled, let due = timers.remove(dueAt: deadline) {
            now = due.deadline
            statistics.timers += 1
            instance.call(.onTimer) { unsafe table.on_timer(instance.plugin, due.id, due.deadline, state) }
        }
    }

    /// Lets its timers whose deadline lies before a limit fire later by so many us.
    func postponeTimers(before limit: Int64, by microseconds: Int64) {
        timers.postpone(before: limit, by: microseconds)
    }

    func endSession(reason: UInt32, at time: Int64, state: UnsafePointer<tally_state>) {
        guard let instance, let table, isEnabled else { return }
        now = time
        instance.call(.sessionEnd) { unsafe table.session_end(instance.plugin, reason, time, state) }
        timers.cancelSession()
        said = SessionOutput()
    }

    /// Counts an event's outcome; the 20th error in a row disables the tracker.
    private func count(outcome status: tally_status) {
        guard status < 0 else {
            errorsInRow = 0
            return
        }
        let text = removeErrorText()
        statistics.errors += 1
        errorsInRow += 1
        // What it reported in this very call has been told.
        if errorsInRow == 1, reportTime != now {
            log.write(name, TALLY_LOG_ERROR, "returned error \(status): \(text.isEmpty ? "no reason given" : text)")
        }
        guard errorsInRow >= Limits.errorsInRow else { return }
        let reason = "disabled after \(errorsInRow) errors in a row"
        let last = "last error \(status): \(text.isEmpty ? "no reason given" : text)"
        _ = report(code: "disabled", message: reason, details: last)
        disable()
        failure = "\(reason); \(last)"
        onDisabled?()
    }

    // MARK: - Consent

    /// Follows the viewer's decision, unless the plugin does so itself: what waited is sent or dropped.
    func follow(consent gate: OutputGate) {
        guard !description.handlesConsent else { return }
        pass(gate)
    }

    /// Sends, holds or drops its outputs from now on, those that wait included.
    func pass(_ gate: OutputGate) {
        self.gate = gate
        guard gate != .holding else { return }
        let waiting = held
        held = HeldOutputs()
        withhold(waiting, released: gate == .open)
        if gate == .open {
            waiting.forEach(router.send)
        }
    }

    /// Counts outputs that no reporter gets to see.
    private func withhold(_ waiting: HeldOutputs, released: Bool = false) {
        statistics.withheld += waiting.dropped + (released ? 0 : UInt64(waiting.count))
        if waiting.dropped > 0 {
            log.write(
                name,
                TALLY_LOG_WARN,
                "\(waiting.dropped) outputs were dropped while consent was pending: at most "
                    + "\(HeldOutputs.largestCount) wait"
            )
        }
    }

    // MARK: - Replacement

    /// Goes on counting where another instance of the same name stands.
    func continueCounting(of old: TrackerInstance) {
        statistics = old.statistics
        recordOrdinal = old.recordOrdinal
        beaconOrdinal = old.beaconOrdinal
    }

    /// Speaks from now on where another one spoke, which has said what this one said while nobody heard it.
    func goOn(from old: TrackerInstance) {
        continueCounting(of: old)
        router = old.router
        log = old.log
        gate = old.gate
        held = old.held
        old.held = HeldOutputs()
    }

    // MARK: - What the plugin calls

    func setErrorText(_ text: String) { errorText = text }

    func removeErrorText() -> String {
        defer { errorText = "" }
        return errorText
    }

    func emit(record: UnsafePointer<tally_record>, ordinal: UnsafeMutablePointer<UInt64>?) -> tally_status {
        guard mayEmit else { return TALLY_ERR_STATE }
        let status = unsafe RecordCheck.status(of: record)
        guard status == TALLY_OK else { return status }
        recordOrdinal += 1
        statistics.records += 1
        unsafe ordinal?.pointee = recordOrdinal
        unsafe said.add(record: RecordView(record).kind)
        unsafe send(TALLY_OUTPUT_RECORD, ordinal: recordOrdinal, item: UnsafeRawPointer(record))
        return TALLY_OK
    }

    func emit(beacon: UnsafePointer<tally_beacon>) -> tally_status {
        guard mayEmit else { return TALLY_ERR_STATE }
        let status = unsafe BeaconCheck.status(of: beacon)
        guard status == TALLY_OK else { return status }
        beaconOrdinal += 1
        statistics.beacons += 1
        unsafe said.add(beacon: beacon.pointee.destination)
        unsafe send(TALLY_OUTPUT_BEACON, ordinal: beaconOrdinal, item: UnsafeRawPointer(beacon))
        return TALLY_OK
    }

    /// Makes the record of the kind `tracker_error` and tells the player's delegate.
    func report(code: String, message: String, details: String) -> tally_status {
        guard mayEmit else { return TALLY_ERR_STATE }
        recordOrdinal += 1
        statistics.records += 1
        let record = RecordBuilder()
        record.begin("tracker_error")
        said.add(record: UTF8Text("tracker_error"))
        record.set("code", Self.cut(code))
        record.set("message", Self.cut(message))
        record.set("details", Self.cut(details))
        unsafe send(TALLY_OUTPUT_RECORD, ordinal: recordOrdinal, item: UnsafeRawPointer(record.raw))
        if onFault?(Fault(instance: name, code: code, message: message, details: details)) == true { reportTime = now }
        return TALLY_OK
    }

    func startTimer(deadline: Int64, scope: UInt32, id: UnsafeMutablePointer<UInt64>) -> tally_status {
        guard mayEmit else { return TALLY_ERR_STATE }
        guard scope == TALLY_TIMER_SESSION || scope == TALLY_TIMER_INSTANCE else { return TALLY_ERR_INVALID }
        let earliest = now + Limits.timerLeadMicroseconds
        guard let started = timers.start(deadline: max(deadline, earliest), scope: scope) else {
            return TALLY_ERR_TOO_LARGE
        }
        unsafe id.pointee = started
        return TALLY_OK
    }

    func cancelTimer(_ id: UInt64) {
        timers.cancel(id)
    }

    func nextRandom() -> UInt64 {
        random.next()
    }

    func store(key: String, value: String) -> tally_status {
        guard mayEmit else { return TALLY_ERR_STATE }
        guard description.storeKeys.contains(key) else { return TALLY_ERR_NOT_FOUND }
        onStore?(key, value)
        return TALLY_OK
    }

    // MARK: - Parts

    private func send(_ what: UInt32, ordinal: UInt64, item: UnsafeRawPointer) {
        if video !== router.video {
            video = router.video
            identity = unsafe OriginIdentity(identity.origin, videoID: video.id)
        }
        let output = unsafe Output(
            what: what,
            identity: identity,
            session: session,
            ordinal: ordinal,
            time: now,
            item: item
        )
        switch gate {
        case .open: router.send(output)
        case .holding: held.add(output)
        case .shut: statistics.withheld += 1
        }
    }

    /// A text that a record can have.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > Limits.valueBytes else { return text }
        return String(decoding: text.utf8.prefix(Limits.valueBytes - 3), as: UTF8.self)
    }
}
