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
