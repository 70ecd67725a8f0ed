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
    /// What was read and made up to there; the lines and bytes of whole archives alone.
    package var summary: ReplaySummary

    /// Whether lines that were done with follow a line of an archive.
    func isAhead(ofArchive archive: Int, line: Int) -> Bool {
        (archive, line) < (self.archive, self.line)
    }

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
