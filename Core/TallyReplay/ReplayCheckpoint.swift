internal import Coordinator

/// How far a replay has come, so that another process can go on from there.
package struct ReplayCheckpoint: Sendable, Equatable {
    /// The archive that was being read, by its place.
    package var archive: Int
    /// The last line of it whose outputs are in the reporters.
    package var line: Int
    /// Runs that were open there.
    package var openRuns: [String] = []
    /// Runs of which nothing is replayed: erased, not chosen, without a header.
    package var refusedRuns: [String] = []
    /// Runs that are over, by ``PassedRun/key(_:)``, where what comes again is left out.
    package var passedRuns: [UInt64: PassedRun] = [:]
    /// What was read and made up to there; the lines and bytes of whole archives alone.
    package var summary: ReplaySummary

    /// Whether lines that were done with follow a line of an archive.
    func isAhead(ofArchive archive: Int, line: Int) -> Bool { (archive, line) < (self.archive, self.line) }

    /// A place without open runs.
    package init(archive: Int, line: Int, summary: ReplaySummary) {
        self.archive = archive
        self.line = line
        self.summary = summary
    }
}

/// Keeps checkpoints of a replay.
package struct CheckpointKeeper: Sendable {
    /// Whether it is time for one; asked often.
    package var isDue: @Sendable () -> Bool
    /// Keeps one; the reporters have all outputs up to there, and nothing goes on meanwhile.
    package var write: @Sendable (ReplayCheckpoint) -> Void

    /// Keeps checkpoints with two functions, which one thread calls at a time.
    package init(isDue: @escaping @Sendable () -> Bool, write: @escaping @Sendable (ReplayCheckpoint) -> Void) {
        self.isDue = isDue
        self.write = write
    }
}

/// What an earlier process had done of an archive, until a replay has passed it again.
final class ReplayRestoration {
    /// The last line that was done with.
    let line: Int
    /// Runs that were open there: their lines are replayed once more, silently.
    let openRuns: Set<String>
    private let gates: [ResumedOutputs]
    private let summary: ReplaySummary

    /// `summary` is what is counted so far.
    init(_ checkpoint: ReplayCheckpoint, _ gates: [ResumedOutputs], summary: ReplaySummary) {
        line = checkpoint.line
        openRuns = Set(checkpoint.openRuns)
        self.gates = gates
        self.summary = summary
    }

    /// From here on everything is new: outputs pass, and what the silent lines were counted for is taken back.
    func end(_ summary: inout ReplaySummary) {
        for gate in gates { gate.isOpen = true }
        summary = self.summary
    }
}

/// Lets outputs through to a consumer once a replay has come to where an earlier process had left off. [core]
final class ResumedOutputs: OutputConsumer {
    /// Whether what comes is new; what an earlier process had put out is dropped.
    @safe @exclusivity(unchecked) var isOpen = false
    private let consumer: any OutputConsumer

    init(_ consumer: any OutputConsumer) { self.consumer = consumer }

    var wanted: UInt32 { consumer.wanted }

    func consume(_ output: Output) {
        if isOpen { consumer.consume(output) }
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        consumer.flush(runID: runID, session: session, budget: budget, done: done)
    }
}
