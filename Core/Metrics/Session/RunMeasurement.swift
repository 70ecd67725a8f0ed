package import EventModel

/// Measures the sessions of one player run; of a class, so that no event copies what was measured so far.
package final class RunMeasurement {
    /// The player run.
    package let run: ExactText
    /// Wall clock at the run's time 0, us since 1970.
    private let epoch: Int64
    private let grouping: [String]
    /// By how much the wall clock was set since then, us.
    private var clockSteps: Int64 = 0
    @safe @exclusivity(unchecked) private var session: SessionMeasurement?

    /// Prepares to measure a run.
    ///
    /// - Parameters:
    ///   - run: the player run.
    ///   - epoch: wall clock at its time 0, us since 1970.
    ///   - grouping: the attributes of the video whose values are kept with each session.
    package init(run: ExactText, epoch: Int64, grouping: [String]) {
        self.run = run
        self.epoch = epoch
        self.grouping = grouping
    }

    /// A session begins.
    package func begin(session number: UInt32, at time: Int64) {
        session = SessionMeasurement(run: run, session: number, begun: time, epoch: epoch, grouping: grouping)
    }

    /// A session is under way whose begin was not seen: the rest of it is measured.
    ///
    /// `attributes` are those of its video that are known from elsewhere.
    package func join(session number: UInt32, at time: Int64, known attributes: [String: String]) {
        session = SessionMeasurement(
            joining: number,
            of: run,
            at: time,
            epoch: epoch,
            grouping: grouping,
            known: attributes
        )
    }

    /// An event, also one outside of sessions.
    package func follow(_ event: EventView) {
        let type = event.type
        if type == .clockStep { clockSteps &+= event.attributes[.stepMicroseconds]?.int ?? 0 }
        guard session?.metrics.session == event.session else { return }
        if type == .systemSuspended {
            session?.sleep(event.sleepMicroseconds)
        } else if type.isFromPlayer {
            session?.follow(event, wallClock: epoch &+ event.time &+ clockSteps)
        }
    }

    /// What was measured of the session that ends; nil when its begin was not seen.
    package func end(session number: UInt32, at time: Int64) -> SessionMetrics? {
        guard session?.metrics.session == number else { return nil }
        session?.end(at: time)
        defer { session = nil }
        return session?.metrics
    }

    /// What was measured so far of the session that goes on; nil when none does.
    package var openSession: SessionMetrics? { session?.metrics }
}

/// Measures the sessions of many player runs that go on at once, from what reporters and replays are given.
///
/// One thread uses it.
package final class SessionMeter {
    /// Takes the metrics of each session that ends.
    package typealias Sink = (SessionMetrics) -> Void

    private let grouping: [String]
    private let sink: Sink
    private var runs: [ExactText: RunMeasurement] = [:]
    /// The run of the output before, taken out of ``runs``: the next output is mostly of the same one.
    private var current: RunMeasurement?

    /// Prepares to measure; `grouping` are the attributes of the video whose values are kept with each session.
    package init(grouping: [String], _ sink: @escaping Sink) {
        self.grouping = grouping
        self.sink = sink
    }

    /// A session begins.
    package func begin(run: UTF8Text, session: UInt32, at time: Int64, epoch: Int64) {
        enter(run)
        if current == nil { current = RunMeasurement(run: ExactText(run.string), epoch: epoch, grouping: grouping) }
        current?.begin(session: session, at: time)
    }

    /// An event, also one outside of sessions.
    package func follow(_ event: EventView, run: UTF8Text, epoch: Int64) {
        enter(run)
        if current == nil { current = RunMeasurement(run: ExactText(run.string), epoch: epoch, grouping: grouping) }
        current?.follow(event)
    }

    /// A session ends.
    package func end(run: UTF8Text, session: UInt32, at time: Int64) {
        enter(run)
        if let metrics = current?.end(session: session, at: time) { sink(metrics) }
    }

    /// A run ends.
    package func end(run: UTF8Text) {
        enter(run)
        current = nil
    }

    /// What was measured so far of the sessions that go on, by their runs' ids.
    package var openSessions: [SessionMetrics] {
        (runs.values.compactMap(\.openSession) + [current?.openSession].compactMap { $0 })
            .sorted { ($0.run, $0.session) < ($1.run, $1.session) }
    }

    private func enter(_ run: UTF8Text) {
        if let current, run == current.run.description { return }
        if let current { runs[current.run] = current }
        current = runs.removeValue(forKey: ExactText(run.string))
    }
}
