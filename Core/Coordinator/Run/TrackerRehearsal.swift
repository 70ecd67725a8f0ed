internal import PluginABI
internal import PluginLoading
internal import System

/// A tracker that is told, unheard, what its run was told so far: then it stands where one stands that was there from
/// the beginning.
///
/// It runs in a coordinator of its own: with the configuration and the stored values that the tracker of its name began
/// with, and the changes that the archive has of it. Nobody gets its outputs, stored values, errors and log lines.
///
/// Used by one thread at a time: ``catchUp()`` on any, while the run goes on, the rest on the run's own.
@safe package final class TrackerRehearsal: @unchecked Sendable {
    /// A round that had fewer lines leaves little for the run's own thread.
    private static let fewLines = 500
    /// How often what was recorded meanwhile is replayed too, for a run that goes on faster than this.
    private static let mostRounds = 8

    private let setup: TrackerSetup
    private let run: RunDescription
    private let begun: TrackerSetup?
    private let history: any RunHistory
    private var stage: Coordinator?
    private var isWhole = true

    init(of setup: TrackerSetup, in run: RunDescription, begun: [TrackerSetup], _ history: any RunHistory) {
        self.setup = setup
        self.run = run
        self.begun = begun.first { $0.name == setup.name }
        self.history = history
    }

    deinit {
        stage?.abandon()
    }

    /// Whether this is what becomes of a setup in a run.
    func isOf(_ setup: TrackerSetup, in run: RunDescription) -> Bool {
        self.run.id == run.id && self.setup.name == setup.name && self.setup.entry.library === setup.entry.library
    }

    /// Replays what was recorded, until little is left.
    package func catchUp() { Thread.perform(name: "tally-rehearsal") { replayMost() } }

    private func replayMost() {
        var setups: [TrackerSetup] = []
        if let begun {
            var first = TrackerSetup(
                name: setup.name,
                entry: setup.entry,
                configuration: begun.configuration,
                enabled: begun.enabled
            )
            first.stored = begun.stored
            first.callLimit = setup.callLimit
            setups = [first]
        }
        guard let stage = try? Coordinator(run: run, trackers: setups, consumers: [], recorder: nil, log: .silent)
        else {
            isWhole = false
            return
        }
        stage.isRehearsal = true
        stage.callLimit = setup.callLimit
        stage.resolve = { [setup] plugin throws(PluginError) in
            guard plugin.instance == setup.name else { throw .noInstance(name: plugin.instance, known: [setup.name]) }
            return setup.entry
        }
        self.stage = stage
        for _ in 0..<Self.mostRounds where isWhole {
            guard let lines = history.replay(into: stage) else {
                isWhole = false
                return
            }
            if lines < Self.fewLines { return }
        }
    }

    /// The call that did not come back as it caught up, nil when all did.
    var stuck: PluginError? {
        guard let call = stage?.trackers.find(setup.name)?.stuckIn else { return nil }
        return .stuck(instance: setup.name, path: setup.entry.library.path, call: call)
    }

    /// Replays the rest and hands out the tracker, nil when it cannot go on where `old` stands; the run's thread at a
    /// boundary.
    ///
    /// With `mustMatch` it has to have said as much as `old` in the open session, and of the same kinds.
    func end(replacing old: TrackerInstance, at time: Int64, mustMatch: Bool) -> TrackerInstance? {
        guard isWhole, let stage, history.replay(into: stage) != nil else { return nil }
        stage.advance(before: time)
        // Another one stands there for it, and does nothing.
        guard stuck == nil else { return nil }
        guard let tracker = stage.trackers.find(old.name), tracker.isEnabled == old.isEnabled,
            !mustMatch || tracker.said == old.said
        else { return nil }
        return stage.trackers.remove(old.name)
    }
}
