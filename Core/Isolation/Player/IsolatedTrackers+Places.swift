package import Coordinator
internal import Glibc
package import PluginLoading
internal import Synchronization
internal import System

// Trackers that come while a run goes on: those that join, and those that take another's place.
extension IsolatedTrackers {
    /// A tracker of the run; nil when it is not one of these.
    func find(_ name: String) -> IsolatedTracker? { trackers.first { $0.tracker.name == name }?.tracker }

    /// What is known of a tracker.
    func known(of tracker: String) -> IsolationState.Known { shared.known.with { $0[tracker] ?? .init() } }

    /// The run's lines so far, the caller's to close; nil when they are not kept.
    func readable() -> (descriptor: Int32, bytes: Int)? { recorder?.readable() }

    package func join(_ setup: TrackerSetup) throws(PluginError) {
        guard !trackers.contains(where: { $0.tracker.name == setup.name }) else {
            throw .duplicateInstance(name: setup.name)
        }
        guard let history = recorder?.readable() ?? (number == 1 ? (-1, 0) : nil) else {
            throw .refusedElsewhere(instance: setup.name, reason: Self.notKept)
        }
        let place = (places.values.max() ?? 0) + 1
        places[setup.name] = place
        unsafe lastSpeaker = (nil, 0)
        let tracker = IsolatedTracker(setup, place: place, isBegun: false, run: run)
        trackers.append((tracker, nil))
        shared.added.with { $0.append(tracker) }
        let lines = history.descriptor < 0 ? nil : history
        trackers[trackers.count - 1].page = begin(tracker, behind: number, at: ring.written, lines)
    }

    package func replace(_ setup: TrackerSetup, at event: UInt64, isEnabled: Bool) -> (any LaterAnswer)? {
        guard let tracker = find(setup.name) else { return nil }
        let hasFailed = !known(of: setup.name).failure.isEmpty
        let answer = TrackerAnswer(tracker: setup.name)
        let successor = IsolatedTracker.Successor(
            setup: setup,
            place: TakenPlace(event: event, goesOn: setup.goesOn, isEnabled: isEnabled && !hasFailed),
            hasFailed: hasFailed,
            answer: answer
        )
        shared.successors.with { $0.append((tracker, successor)) }
        shared.callIfAsleep()
        return answer
    }

    package func refusal(of tracker: String) -> PluginError? {
        let known = known(of: tracker)
        guard known.isOut else { return nil }
        let reason = "the run goes on without it: \(known.failure); put a newer file into its place, or play again"
        return .refusedElsewhere(instance: tracker, reason: reason)
    }

    package func forget(_ tracker: String) {
        trackers.removeAll { $0.tracker.name == tracker }
        places[tracker] = nil
        shared.forgotten.with { $0.append(tracker) }
        shared.callIfAsleep()
    }

    // MARK: - Trials

    /// What a tracker of the run was told so far, and how it began.
    package struct Past: Sendable {
        /// How it began.
        package let setup: TrackerSetup
        /// Whether it was there when the run began; otherwise an event had it join.
        let isBegun: Bool
        fileprivate let history: (descriptor: Int32, bytes: Int)

        /// The lines, by a descriptor of the caller's own.
        func lines() -> (descriptor: Int32, bytes: Int) { (dup(history.descriptor), history.bytes) }

        /// Forgets the lines.
        package func close() { Glibc.close(history.descriptor) }
    }

    /// What a tracker was told so far, the caller's to close; on the run's thread.
    ///
    /// - Throws: ``PluginError`` when there is no such tracker here, or the lines are not kept.
    package func past(of tracker: String) throws(PluginError) -> Past {
        guard let found = find(tracker) else { throw .noInstance(name: tracker, known: []) }
        guard let history = readable() else { throw .refusedElsewhere(instance: tracker, reason: Self.notKept) }
        return Past(setup: found.setup, isBegun: found.isBegun, history: history)
    }

    /// What is said where no new process can be told a run.
    static let notKept =
        "what the run was told is not kept, so that no process can be told: record it with an archive"

    /// Where a tracker stands, once its process has told it what there was.
    ///
    /// - Throws: why it does not stand anywhere: its process ended, or was ended.
    package func standing(of tracker: String) throws(PluginError) -> (TrackerStanding, hasSpokenFirst: Bool) {
        let known = known(of: tracker)
        guard known.failure.isEmpty else { throw .refusedElsewhere(instance: tracker, reason: known.failure) }
        return (known.standing, known.hasSpokenFirst)
    }
}
