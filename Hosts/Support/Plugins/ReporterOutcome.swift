package import Tally

/// What became of the outputs that a reporter was handed.
package struct ReporterOutcome: Sendable, Equatable {
    /// The instance's name.
    package let name: String
    /// Outputs that it took.
    package let taken: UInt64
    /// Outputs that are lost.
    package let lost: UInt64
    /// What it said of the last loss; empty when it said nothing.
    package let lastError: String
    /// Errors that it logged.
    package let errors: Int
    /// Whether it came to its end; otherwise what it had not taken is lost too.
    package let hasEnded: Bool

    /// Whether all that it was handed has arrived, as far as it says.
    package var isComplete: Bool { lost == 0 && errors == 0 && hasEnded }

    /// What went wrong in one line, nil when nothing did.
    package var problem: String? {
        if !hasEnded { return "\(name) did not end and was left behind: what it had not taken is lost" }
        if lost > 0 {
            let reason = lastError.isEmpty ? "the reporter gave no reason" : lastError
            return "\(name) lost \(ReadableNumber.counted(lost, "output")): \(reason)"
        }
        return errors > 0 ? "\(name) met errors: its output may not be complete" : nil
    }

    /// Ends all reporters, and waits as long as they go on to take what they were handed, or say that they still work.
    ///
    /// - Parameters:
    ///   - telemetry: has the reporters; it is of no use afterwards.
    ///   - patience: how many seconds a reporter may give no sign of life before it is left behind.
    ///   - log: has counted their errors, and tells of the lines that were only counted.
    /// - Returns: what became of the outputs of each.
    package static func closing(_ telemetry: Telemetry, patience: Int, log: LogPrinter) -> [ReporterOutcome] {
        var idle = 0
        var progress: UInt64 = 0
        var open = telemetry.close(limit: 1_000)
        while !open.isEmpty, idle < patience {
            let now = telemetry.reporterStatistics.map(\.statistics).reduce(0) { $0 + $1.taken + $1.dropped + $1.signs }
            idle = now == progress ? idle + 1 : 0
            progress = now
            open = telemetry.close(limit: 1_000)
        }
        log.showHidden()
        return telemetry.reporterStatistics.map { name, statistics in
            ReporterOutcome(
                name: name,
                taken: statistics.taken,
                lost: statistics.dropped,
                lastError: statistics.lastError,
                errors: log.errors(of: name),
                hasEnded: !open.contains(name)
            )
        }
    }
}
