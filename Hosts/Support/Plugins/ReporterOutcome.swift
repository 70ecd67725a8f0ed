package import Tally
package import TextEncoding

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
    /// What it says at its end of what became of what it took; null when it does not say.
    package let totals: JSONValue
    /// Whether it came to its end; otherwise what it had not taken is lost too.
    package let hasEnded: Bool

    /// What became of what a reporter had kept, as it says itself.
    package static func ofKept(_ totals: JSONValue, name: String) -> ReporterOutcome {
        ReporterOutcome(name: name, taken: 0, lost: 0, lastError: "", errors: 0, totals: totals, hasEnded: true)
    }

    /// Outputs that it took and then gave up.
    package var givenUp: UInt64 { UInt64(clamping: totals["lost"]?.int ?? 0) }

    /// Whether it took all that it was handed.
    package var hasTakenAll: Bool { lost == 0 && errors == 0 && hasEnded }

    /// Whether all that it was handed has arrived, or will, as far as it says.
    package var isComplete: Bool { hasTakenAll && givenUp == 0 }

    /// What went wrong in one line, nil when nothing did.
    package var problem: String? {
        if !hasEnded { return "\(name) did not end and was left behind: what it had not taken is lost" }
        if lost > 0 {
            let reason = lastError.isEmpty ? "the reporter gave no reason" : lastError
            return "\(name) lost \(ReadableNumber.counted(lost, "output")): \(reason)"
        }
        if givenUp > 0 {
            let reasons = Self.words(totals["given_up"] ?? .null).joined(separator: ", ")
            return "\(name) gave up \(ReadableNumber.counted(givenUp, "output"))"
                + (reasons.isEmpty ? "" : ", by reason: \(reasons)")
        }
        return errors > 0 ? "\(name) met errors: its output may not be complete" : nil
    }

    /// What it took, and what became of it, in words.
    package var summary: String {
        let lost = lost == 0 ? "" : ", lost \(ReadableNumber.grouped(lost))"
        let words = Self.words(totals).joined(separator: ", ")
        return "took \(ReadableNumber.counted(taken, "output"))\(lost)" + (words.isEmpty ? "" : ": \(words)")
    }

    /// The same in JSON.
    package var json: JSONValue {
        [
            "name": .string(name), "taken": .int(Int64(clamping: taken)), "lost": .int(Int64(clamping: lost)),
            "last_error": .string(lastError), "totals": totals, "ended": .bool(hasEnded),
        ]
    }

    /// The numbers in totals that are not 0, behind their names, but for those that are sums of others.
    ///
    /// Dead letters are what was given up for some of the reasons.
    private static func words(_ totals: JSONValue) -> [String] {
        (totals.object ?? [:]).flatMap { member -> [String] in
            guard let number = member.value.int else { return words(member.value) }
            let isShown = number > 0 && !["taken", "lost", "dead"].contains(member.key)
            return isShown ? ["\(member.key) \(ReadableNumber.grouped(UInt64(number)))"] : []
        }
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
                totals: (try? JSONParser().parse(statistics.totals)) ?? .null,
                hasEnded: !open.contains(name)
            )
        }
    }
}
