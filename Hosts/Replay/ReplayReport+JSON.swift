internal import HostSupport
internal import Tally
internal import TextEncoding

extension ReplayReport {
    /// The summary as one line of JSON.
    var json: String {
        let value: JSONValue = [
            "archives": number(archives),
            "lines": number(summary.lines),
            "reordered": number(summary.reordered),
            "bytes": number(summary.bytes),
            "runs": number(summary.runs),
            "unselected_runs": number(summary.unselectedRuns),
            "open_runs": number(summary.openRuns),
            "sessions": number(summary.sessions),
            "events": number(summary.events),
            "run_time_us": .int(summary.runTime),
            "records": number(summary.records),
            "beacons": number(summary.beacons),
            "tracker_errors": number(summary.trackerErrors),
            "damaged": number(summary.damaged),
            "places": .array(summary.places.map { .string($0) }),
            "failures": .array(failures.map { ["code": .string($0.exitCode.name), "message": .string($0.message)] }),
            "reporters": .array(reporters.map(json)),
            "elapsed_us": .int(elapsed),
            "stopped": stopReason.map { .string($0) } ?? .null,
            "exit_code": .int(Int64(exitCode.rawValue)),
        ]
        return value.canonicalText + "\n"
    }

    private func json(_ reporter: ReporterOutcome) -> JSONValue {
        [
            "name": .string(reporter.name), "taken": number(reporter.taken), "lost": number(reporter.lost),
            "last_error": .string(reporter.lastError), "ended": .bool(reporter.hasEnded),
        ]
    }

    private func number(_ count: some BinaryInteger) -> JSONValue {
        .int(Int64(clamping: count))
    }
}
