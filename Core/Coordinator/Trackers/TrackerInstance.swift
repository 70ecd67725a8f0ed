internal import EventModel
internal import PluginABI
internal import PluginLoading
internal import System
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
    let setup: TrackerSetup
    var log: PluginLog
    @safe @exclusivity(unchecked) var statistics = TrackerStatistics()
    @safe @exclusivity(unchecked) var isEnabled = false
    @safe @exclusivity(unchecked) var timers = TimerQueue()
    /// Why the core has disabled it, empty when it has not.
    var failure = ""
    /// What puts it to work, where it waits for that and nobody may know; empty otherwise.
    var advice = ""
    /// Called with errors that the tracker reports; says whether anybody is told.
    var onFault: ((Fault) -> Bool)?
    /// Called after the core has disabled it.
    var onDisabled: (() -> Void)?
    /// Called when as many calls as are allowed took longer than they should.
    var onOverBudget: (() -> Void)?
    /// Called after a call was given up; what the call had borrowed must stay from then on.
    var onStuck: (() -> Void)?
    /// Called with persistent values that the tracker writes.
    var onStore: ((_ key: String, _ value: String) -> Void)?

    /// What its plugin calls through, and on which thread a call into it is open.
    let window: CallWindow
    @safe @exclusivity(unchecked) var router: OutputRouter
    private var identity: OriginIdentity
    /// The asset that the identity names.
    private var video: SessionVideo
    private let runID: String
    private(set) var instance: PluginInstance?
    private var table: tally_tracker?
    /// What ``handle(_:)`` calls: apart from the others, because an event is handed over in a few nanoseconds.
    @safe @exclusivity(unchecked) private var onEvent: UnsafeRawPointer?
    /// The function whose call was given up, nil when none was.
    var stuckIn: String?
    /// What it shares with the others that its thread drives.
    @safe @exclusivity(unchecked) var lent: LentMemory
    /// Where it says what it says in the call that is being made, or was given up.
    @safe @exclusivity(unchecked) unowned(unsafe) var spoken: CallOutputs
    /// How long its calls took; nil where nobody asks.
    var times: CallTimes?
    var isOverBudget = false
    private let wanted: WantedEvents
    var random = SplitMix64(seed: 0)
    var recordOrdinal: UInt64 = 0
    var beaconOrdinal: UInt64 = 0
    var errorText = ""
    @safe @exclusivity(unchecked) private var errorsInRow = 0
    /// When it last reported an error to the player's delegate.
    var reportTime: Int64?
    @safe @exclusivity(unchecked) var mayEmit = false
    /// What the open call has put out so far.
    @safe @exclusivity(unchecked) var spent = CallSpending()
    /// What was refused of it so far.
    var refusals = RefusalLog()
    /// The configuration that it has now, JSON text.
    var configuration = "{}"
    /// What it keeps from run to run by now.
    var stored: [String: String]
    private var gate = OutputGate.open
    var held = HeldOutputs()
    @safe @exclusivity(unchecked) var now: Int64 = 0
    @safe @exclusivity(unchecked) var session: UInt32 = 0
    /// What it said in the open session.
    @safe @exclusivity(unchecked) var said = SessionOutput()

    init(_ setup: TrackerSetup, run: RunDescription, router: OutputRouter, log: PluginLog, lending lent: LentMemory) {
        self.setup = setup
        self.lent = lent
        stored = setup.stored
        spoken = lent.spoken
        times = setup.callBudget.map { CallTimes(budget: $0) }
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
        window = CallWindow(plugin: description.id, CallWindow.LogTarget(name: name, log: log))
        window.serve(self)
    }

    deinit {
        window.release(of: description.id)
    }

    // MARK: - Life cycle

    /// Makes and initialises the plugin's instance.
    func load(_ setup: TrackerSetup, run: RunDescription) -> PluginError? {
        guard !setup.isElsewhere else { return nil }
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
                        inCall {
                            unsafe PluginInstance.make(
                                setup.entry,
                                instance: self.name,
                                host: window.host,
                                run: info,
                                configuration: setup.configuration,
                                callLimit: setup.callLimit,
                                errorText: { self.removeErrorText() }
                            )
                        }
                    }
                }
            }
        }
        switch made {
        case .failure(let error):
            if error.isStuck { leaveBehind(error) }
            return error
        case .success(let made):
            do throws(PluginError) {
                table = try made.trackerTable()
            } catch {
                if error.isStuck { leaveBehind(error) } else { try? made.destroy() }
                return error
            }
            instance = made
            configuration = setup.configuration
            unsafe onEvent = table.map { table in unsafe unsafeBitCast(table.on_event, to: UnsafeRawPointer.self) }
            return nil
        }
    }

    /// Enables it; its session, if one is open, begins with ``beginSession(_:session:)``.
    func enable(at time: Int64) -> PluginError? {
        if setup.isElsewhere { isEnabled = true }
        guard let instance, !isEnabled else { return nil }
        now = time
        session = 0
        random = SplitMix64(run: runID, tracker: name, session: session)
        mayEmit = true
        let error = inCall { instance.enable() }
        finishCall(error)
        if let error {
            mayEmit = false
            timers.cancelAll()
            return error
        }
        isEnabled = true
        errorsInRow = 0
        (failure, advice) = ("", "")
        return nil
    }

    /// Disables it: afterwards no timer fires and nothing is emitted.
    func disable() {
        if setup.isElsewhere { isEnabled = false }
        guard let instance, isEnabled else { return }
        isEnabled = false
        mayEmit = false
        perform { () throws(PluginError) in try instance.disable() }
        timers.cancelAll()
    }

    /// Disables and destroys it.
    func destroy() {
        disable()
        withhold(held)
        held = HeldOutputs()
        if let instance { perform { () throws(PluginError) in try instance.destroy() } }
        forgetInstance()
    }

    private func forgetInstance() {
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
        let function = unsafe unsafeBitCast(table.session_begin, to: UnsafeRawPointer.self)
        perform { () throws(PluginError) in
            let snapshot = unsafe UInt64(register: snapshot.raw)
            count(outcome: unsafe try instance.call(.sessionBegin, function, snapshot).status)
        }
    }

    func handle(_ event: UnsafePointer<tally_event>) {
        guard let function = onEvent, isEnabled else { return }
        now = unsafe event.pointee.time_us
        session = unsafe event.pointee.session
        guard let instance, unsafe wanted.contains(event.pointee.type) else { return }
        statistics.events += 1
        perform { () throws(PluginError) in
            let status = unsafe try instance.call(.onEvent, function, UInt64(register: event)).status
            if status < 0 || errorsInRow != 0 { count(outcome: status) }
        }
    }

    /// Fires all timers that are due at `deadline` exactly.
    func fireTimers(at deadline: Int64, state: UnsafePointer<tally_state>) {
        while let instance, let table, isEnabled, let due = timers.remove(dueAt: deadline) {
            now = due.deadline
            statistics.timers += 1
            let function = unsafe unsafeBitCast(table.on_timer, to: UnsafeRawPointer.self)
            let (time, player) = unsafe (UInt64(register: due.deadline), UInt64(register: state))
            performUnreturning("on_timer") { () throws(PluginError) in
                _ = unsafe try instance.call(.onTimer, function, due.id, time, player)
            }
        }
    }

    /// Lets its timers whose deadline lies before a limit fire later by so many us.
    func postponeTimers(before limit: Int64, by microseconds: Int64) {
        timers.postpone(before: limit, by: microseconds)
    }

    func endSession(reason: UInt32, at time: Int64, state: UnsafePointer<tally_state>) {
        guard let instance, let table, isEnabled else { return }
        now = time
        let function = unsafe unsafeBitCast(table.session_end, to: UnsafeRawPointer.self)
        let (end, player) = unsafe (UInt64(register: time), UInt64(register: state))
        performUnreturning("session_end") { () throws(PluginError) in
            _ = unsafe try instance.call(.sessionEnd, function, UInt64(reason), end, player)
        }
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
        _ = report(code: "disabled", message: reason, details: last, byCore: true)
        disable()
        failure = "\(reason); \(last)"
        onDisabled?()
    }

    /// Makes a call that returns nothing: what the plugin explains in it is the error itself, counted and told.
    private func performUnreturning(_ function: StaticString, _ body: () throws(PluginError) -> Void) {
        // What an earlier call explained without returning an error is none.
        errorText = ""
        perform(body)
        guard !errorText.isEmpty else { return }
        statistics.errors += 1
        log.write(name, TALLY_LOG_ERROR, "error in \(function): \(removeErrorText())")
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
        statistics = old.counted
        recordOrdinal = old.recordOrdinal
        beaconOrdinal = old.beaconOrdinal
    }

    /// Speaks from now on where another one spoke, which has said what this one said while nobody heard it.
    func goOn(from old: TrackerInstance) {
        continueCounting(of: old)
        router = old.router
        log = old.log
        window.update(log: log)
        gate = old.gate
        held = old.held
        old.held = HeldOutputs()
    }

    // MARK: - Parts

    /// Hands an output on, as far as the viewer's consent goes.
    func send(_ what: UInt32, ordinal: UInt64, item: UnsafeRawPointer) {
        if video !== router.video {
            video = router.video
            identity = unsafe OriginIdentity(identity.origin, videoID: video.id)
        }
        unsafe spoken.add(
            Output(what: what, identity: identity, session: session, ordinal: ordinal, time: now, item: item)
        )
    }

    func pass(_ output: Output) {
        switch gate {
        case .open: router.send(output)
        case .holding: held.add(output)
        case .shut: statistics.withheld += 1
        }
    }
}
