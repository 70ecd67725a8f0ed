internal import Coordinator
internal import Isolation
internal import PluginLoading
internal import Setup
internal import System

// Trackers in processes of their own, in a live run.
extension Telemetry {
    /// Begins the processes of those trackers that have one; nil when none has, or ever will.
    func isolatedTrackers(
        _ setups: [TrackerSetup],
        of run: RunDescription,
        _ recorder: (any RunRecorder)?
    ) throws(TelemetryError) -> IsolatedTrackers? {
        guard options.mode == .live, options.isolatesTrackers || setups.contains(where: \.isElsewhere) else {
            return nil
        }
        do throws(PluginError) {
            return try isolated(setups, of: run, recorder, consumers, log)
        } catch {
            throw TelemetryError(error)
        }
    }

    /// Has a process of its own make a tracker once, unheard; what is refused there.
    func trial(of setup: TrackerSetup) -> PluginError? {
        var setup = setup
        setup.isRequired = true
        do throws(PluginError) {
            let trial = try isolated([setup], of: RunDescription(id: "rehearsal", epoch: 0), nil, [], .silent)
            trial.close()
            _ = try trial.standing(of: setup.name)
            return nil
        } catch {
            return error
        }
    }

    /// Has processes of their own tell a tracker of a run and the one that is to take its place, unheard, what the run
    /// was told so far.
    ///
    /// - Returns: how it takes the place.
    /// - Throws: why it does not.
    func succession(
        of setup: TrackerSetup,
        behind past: IsolatedTrackers.Past,
        in run: RunDescription
    ) throws(PluginError) -> TrackerSetup {
        var next = setup
        let before = try? standing(of: past.setup, behind: past, in: run)
        next.configuration = before?.standing.configuration ?? past.setup.configuration
        var begun = past.setup
        begun = TrackerSetup(
            name: setup.name,
            entry: setup.entry,
            configuration: past.setup.configuration,
            enabled: past.setup.enabled
        )
        (begun.stored, begun.isElsewhere) = (past.setup.stored, true)
        do throws(PluginError) {
            let standing = try standing(of: begun, behind: past, in: run).standing
            next.goesOn = before?.standing.said == standing.said && !standing.isHeld
        } catch {
            // A configuration that is refused may be so no more.
            guard case .failed = error else { throw error }
        }
        guard !next.goesOn else { return next }
        let trial = try isolated([next], of: run, nil, [], .silent)
        trial.close()
        guard try !trial.standing(of: setup.name).hasSpokenFirst else {
            throw .refusedElsewhere(
                instance: setup.name,
                reason: "it speaks before it is told anything, so it cannot take a place while a run goes on"
            )
        }
        return next
    }

    private func standing(
        of setup: TrackerSetup,
        behind past: IsolatedTrackers.Past,
        in run: RunDescription
    ) throws(PluginError) -> (standing: TrackerStanding, hasSpokenFirst: Bool) {
        var setup = setup
        setup.isRequired = true
        let trial = try isolated([setup], of: run, nil, [], .silent, past)
        trial.close()
        let (standing, hasSpokenFirst) = try trial.standing(of: setup.name)
        return (standing, hasSpokenFirst)
    }

    private func isolated(
        _ setups: [TrackerSetup],
        of run: RunDescription,
        _ recorder: (any RunRecorder)?,
        _ consumers: [any OutputConsumer],
        _ log: PluginLog,
        _ past: IsolatedTrackers.Past? = nil
    ) throws(PluginError) -> IsolatedTrackers {
        var isolation = IsolatedTrackers.Options(program: options.isolatingProgram)
        isolation.memoryBytes = options.trackerMemoryBytes
        isolation.hold = options.trackerHold
        // A trial is nobody's run.
        if consumers.isEmpty, recorder == nil { isolation.mostEnds = 1 }
        if let limit = options.callLimit { isolation.limit = limit == 0 ? .max / 1_000_000 : limit }
        return try IsolatedTrackers(
            setups,
            run: run,
            consumers: consumers,
            recorder: recorder,
            options: isolation,
            log: log,
            past: past
        )
    }
}

extension IsolatedTrackers {
    /// Connects them with a run that goes on.
    func attach(
        to live: LiveRun,
        _ slow: SlowTrackers,
        _ switches: PluginSwitches,
        _ router: RunRouter,
        _ telemetry: Telemetry
    ) {
        var listener = IsolationListener()
        if let store = telemetry.store { listener.onStore = { store.put($0, $1, $2) } }
        listener.onFault = { [weak router] plugin, code, message, details in
            router?.report(TrackerError(plugin: plugin, code: code, message: message, details: details))
        }
        listener.onDisabled = { switches.record($0, enabled: false) }
        let quarantine = telemetry.catalog.admission.quarantine
        listener.onOut = { name, plugin, end in
            slow.disable(name, end.isHang ? .timeBudget : .crash)
            if end.isItsFault { quarantine?.add(plugin, reason: end.reason) }
        }
        listener.onDeadline = { [weak live] in live?.wake() }
        listen(listener)
        schedule { [weak live] body in live?.schedule { body() } ?? false }
    }
}
