internal import HostSupport
internal import Tally
internal import TextEncoding

/// What a replay came to, for people.
struct ReplayReport {
    /// How many damaged places are shown; the JSON summary has more.
    private static let placesShown = 10

    let archives: Int
    /// Whether there were plugins to replay to.
    let hasPlugins: Bool
    let summary: ReplaySummary
    /// How many damaged places are no failure.
    let damagedLimit: Int
    let failures: [ReplayWork.Failure]
    let reporters: [ReporterOutcome]
    /// How long it took, us.
    let elapsed: Int64
    /// The configured plugins that it went without.
    let absent: [PluginStatus]
    /// Why the replay ended before its archives did; nil when it did not.
    let stopReason: String?
    /// Whether that is no success: a signal ended what had an end of its own.
    let isInterrupted: Bool
    /// What a comparison with an earlier output came to, once there was one.
    var comparison: ExitCode?

    /// How the program ends: the first in this order that applies.
    var exitCode: ExitCode {
        let failed = failures.map(\.exitCode)
        if let code = failed.first(where: { [.pluginFailed, .badConfiguration, .usage].contains($0) }) { return code }
        if !reporters.allSatisfy(\.isComplete) { return .outputFailed }
        if summary.trackerErrors > 0 { return .pluginFailed }
        for code in [ExitCode.cannotCreate, .newerVersion, .noInput] where failed.contains(code) { return code }
        if summary.damaged > damagedLimit || !failed.isEmpty { return .badData }
        if isInterrupted { return .interrupted }
        return comparison ?? .success
    }

    /// Writes the summary and then what went wrong.
    func show(on log: LogPrinter, quiet: Bool, json wantsJSON: Bool) {
        if !quiet, !wantsJSON {
            let terminal = StandardStream.error.terminal
            try? StandardStream.error.write(text(on: terminal) + "\n")
        }
        for problem in problems { log.show(.warning, problem) }
        if wantsJSON { try? StandardStream.error.write(json) }
    }

    /// What went wrong on the way, one line each; failures were told when they happened.
    private var problems: [String] {
        var lines: [String] = []
        if summary.damaged > 0 {
            lines.append("damaged places in the archives: \(ReadableNumber.grouped(summary.damaged))")
            // What ended an archive's replay was told when it happened.
            let told = Set(failures.map(\.message))
            lines += summary.places.prefix(Self.placesShown).filter { !told.contains($0) }
            if summary.damaged > Self.placesShown {
                lines.append("... and \(ReadableNumber.grouped(summary.damaged - Self.placesShown)) more")
            }
        }
        if summary.trackerErrors > 0 {
            lines.append(
                "trackers returned \(ReadableNumber.counted(summary.trackerErrors, "error")): "
                    + "what they say may not be complete"
            )
        }
        return lines + reporters.compactMap(\.problem)
    }

    /// The summary as a table.
    private func text(on terminal: Terminal) -> String {
        let size = "\(ReadableNumber.bytes(summary.bytes)), \(ReadableNumber.counted(summary.lines, "line"))"
        let what = ReadableNumber.counted(archives, "archive")
        let time = ReadableNumber.shortTime(microseconds: elapsed)
        let head = "\(hasPlugins ? "Replayed" : "Checked") \(what) (\(size)) in \(time)"
        let others = summary.unselectedRuns
        let chosen = others == 0 ? "" : " of \(ReadableNumber.grouped(summary.runs + others))"
        let open = summary.openRuns == 0 ? "" : " (\(ReadableNumber.grouped(summary.openRuns)) without an end)"
        var rows = [
            ("player runs", ReadableNumber.grouped(summary.runs) + chosen + open),
            ("sessions", ReadableNumber.grouped(summary.sessions)),
            ("events", ReadableNumber.grouped(summary.events)),
            ("run time", ReadableNumber.duration(microseconds: summary.runTime)),
        ]
        if summary.reordered > 0 {
            rows.append(("put in order", ReadableNumber.counted(summary.reordered, "line")))
        }
        if summary.closedRuns > 0 {
            let left = summary.leftOutLines
            let lost = left == 0 ? "" : ", \(ReadableNumber.counted(left, "line")) left out"
            let kept = summary.keptBytes == 0 ? "" : ", \(ReadableNumber.bytes(summary.keptBytes)) kept"
            let again = ReadableNumber.grouped(summary.reopenedRuns)
            let closed = ReadableNumber.grouped(summary.closedRuns)
            rows.append(("closed early", "\(closed) (\(again) begun again\(lost)\(kept))"))
        }
        if summary.repeated > 0 {
            rows.append(("came again", ReadableNumber.counted(summary.repeated, "line") + ", left out"))
        }
        if hasPlugins {
            rows.append(("records", ReadableNumber.grouped(summary.records)))
            rows.append(("beacons", ReadableNumber.grouped(summary.beacons)))
        }
        for reporter in reporters {
            rows.append((reporter.name, reporter.summary))
        }
        for plugin in absent { rows.append((plugin.name, plugin.absenceText)) }
        let lines = TextTable.aligned(rows.map { [$0.0, $0.1] }).map { "  " + $0 }
        return ([terminal.styled(head, .bold)] + lines).joined(separator: "\n")
    }
}

extension ReplayReport {
    /// The summary as one line of JSON.
    var json: String {
        let value: JSONValue = [
            "archives": number(archives), "lines": number(summary.lines), "reordered": number(summary.reordered),
            "repeated": number(summary.repeated),
            "bytes": number(summary.bytes), "runs": number(summary.runs),
            "unselected_runs": number(summary.unselectedRuns), "open_runs": number(summary.openRuns),
            "ended_runs": number(summary.endedRuns), "closed_runs": number(summary.closedRuns),
            "reopened_runs": number(summary.reopenedRuns), "left_out_lines": number(summary.leftOutLines),
            "kept_bytes": number(summary.keptBytes), "sessions": number(summary.sessions),
            "events": number(summary.events), "run_time_us": .int(summary.runTime),
            "records": number(summary.records), "beacons": number(summary.beacons),
            "tracker_errors": number(summary.trackerErrors), "damaged": number(summary.damaged),
            "places": .array(summary.places.map { .string($0) }),
            "failures": .array(failures.map { ["code": .string($0.exitCode.name), "message": .string($0.message)] }),
            "reporters": .array(reporters.map(\.json)),
            "absent_plugins": .array(absent.map(\.absenceJSON)),
            "elapsed_us": .int(elapsed),
            "stopped": stopReason.map { .string($0) } ?? .null,
            "exit_code": .int(Int64(exitCode.rawValue)),
        ]
        return PrintableText.json(value) + "\n"
    }

    private func number(_ count: some BinaryInteger) -> JSONValue {
        .int(Int64(clamping: count))
    }
}
