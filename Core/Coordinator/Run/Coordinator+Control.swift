internal import EventModel
internal import PluginABI
package import PluginLoading

// Changes of the set of trackers, at event boundaries.
extension Coordinator {
    /// Makes changes from outside at one event boundary: all of them, or none.
    ///
    /// Trackers that join or take another's place are made before anything is archived or put out, so that a failure
    /// leaves everything as it was. What a plugin then answers to a change that was archived is no failure of the
    /// change: it is in the answers. A tracker of `rehearsals` goes on where the one stands whose place it takes, if it
    /// said the same.
    package func change(
        _ controls: [ControlEvent],
        rehearsals: [TrackerRehearsal] = [],
        at time: Int64
    ) throws(PluginError) -> [ControlAnswer] {
        let effective = effectiveTime(of: time)
        advance(before: effective)
        // A tracker that takes another's place is configured as that one was last in this run.
        let controls = controls.map { $0.configured(trackers.find($0.instance)?.configuration) }
        for control in controls {
            _ = unsafe try controlBlock.write(control, of: trackers.find(control.instance), at: time)
        }
        do throws(PluginError) {
            for control in controls {
                try prepare(control, rehearsals, at: effective)
            }
        } catch {
            for (name, prepared) in pending {
                prepared.discard()
                if prepared.tracker.setup.isElsewhere { follower?.forget(name) }
            }
            pending = [:]
            throw error
        }
        var answers: [ControlAnswer] = []
        isTakingControls = true
        defer { isTakingControls = false }
        for control in controls {
            answer = ControlAnswer(instance: control.instance)
            let replacement: ControlBlock.Replacement =
                pending[control.instance]?.goesOn == true ? .replayed : .joined
            let tracker = trackers.find(control.instance)
            unsafe handle(try controlBlock.write(control, of: tracker, at: time, replacement: replacement))
            answers.append(answer)
        }
        return answers
    }

    /// Asks a tracker something that changes nothing, and so is not archived.
    package func query(
        _ instance: String,
        _ command: String,
        arguments: String,
        at time: Int64
    ) -> QueryAnswer {
        guard let tracker = trackers.find(instance) else { return .now(.failure(unknown(instance))) }
        let now = max(time, self.time)
        if let later = follower?.ask(instance, command, arguments: arguments, at: now) { return .later(later) }
        return unsafe .now(
            tracker.run(command: command, arguments: arguments, at: now, state: state(at: now), isQuery: true)
        )
    }

    /// Hands all outputs to these consumers from now on.
    package func deliver(to consumers: [any OutputConsumer], from time: Int64) {
        router.replace(consumers, at: max(time, self.time))
    }

    /// Hands all outputs to a consumer that passes them on to those that had the run's begin.
    package func divert(to consumer: any OutputConsumer) {
        router.divert(to: consumer)
    }

    /// What each tracker did so far, by name.
    package var statistics: [(name: String, enabled: Bool, TrackerStatistics)] {
        reports.map { ($0.name, $0.isEnabled, $0.statistics) }
    }

    /// Whether the run has trackers at all.
    package var hasTrackers: Bool {
        trackers.count > 0
    }

    /// What the trackers are and did, in their order.
    package var reports: [TrackerReport] {
        trackers.all.map { follower?.report(of: $0.name, isEnabled: $0.isEnabled) ?? TrackerReport($0) }
    }

    /// The plugins that others took the place of, by instance name, the oldest first.
    package var retired: [(name: String, description: PluginDescription)] {
        trackers.retired.map { ($0.name, $0.description) }
    }

    // MARK: - Before the event

    /// For each tracker that is to take another's place: what lets it catch up with the run, off the run's thread.
    package func rehearsals(for controls: [ControlEvent]) -> [TrackerRehearsal] {
        controls.compactMap { control in
            guard case .replace(let setup) = control.change, trackers.find(setup.name) != nil else { return nil }
            return setup.isElsewhere ? nil : rehearsal(of: setup)
        }
    }

    private func rehearsal(of setup: TrackerSetup) -> TrackerRehearsal? {
        recorder?.history().map { TrackerRehearsal(of: setup, in: run, begun: begun, $0) }
    }

    private func prepare(
        _ control: ControlEvent,
        _ rehearsals: [TrackerRehearsal],
        at time: Int64
    ) throws(PluginError) {
        switch control.change {
        case .load(let setup):
            guard trackers.find(setup.name) == nil, pending[setup.name] == nil else {
                throw .duplicateInstance(name: setup.name)
            }
            if setup.isElsewhere {
                guard let follower else { throw .notFollowed(instance: setup.name) }
                try follower.join(setup)
            }
            pending[setup.name] = try prepared(setup, replacing: nil, at: time)
        case .replace(let setup):
            guard let old = trackers.find(setup.name) else { throw unknown(setup.name) }
            guard !old.setup.isElsewhere else {
                _ = recorder?.flush()
                pending[setup.name] = try prepared(setup, replacing: old, at: time)
                return
            }
            let rehearsal = rehearsals.first { $0.isOf(setup, in: run) }
            if let error = rehearsal?.stuck { throw error }
            if recorder?.flush() == true, let tracker = rehearsal?.end(replacing: old, at: time, mustMatch: true) {
                pending[setup.name] = PreparedTracker(goingOn: tracker)
            } else {
                pending[setup.name] = try prepared(setup, replacing: old, at: time)
            }
        case .enable, .configure, .command:
            guard trackers.find(control.instance) != nil else { throw unknown(control.instance) }
            if let error = follower?.refusal(of: control.instance) { throw error }
        case .disable:
            guard trackers.find(control.instance) != nil else { throw unknown(control.instance) }
        }
    }

    private func prepared(
        _ setup: TrackerSetup,
        replacing old: TrackerInstance?,
        at time: Int64
    ) throws(PluginError) -> PreparedTracker {
        try PreparedTracker(setup, replacing: old, run: run, router: router, log: log, lending: lent, at: time)
    }

    private func unknown(_ instance: String) -> PluginError {
        .noInstance(name: instance, known: trackers.all.map(\.name))
    }

    // MARK: - At the event

    /// Does what a control event says, live and in a replay as recorded.
    func apply(_ event: EventView, _ type: EventType) {
        guard appliesControlEvents || isTakingControls, let name = ControlBlock.text(event, .plugin) else { return }
        switch type {
        case .pluginLoaded: join(name, event)
        case .pluginReplaced:
            // One that catches up with the run is the one that takes the place: only a session that ended is news to
            // it.
            guard !isRehearsal || makesRoom || ControlBlock.replacement(event) == .joined else { return }
            replace(name, event)
        default:
            guard let tracker = trackers.find(name) else { return }
            apply(event, type, to: tracker)
        }
    }

    private func apply(_ event: EventView, _ type: EventType, to tracker: TrackerInstance) {
        answer.later = follower?.answer(of: tracker.name)
        switch type {
        case .pluginEnabled:
            guard !tracker.isEnabled else { return }
            if let error = tracker.enable(at: event.time) {
                answer.error = error
                onFault?(tracker.name, "enable", error.reason, "")
            } else {
                beginJoinedSession(of: tracker, at: event.time)
            }
        case .pluginDisabled:
            leave(tracker, TALLY_END_DISABLE, at: event.time)
        case .pluginConfigured:
            let configuration = ControlBlock.text(event, .configuration) ?? "{}"
            if let error = unsafe tracker.configure(configuration, at: event.time, state: state(at: event.time)) {
                answer.error = error
                log.write(tracker.name, TALLY_LOG_ERROR, error.reason)
            }
        case .pluginCommand:
            let result = unsafe tracker.run(
                command: ControlBlock.text(event, .pluginCommand) ?? "",
                arguments: ControlBlock.text(event, .pluginArguments) ?? "{}",
                at: event.time,
                state: state(at: event.time),
                isQuery: false
            )
            switch result {
            case .success(let text): answer.text = text
            case .failure(let error): answer.error = error
            }
        default: break
        }
    }

    private func join(_ name: String, _ event: EventView) {
        guard trackers.find(name) == nil, let prepared = prepared(name, event, replacing: nil) else { return }
        trackers.append(prepared.tracker)
        adopt(prepared)
        beginJoinedSession(of: prepared.tracker, at: event.time)
        if prepared.tracker.setup.isElsewhere { answer.later = follower?.answer(of: name) }
    }

    /// The old one ends its session after the new one is ready, unless that one goes on where it stands.
    private func replace(_ name: String, _ event: EventView) {
        // Where its process has made one ready, the one before is in another.
        guard let old = trackers.find(name) else { return pending[name] == nil ? () : join(name, event) }
        if makesRoom {
            return ControlBlock.replacement(event) == .joined
                ? leave(old, TALLY_END_REPLACE, at: event.time) : old.disable()
        }
        guard let prepared = prepared(name, event, replacing: old) else { return }
        let tracker = prepared.tracker
        if prepared.goesOn {
            tracker.goOn(from: old)
            listen(to: tracker)
            old.disable()
            logArrival(of: tracker, "goes on in the run")
        } else {
            adopt(prepared)
            old.continueCounting(of: tracker)
            leave(old, TALLY_END_REPLACE, at: event.time)
            tracker.continueCounting(of: old)
        }
        if !old.failure.isEmpty, !tracker.isEnabled { advise(tracker) }
        old.destroy()
        trackers.replace(with: tracker)
        if tracker.setup.isElsewhere {
            answer.later = follower?.replace(tracker.setup, at: moment.event, isEnabled: tracker.isEnabled)
        }
        if !prepared.goesOn {
            beginJoinedSession(of: tracker, at: event.time)
        }
    }

    private func advise(_ tracker: TrackerInstance) {
        tracker.advice = TrackerReport.advice(for: tracker.name)
        log.write(tracker.name, TALLY_LOG_WARN, tracker.advice)
    }

    /// The tracker that was prepared for an event; a replay prepares it now.
    private func prepared(
        _ name: String,
        _ event: EventView,
        replacing old: TrackerInstance?
    ) -> PreparedTracker? {
        if let prepared = pending.removeValue(forKey: name) {
            return prepared
        }
        guard let plugin = RecordedPlugin(event), let resolve else { return nil }
        do throws(PluginError) {
            var setup = ControlBlock.setup(event, of: plugin, entry: try resolve(plugin))
            setup.callLimit = callLimit
            let recorded = ControlBlock.replacement(event)
            if let old, recorded != .joined, let rehearsal = rehearsal(of: setup) {
                rehearsal.catchUp()
                if let tracker = rehearsal.end(replacing: old, at: event.time, mustMatch: recorded == nil) {
                    return PreparedTracker(goingOn: tracker)
                }
            }
            return try prepared(setup, replacing: old, at: event.time)
        } catch {
            onUnresolved?(error)
            return nil
        }
    }

    /// A tracker that joins a session in its midst begins with all that is known of it.
    func beginJoinedSession(of tracker: TrackerInstance, at time: Int64) {
        guard machine.isInSession else { return }
        let snapshot = unsafe EventView(lent.lend(makeSnapshot(at: time, joined: tracker.name).raw))
        tracker.beginSession(snapshot, session: sessionCount)
    }

    /// A tracker that leaves gets the end of its session first.
    func leave(_ tracker: TrackerInstance, _ reason: UInt32, at time: Int64) {
        if machine.isInSession {
            unsafe tracker.endSession(reason: reason, at: time, state: state(at: time))
        }
        tracker.disable()
    }

    /// Is driven from now on by the thread that this memory belongs to.
    package func move(to lent: LentMemory) {
        self.lent = lent
        for tracker in trackers.all { tracker.lent = lent }
    }

    /// The player at an instant, as trackers are lent it for calls that are no events.
    func state(at time: Int64) -> UnsafePointer<tally_state> {
        unsafe machine.write(to: lent.state, at: time)
        return unsafe lent.lentState
    }

    /// What the viewer's decisions so far do to the outputs of a tracker that joins.
    func gate(of tracker: TrackerInstance) -> OutputGate {
        tracker.description.handlesConsent ? .open : consents.gate(of: tracker.name)
    }

    /// Hands on what a tracker says beside its outputs.
    func listen(to tracker: TrackerInstance) {
        let name = tracker.name
        tracker.onFault = { [weak self] fault in
            guard let onFault = self?.onFault else { return false }
            onFault(fault.instance, fault.code, fault.message, fault.details)
            return true
        }
        tracker.onDisabled = { [weak self] in self?.onDisabled?(name) }
        tracker.onOverBudget = { [weak self] in self?.onOverBudget?(name) }
        tracker.onStuck = { [weak self, weak tracker] in if let tracker { self?.goOn(without: tracker) } }
        tracker.onStore = { [weak self] key, value in self?.onStore?(name, key, value) }
    }

    /// Goes on without a tracker that is in a call which was given up; it keeps what it was lent.
    private func goOn(without stuck: TrackerInstance) {
        lent.leaveBehind()
        trackers.leaveBehind(stuck, for: TrackerInstance(inPlaceOf: stuck, run: run))
        onStuck?((stuck.name, stuck.description), stuck.stuckIn ?? "")
    }

    private func adopt(_ prepared: PreparedTracker) {
        let tracker = prepared.tracker
        // One that caught up was driven by another thread.
        tracker.lent = lent
        listen(to: tracker)
        guard let onStore = tracker.onStore, let onFault = tracker.onFault else { return }
        prepared.join(gate: gate(of: tracker), onStore: onStore, onFault: onFault)
        logArrival(of: tracker, "is in the run")
    }

    /// Logs that a tracker has come; of one in another process that is said there.
    private func logArrival(of tracker: TrackerInstance, _ what: String) {
        guard !tracker.setup.isElsewhere else { return }
        log.write(tracker.name, TALLY_LOG_INFO, "\(tracker.description.id) \(tracker.description.version) \(what)")
    }
}
