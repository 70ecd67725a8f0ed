internal import Coordinator
internal import Isolation
internal import PluginLoading
internal import Reporting
internal import Setup
internal import System

// Changes while a run goes on. None of these may be called on a thread of a plugin or in a delegate's information
// method; each waits for the plugin's own thread.
extension PlayerRun {
    /// How long a plugin may take to answer, ms, unless the caller says otherwise.
    public var answerLimit: Int64 { telemetry.options.answerLimit }

    /// What the plugins of this run are and did: its trackers, the reporters, what is loaded and not configured, and
    /// files that are not used.
    ///
    /// On the run's own thread, and while a plugin holds it up, the trackers are as at the last session's end, or as
    /// they began; the reason says so.
    public func plugins() -> [PluginStatus] {
        do throws(JobFailure) {
            return telemetry.pluginStatuses(trackers: try reports().map { PluginStatus($0) })
        } catch {
            let trackers = router.reports.map { report in
                var status = PluginStatus(report)
                if error == .timedOut, status.reason.isEmpty {
                    status.reason = "as of the last session's end: a plugin holds up the run's thread"
                }
                return status
            }
            return telemetry.pluginStatuses(trackers: trackers)
        }
    }

    private func reports() throws(JobFailure) -> [TrackerReport] {
        try live.perform(limit: answerLimit) { coordinator, _ in coordinator.reports }
    }

    /// What the run's trackers did by now, where ``trackerStatistics`` is as of the last session's end.
    ///
    /// - Parameter limit: how long to wait for the run's thread, ms.
    /// - Returns: the trackers in their order; nil when a plugin holds the thread up for longer, or the run is over.
    package func currentTrackers(limit: Int64) -> [(name: String, enabled: Bool, statistics: TrackerStatistics)]? {
        let reports = try? live.perform(limit: limit) { coordinator, _ in coordinator.reports }
        return reports?.map { ($0.name, $0.isEnabled, $0.statistics) }
    }

    /// Gives a plugin a new configuration, whole: archived for a tracker, and delivered in order with the events.
    ///
    /// What a value does that the plugin cannot use is the plugin's rule; one that it refuses changes nothing.
    ///
    /// - Throws: ``ControlError`` when there is no such plugin, it takes no configuration while it runs, or it refuses.
    public func configure(
        plugin name: String,
        _ configuration: JSONValue,
        cause: ControlCause = .operator
    ) throws(ControlError) {
        try telemetry.configure(name, configuration, cause) { (event) throws(ControlError) in
            try control([event])
        }
    }

    /// Gives a plugin a command or asks it a query, and waits for the answer at most `limit`, ms.
    ///
    /// A tracker's command that changes state is archived and runs again in a replay as recorded; one that the plugin
    /// does not list counts as such. A query is not archived.
    ///
    /// - Throws: ``ControlError`` when there is no such plugin or command, or the plugin refuses.
    public func command(
        plugin name: String,
        _ command: String,
        _ arguments: JSONValue = .object([:]),
        cause: ControlCause = .operator,
        limit: Int64? = nil
    ) throws(ControlError) -> JSONValue {
        try telemetry.command(name, command, arguments, cause, limit: limit) { (text, limit) throws(ControlError) in
            try ControlError.awaiting(name) { () throws(JobFailure) in
                try live.perform(limit: limit) { $0.answer(toQuery: command, of: name, arguments: text, at: $1) }?
                    .value(limit: limit)
            }
        } change: { (event, limit) throws(ControlError) in
            try control([event], limit: limit).first?.text
        }
    }

    /// Takes changes at one event boundary: all of them or none.
    @discardableResult
    func control(_ events: [ControlEvent], limit: Int64? = nil) throws(ControlError) -> [ControlAnswer] {
        let limit = limit ?? answerLimit
        return try ControlError.answers(to: events) { () throws(JobFailure) in
            let outcome = try live.perform(limit: limit) { coordinator, time in
                Result { () throws(PluginError) in try coordinator.change(events, at: time) }
            }
            return outcome.map { answers in answers.map { $0.awaited(limit: limit) } }
        }
    }
}

extension PlayerRun: ControlledPlayback {
    package var openRuns: [String] { [id] }

    package func confirmedStatus(of name: String) throws(ControlError) -> PluginStatus? {
        if let reporter = telemetry.reporter(named: name) { return reporter.status }
        do throws(JobFailure) {
            return try reports().first { $0.name == name }.map { PluginStatus($0) }
        } catch {
            let isWithdrawn = switches.withdraw(name)
            throw .notConfirmed(error, instance: name, limit: answerLimit, isWithdrawn: isWithdrawn)
        }
    }
}

extension PlayerRun: ChangedRuns {
    package func rehearse(_ events: [ControlEvent]) -> [TrackerRehearsal] {
        let rehearsals = try? live.perform(limit: answerLimit) { coordinator, _ in
            coordinator.rehearsals(for: events)
        }
        for rehearsal in rehearsals ?? [] { rehearsal.catchUp() }
        return rehearsals ?? []
    }

    package func change(
        _ events: [ControlEvent],
        _ rehearsals: [TrackerRehearsal],
        limit: Int64
    ) throws(JobFailure) -> Result<[ControlAnswer], PluginError> {
        for case .load(let setup) in events.map(\.change) where setup.isElsewhere {
            if let error = telemetry.trial(of: setup) { return .failure(error) }
        }
        let known: [ControlEvent]
        do throws(PluginError) {
            known = try events.map { event throws(PluginError) in try withSuccession(event, limit: limit) }
        } catch {
            return .failure(error)
        }
        let outcome = try live.perform(limit: limit) { coordinator, time in
            Result { () throws(PluginError) in
                try coordinator.change(known, rehearsals: rehearsals, at: time)
            }
        }
        return outcome.flatMap { answers in
            let answers = answers.map { $0.later == nil ? $0 : $0.awaited(limit: limit) }
            // Of one that comes in another process it is known only now that it does not.
            let refusal = zip(events, answers).first { event, answer in
                switch event.change {
                case .load, .replace: answer.error != nil
                default: false
                }
            }
            return refusal?.1.error.map(Result.failure) ?? .success(answers)
        }
    }

    /// A change with what other processes have found out of it: how a tracker there takes another's place.
    private func withSuccession(_ event: ControlEvent, limit: Int64) throws(PluginError) -> ControlEvent {
        guard case .replace(let setup) = event.change, setup.isElsewhere, let isolated else { return event }
        let found: Result<(IsolatedTrackers.Past, RunDescription), PluginError>?
        found = try? live.perform(limit: limit) { coordinator, _ in
            Result { () throws(PluginError) in (try isolated.past(of: setup.name), coordinator.run) }
        }
        guard let found else { throw .noAnswer(instance: setup.name) }
        let (past, run) = try found.get()
        defer { past.close() }
        let next = try telemetry.succession(of: setup, behind: past, in: run)
        return ControlEvent(instance: event.instance, change: .replace(next), cause: event.cause)
    }

    package func deliver(to consumers: [any OutputConsumer]) {
        live.perform { coordinator, time in coordinator.deliver(to: consumers, from: time) }
    }

    package func lastTrackers() -> [PluginStatus] {
        let isAsked = lastReports.with { last in
            defer { last.isAsked = true }
            return last.isAsked
        }
        if !isAsked {
            live.perform { [lastReports] coordinator, _ in
                let reports = coordinator.reports
                lastReports.with { $0 = LastReports(reports: reports) }
            }
        }
        return (lastReports.with { $0.reports } ?? router.reports).map { PluginStatus($0) }
    }
}

/// What a run's thread said last of its trackers, and whether it is asked to say it anew.
struct LastReports {
    var reports: [TrackerReport]?
    var isAsked = false
}

extension PlayerRun {
    /// Deletes what was recorded of this run so far and records nothing more of it; the run itself goes on.
    ///
    /// - Throws: ``ControlError`` when the run is over, which ``Erasure`` is for then.
    public func eraseArchive() throws(ControlError) {
        try ControlError.awaiting(id) { () throws(JobFailure) in
            try live.perform(limit: answerLimit) { coordinator, _ in coordinator.eraseRecording() }
        }
    }
}

/// Which trackers are wanted to be enabled, so that a wish that changes nothing can say so.
///
/// Thread-safe.
final class PluginSwitches: Sendable {
    /// A wish that the run's thread has not come to.
    struct Wish: Sendable, Equatable {
        let name: String
        let enable: Bool
        fileprivate let number: Int
    }

    private struct State {
        var wanted: [String: Bool]
        var open: [Wish] = []
        var lastNumber = 0
    }

    private let state: Lock<State>

    init(_ setups: [TrackerSetup]) {
        state = Lock(State(wanted: Dictionary(setups.map { ($0.name, $0.enabled) }) { first, _ in first }))
    }

    /// Notes how a tracker is, whoever made it so.
    func record(_ name: String, enabled: Bool) { state.with { $0.wanted[name] = enabled } }

    /// Notes a wish; nil beside the outcome when nothing is to be done for it.
    func request(_ name: String, enable: Bool) -> (outcome: PluginChange, wish: Wish?) {
        state.with { state in
            guard let now = state.wanted[name] else { return (.unknown(known: state.wanted.keys.sorted()), nil) }
            guard now != enable else { return (enable ? .alreadyEnabled : .alreadyDisabled, nil) }
            state.wanted[name] = enable
            state.lastNumber += 1
            let wish = Wish(name: name, enable: enable, number: state.lastNumber)
            state.open.append(wish)
            return (.requested, wish)
        }
    }

    /// Begins with a wish; false when it was withdrawn.
    func begin(_ wish: Wish) -> Bool {
        state.with { state in
            guard let place = state.open.firstIndex(of: wish) else { return false }
            state.open.remove(at: place)
            return true
        }
    }

    /// Takes back the last wish for a tracker; false when there is none that has not begun.
    func withdraw(_ name: String) -> Bool {
        state.with { state in
            guard let place = state.open.lastIndex(where: { $0.name == name }) else { return false }
            state.wanted[name] = !state.open.remove(at: place).enable
            return true
        }
    }
}
