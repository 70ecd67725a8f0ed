package import Coordinator
internal import PluginABI
package import PluginLoading
internal import Reporting
internal import System

// The runs that go on, and what all of them share.
extension Telemetry {
    /// Adds a run to those in which changes are made.
    ///
    /// - Parameters:
    ///   - run: the run, which is not kept alive by this.
    ///   - setups: the trackers that it began with.
    /// - Returns: what has changed since it looked for them, to be changed in it now.
    package func register(_ run: any ChangedRuns, begunWith setups: [TrackerSetup]) -> [ControlEvent] {
        addRun(run).compactMap { setup in
            let before = setups.first { $0.name == setup.name }
            guard before.map({ $0.entry.library !== setup.entry.library }) ?? true else { return nil }
            let setup = completed(setup)
            let change: ControlEvent.Change = before == nil ? .load(setup) : .replace(setup)
            return ControlEvent(instance: setup.name, change: change, cause: ControlCause.file.rawValue)
        }
    }

    /// Adds runs in which changes are made, such as those of a replay.
    ///
    /// - Returns: the trackers of a run that begins now.
    @discardableResult
    package func addRun(_ run: any ChangedRuns) -> [TrackerSetup] {
        members.with { members in
            members.runs.removeAll { $0.run == nil }
            members.runs.append(PluginMembers.Run(run: run))
            return members.setups
        }
    }

    /// Notes how a tracker is to be in runs that begin from now on.
    package func changeSetup(ofTracker name: String, _ change: (inout TrackerSetup) -> Void) {
        members.with { members in
            guard let place = members.setups.firstIndex(where: { $0.name == name }) else { return }
            change(&members.setups[place])
        }
    }

    /// Forgets a run that has ended.
    ///
    /// - Returns: whether it was the last.
    @discardableResult
    package func unregister(_ run: any ChangedRuns) -> Bool {
        members.with { members in
            members.runs.removeAll { $0.run == nil || $0.run === run }
            return members.runs.isEmpty
        }
    }

    /// Whether a reporter gets the lines of runs that begin now.
    package var handsOnLines: Bool { reporters.contains { $0.wanted & (1 << TALLY_OUTPUT_LINE) != 0 } }

    /// Drops what waits for the reporters; how many outputs.
    package func dropQueued() -> UInt64 { reporters.reduce(0) { $0 + $1.dropQueued() } }

    /// Hands the reporters of this moment to all runs, at their next event boundary.
    func shareReporters() {
        let runs = members.with { $0.liveRuns }
        let consumers = consumers
        for run in runs {
            run.deliver(to: consumers)
        }
    }

    /// Enables or disables a reporter for all runs.
    package func switchReporter(_ name: String, enable: Bool) -> PluginChange {
        changing.with { count in
            count += 1
            guard var slot = reporter(named: name) else { return .unknown(known: []) }
            let isEnabled = slot.instance?.isEnabled ?? false
            guard isEnabled != enable else { return enable ? .alreadyEnabled : .alreadyDisabled }
            do throws(ControlError) {
                try slot.set(enabled: enable, options, log)
            } catch {
                return .refused(error.description)
            }
            update(slot)
            return .requested
        }
    }

    /// Notes a configuration that a reporter took.
    package func keep(configuration: String, ofReporter name: String) {
        guard var slot = reporter(named: name) else { return }
        slot.configuration = configuration
        update(slot)
    }

    /// Puts a reporter's slot back, and tells all runs of what it wants now.
    func update(_ slot: ReporterSlot) {
        members.with { members in
            guard let place = members.reporters.firstIndex(where: { $0.name == slot.name }) else { return }
            members.reporters[place] = slot
        }
        shareReporters()
    }
}

extension ReporterSlot {
    /// Enables or disables the reporter; one that never was gets its instance now.
    package mutating func set(enabled: Bool, _ options: Telemetry.Options, _ log: PluginLog) throws(ControlError) {
        let error: PluginError?
        if let instance {
            error = try ControlError.awaiting(name) { () throws(JobFailure) in
                if enabled { return try instance.enable(limit: options.answerLimit) }
                try instance.disable(limit: options.answerLimit)
                return nil
            }
        } else {
            do throws(PluginError) {
                instance = try makeInstance(options, log)
                error = nil
            } catch let reason {
                error = reason
            }
        }
        failure = error?.reason ?? ""
        if let error { throw ControlError(error) }
    }
}
