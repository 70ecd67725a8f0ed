internal import EventModel
package import PluginABI
package import PluginLoading

/// One player run: its time, its state and its trackers.
///
/// Everything here is one serial context, `[core]`.
///
/// Live and replay drive it through the same few calls: live hands it events with the time of the track call and lets
/// timers fire as the clock goes on, replay hands it events with the time that they had.
@safe package final class Coordinator {
    /// What names and dates the run.
    package let run: RunDescription
    /// Errors of trackers that concern the player.
    package var onFault: ((_ instance: String, _ code: String, _ message: String, _ details: String) -> Void)?
    /// Called with persistent values that trackers write.
    package var onStore: ((_ instance: String, _ key: String, _ value: String) -> Void)?
    /// Called after the trackers have ended a session.
    package var onSessionEnd: ((_ session: UInt32) -> Void)?
    /// Called after the core has disabled a tracker for its errors.
    package var onDisabled: ((_ instance: String) -> Void)?
    /// Called after a call into a tracker was given up, with the function's name.
    package var onStuck: ((_ instance: (name: String, plugin: PluginDescription), _ call: String) -> Void)?
    /// Called when as many of a tracker's calls as are allowed took longer than they should.
    package var onOverBudget: ((_ instance: String) -> Void)?
    /// Finds a plugin that an archive names; without it, trackers that joined the recorded run do not join again.
    package var resolve: ((RecordedPlugin) throws(PluginError) -> PluginCatalog.Entry)?
    /// How long a call may take into a tracker that joins as an archive says, ms; 0 waits for ever.
    package var callLimit: UInt32 = 0
    /// Called when a recorded change of the set of trackers cannot be applied again.
    package var onUnresolved: ((PluginError) -> Void)?
    /// Sessions that were erased from the archive: their numbers are passed over.
    package var erasedSessions: Set<UInt32> = []
    /// Whether recorded control events change the set of trackers again.
    @safe @exclusivity(unchecked) package var appliesControlEvents = true
    /// Whether a tracker that an event says goes on in another's place is there already: it was told what was before.
    package var isRehearsal = false
    /// Whether the next event that has another tracker take one's place ends it here: another process goes on.
    package var makesRoom = false

    /// When what the run says now is said.
    package internal(set) var moment: OutputMoment {
        get { router.moment }
        set { router.moment = newValue }
    }

    /// Trackers of the run that other processes have.
    let follower: (any RunFollower)?
    let trackers: TrackerSet
    let router: OutputRouter
    let log: PluginLog
    /// How its trackers began, for one that takes the place of another.
    let begun: [TrackerSetup]
    /// Trackers that are ready for the control events that are about to be taken.
    var pending: [String: PreparedTracker] = [:]
    /// What the last control event came to.
    var answer = ControlAnswer(instance: "")
    /// Whether the control event that is dispatched was asked for now, and is not one of an archive.
    var isTakingControls = false
    let recorder: (any RunRecorder)?
    @safe @exclusivity(unchecked) var machine = PlayerStateMachine()
    @safe @exclusivity(unchecked) var snapshot = SessionSnapshot()
    var consents = ConsentGates()
    var controlBlock: ControlBlock { ControlBlock(buffer: lent.controlBuffer) }
    /// What the trackers are lent, and where the core writes events of its own.
    @safe @exclusivity(unchecked) package internal(set) var lent: LentMemory
    @safe @exclusivity(unchecked) private var lastEventTime: Int64 = 0
    @safe @exclusivity(unchecked) private var lastTimerTime: Int64 = -1
    @safe @exclusivity(unchecked) private var lastMarkTime: Int64 = 0
    @safe @exclusivity(unchecked) private var ordinal: UInt64 = 0
    @safe @exclusivity(unchecked) var sessionCount: UInt32 = 0

    /// Makes the run's trackers; the first that cannot be made ends it.
    package init(
        run: RunDescription,
        trackers setups: [TrackerSetup],
        consumers: [any OutputConsumer],
        recorder: (any RunRecorder)?,
        log: PluginLog,
        following follower: (any RunFollower)? = nil,
        lending lent: LentMemory = LentMemory()
    ) throws(PluginError) {
        self.run = run
        self.lent = lent
        self.recorder = recorder
        let router = OutputRouter(consumers: consumers, run: run, stage: follower)
        self.follower = follower
        self.router = router
        self.log = log
        begun = setups
        let made = setups.map { TrackerInstance($0, run: run, router: router, log: log, lending: lent) }
        trackers = TrackerSet(made)
        var names: Set<String> = []
        for (tracker, setup) in zip(made, setups) {
            guard names.insert(setup.name).inserted else { throw PluginError.duplicateInstance(name: setup.name) }
            listen(to: tracker)
            // A call that does not come back leaves its tracker out, as it does later.
            if let error = tracker.load(setup, run: run), !error.isStuck {
                destroyTrackers()
                throw error
            }
        }
        router.boundary(TALLY_OUTPUT_RUN_BEGIN, session: 0, at: 0)
        recorder?.begin(router)
        for (tracker, setup) in zip(made, setups) where setup.enabled {
            if let error = tracker.enable(at: 0), !error.isStuck {
                destroyTrackers()
                throw error
            }
        }
        follower?.finish()
    }

    /// The number of the open session, 0 when there is none.
    package var session: UInt32 {
        machine.isInSession ? sessionCount : 0
    }

    /// Whether the player said that it plays, and not that it is paused or over.
    package var isPlaying: Bool { machine.isPlaying }

    /// The time up to which the run has come.
    package var time: Int64 {
        max(lastEventTime, lastTimerTime, lastMarkTime)
    }

    /// The time that the next event of a replay has at least: no run's goes back, and nothing is dated within a sleep.
    package var earliestEventTime: Int64 {
        max(lastEventTime, lastMarkTime)
    }

    /// Asks the reporters to deliver what they took of a session (0: of the whole run); `done` comes on any thread.
    package func flush(session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        router.flush(runID: run.id, session: session, budget: budget, done: done)
    }

    // MARK: - Live

    /// Handles an event with the time of its track call in `time_us`.
    ///
    /// Its effective time is one microsecond after the last timer that has fired when that is later, otherwise the
    /// later of its own time and the last event's.
    ///
    /// What follows from it without a track call is decided here and archived, so that a replay decides nothing.
    package func handle(_ block: UnsafeMutablePointer<tally_event>) {
        unsafe date(block)
        unsafe advance(before: block.pointee.time_us)
        let (type, time) = unsafe (EventType(rawValue: block.pointee.type), block.pointee.time_us)
        if type == .videoLoad, machine.isInSession { insert(.videoUnload, at: time) }
        unsafe dispatch(block)
        if type.isFromPlayer, let implied = machine.impliedEvent { insert(implied, at: time) }
    }

    /// Fires every timer that is due at `time` or before.
    package func advance(to time: Int64) {
        advance(before: time + 1)
    }

    /// Records that the run has come to `time` without an event; what is handled later is not dated before it.
    package func mark(at time: Int64) {
        let time = effectiveTime(of: time)
        endSilentSession(before: time)
        reach(time)
        recorder?.mark(at: time)
    }

    /// Deletes what was recorded of the run, and records nothing more.
    package func eraseRecording() {
        recorder?.erase()
    }

    /// The next timer's deadline, nil when none is running.
    package var nextDeadline: Int64? {
        var next: Int64?
        for place in 0..<trackers.count {
            if let deadline = unsafe trackers.handlers[place]._withUnsafeGuaranteedRef({ $0.timers.nextDeadline }),
                deadline < next ?? .max
            {
                next = deadline
            }
        }
        if let deadline = follower?.nextDeadline, deadline < next ?? .max { return deadline }
        return next
    }

    // MARK: - Replay

    /// Takes an event with the effective time that it had.
    package func replay(_ block: UnsafeMutablePointer<tally_event>) {
        unsafe dispatch(block)
    }

    /// Does the same with a change of the set of trackers, and gives the answer of the one that it concerns.
    package func answer(toReplayed block: UnsafeMutablePointer<tally_event>) -> ControlAnswer {
        answer = ControlAnswer(instance: "")
        unsafe dispatch(block)
        return answer
    }

    /// Fires every timer that is due before `time`.
    package func advance(before time: Int64) {
        endSilentSession(before: time)
        while let deadline = nextDeadline, deadline < time {
            fire(at: deadline)
        }
    }

    /// Notes that the run had come to `time` without an event.
    package func reach(_ time: Int64) {
        lastMarkTime = max(lastMarkTime, time)
    }

    // MARK: - End

    /// Ends an open session where the run was last seen, with an implicit unload that has a cause.
    package func endSession(cause: String) {
        if machine.isInSession { insert(.videoUnload, at: effectiveTime(of: time), cause: cause) }
    }

    /// Ends the run: an open session ends for the trackers, then they are disabled and destroyed.
    package func end(at time: Int64, reason: RunEndReason, dropped: UInt64) {
        advance(before: time)
        // As an event would be: after a timer that has fired at this instant, so that a replay fires it as well.
        let time = effectiveTime(of: time)
        reach(time)
        recorder?.end(at: time, reason: reason, dropped: dropped)
        moment = OutputMoment(event: moment.event + 1, step: 0, time: time)
        follower?.end(at: time)
        if machine.isInSession {
            endSession(TALLY_END_SHUTDOWN, at: time)
        }
        destroyTrackers()
        moment.step = OutputMoment.behindTrackers
        router.boundary(TALLY_OUTPUT_RUN_END, session: 0, at: time)
        follower?.finish()
    }

    /// Leaves the run where it is: the trackers get no session end.
    ///
    /// For an archive without an end.
    package func abandon() {
        destroyTrackers()
    }

    // MARK: - Time and order

    /// Gives an event its effective time.
    private func date(_ block: UnsafeMutablePointer<tally_event>) {
        let effective = unsafe effectiveTime(of: block.pointee.time_us)
        if unsafe effective > max(block.pointee.time_us, lastEventTime) {
            unsafe block.pointee.flags |= TALLY_EVENT_MOVED
        }
        unsafe block.pointee.time_us = effective
    }

    /// The time that an event has which came in at `time`.
    func effectiveTime(of time: Int64) -> Int64 {
        let earliest = max(time, earliestEventTime)
        return earliest <= lastTimerTime ? lastTimerTime + 1 : earliest
    }

    private func fire(at deadline: Int64) {
        lastTimerTime = deadline
        moment = OutputMoment(event: moment.event, step: OutputMoment.timers, time: deadline)
        // What may say something there is on its way before anybody sees it.
        if let follower, follower.isDue(by: deadline) { recorder?.mark(at: deadline) }
        follower?.advance(to: deadline)
        defer { follower?.finish() }
        let state = unsafe state(at: deadline)
        let said = recorder == nil ? 0 : trackers.outputCount
        for tracker in trackers.all {
            unsafe tracker.fireTimers(at: deadline, state: state)
        }
        // What a timer said is on its way: no archive may end before it, or its replay says something else instead.
        if let recorder, trackers.outputCount != said {
            recorder.mark(at: deadline)
        }
    }

    // MARK: - Dispatch

    func dispatch(_ block: UnsafeMutablePointer<tally_event>) {
        let time = unsafe block.pointee.time_us
        // In archives of the first rules a sleep is over when it is told, and timers fall due in it.
        let sleep = unsafe run.semantics < 2 ? EventView(block).sleepMicroseconds : 0
        if sleep > 0 {
            advance(before: time - sleep)
            reach(time)
        }
        advance(before: time)
        lastEventTime = time
        let type = unsafe EventType(rawValue: block.pointee.type)
        if type == .videoLoad {
            repeat { sessionCount += 1 } while erasedSessions.contains(sessionCount)
        }
        let state = unsafe UnsafeMutableRawPointer(block).advanced(by: Int(block.pointee.state_off))
            .assumingMemoryBound(to: tally_state.self)
        if type == .playheadSample {
            unsafe machine.strip(state)
        }
        // What was reported is kept for the recorder alone: the state is written over it.
        let report = unsafe recorder == nil && follower == nil ? nil : state.pointee
        let isImplicit = unsafe type == .pause && EventView(block).attributes[.implicit]?.bool == true
        let legal = unsafe machine.apply(type, isImplicit: isImplicit, report: state, at: time)
        unsafe machine.write(to: state, at: time)
        machine.forgetEndedAd()
        if legal {
            unsafe block.pointee.flags &= ~TALLY_EVENT_OUT_OF_ORDER
        } else {
            unsafe block.pointee.flags |= TALLY_EVENT_OUT_OF_ORDER
        }
        unsafe block.pointee.session = machine.isInSession ? sessionCount : 0
        if type.isFromPlayer {
            ordinal += 1
            unsafe block.pointee.ordinal = ordinal
        }
        let event = unsafe EventView(block)
        // A change that is passed over is none of this run: nobody who reads on is to make it.
        if appliesControlEvents || isTakingControls || !type.isControl {
            moment = OutputMoment(event: moment.event + 1, step: 0, time: time)
            if var report {
                unsafe withUnsafePointer(to: &report) { report in
                    unsafe recorder?.record(event, report: report)
                    unsafe follower?.follow(event, report: report)
                }
            }
        }
        deliver(event, type)
        follower?.finish()
    }

    private func deliver(_ event: EventView, _ type: EventType) {
        if type.isControl {
            router.event(event)
            moment.step = OutputMoment.beginning
            apply(event, type)
            return
        }
        if machine.isInSession {
            snapshot.follow(event)
        }
        if type == .videoLoad {
            router.boundary(TALLY_OUTPUT_SESSION_BEGIN, session: event.session, at: event.time, event: event)
        }
        router.event(event)
        if type == .consent {
            follow(consent: event)
        }
        if type == .videoLoad, trackers.count > 0 {
            moment.step = OutputMoment.beginning
            let snapshot = unsafe EventView(lent.lend(makeSnapshot(at: event.time, joined: nil).raw))
            for tracker in trackers.all {
                tracker.beginSession(snapshot, session: event.session)
            }
        }
        let sleep = run.semantics >= 2 ? event.sleepMicroseconds : 0
        if sleep > 0 { postponeTimers(before: .max, by: sleep) }
        if trackers.count > 0 {
            moment.step = OutputMoment.handling
            let readOnly = unsafe lent.lend(event.raw)
            for place in 0..<trackers.count {
                unsafe trackers.handlers[place]._withUnsafeGuaranteedRef { unsafe $0.handle(readOnly) }
            }
        }
        if type == .videoUnload, machine.isInSession {
            endSession(TALLY_END_UNLOAD, at: event.time)
        }
        if sleep > 0 {
            // The run goes on where the sleep ends: nothing is dated within it, and no timer that has just begun fires.
            lastEventTime = event.time + sleep
            postponeTimers(before: lastEventTime, by: sleep)
            machine.suspend(at: event.time)
        }
    }

    private func postponeTimers(before limit: Int64, by length: Int64) {
        for tracker in trackers.all { tracker.postponeTimers(before: limit, by: length) }
    }

    // MARK: - Trackers

    /// Outputs of a tracker that does not handle consent itself stop while consent is refused, and wait while it is
    /// pending.
    private func follow(consent event: EventView) {
        guard let state = event.attributes[.consentState]?.string else { return }
        let scope = event.attributes[.consentScope]?.string ?? UTF8Text("all")
        consents.follow(scope: scope, state: state)
        for tracker in trackers.all where scope == "all" || scope == tracker.name {
            tracker.follow(consent: ConsentGates.gate(of: state))
        }
    }

    private func destroyTrackers() {
        for tracker in trackers.all.reversed() {
            tracker.destroy()
        }
    }
}
