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
            try isolated([setup], of: RunDescription(id: "rehearsal", epoch: 0), nil, [], .silent).close()
            return nil
        } catch {
            return error
        }
    }

    private func isolated(
        _ setups: [TrackerSetup],
        of run: RunDescription,
        _ recorder: (any RunRecorder)?,
        _ consumers: [any OutputConsumer],
        _ log: PluginLog
    ) throws(PluginError) -> IsolatedTrackers {
        var isolation = IsolatedTrackers.Options(program: options.isolatingProgram)
        isolation.memoryBytes = options.trackerMemoryBytes
        isolation.hold = options.trackerHold
        if let limit = options.callLimit { isolation.limit = limit == 0 ? .max / 1_000_000 : limit }
        return try IsolatedTrackers(
            setups,
            run: run,
            consumers: consumers,
            recorder: recorder,
            options: isolation,
            log: log
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
        listener.onDeadline = { [weak live] in live?.queue.interrupt() }
        listen(listener)
        schedule { [weak live] body in live?.schedule { body() } ?? false }
    }
}
