internal import HostSupport
internal import PlaybackEngine
internal import Tally
internal import TextEncoding

/// What the runs of many players came to, one by one and in all.
struct ParallelSummary {
    var runs: [PlaybackSummary]

    /// The first in the players' order that is no success.
    var exitCode: ExitCode { runs.lazy.map(\.exitCode).first { $0 != .success } ?? .success }

    func show(on log: LogPrinter, to status: SharedProgressLine, quiet: Bool, json wantsJSON: Bool) {
        if !quiet, !wantsJSON { for line in lines { status.write(above: line + "\n") } }
        for problem in Set(runs.flatMap(\.problems)).sorted() { log.show(.warning, problem) }
        for (index, run) in runs.enumerated() {
            for text in run.unmet { log.show(.error, "player \(index + 1): \(text)") }
            if let error = run.error { log.show(.error, "player \(index + 1): \(error.description)") }
        }
        if wantsJSON { status.write(above: PrintableText.json(value) + "\n") }
    }

    var value: JSONValue {
        ["players": .int(Int64(runs.count)), "runs": .array(runs.map(\.value)), "totals": totals]
    }

    private var totals: JSONValue {
        let startups = startups
        return [
            "complete": .int(Int64(runs.filter(\.figures.isComplete).count)),
            "failed": .int(Int64(runs.filter { $0.error != nil }.count)),
            "startup_ms_least": startups.first.map { .int($0) } ?? .null,
            "startup_ms_median": startups.isEmpty ? .null : .int(startups[startups.count / 2]),
            "startup_ms_most": startups.last.map { .int($0) } ?? .null,
            "stalls": .int(Int64(runs.reduce(0) { $0 + $1.figures.stalls })),
            "stalled_ms": .int(runs.reduce(0) { $0 + $1.figures.stalledNs } / 1_000_000),
            "played_ms": .int(runs.reduce(0) { $0 + $1.figures.playedNs } / 1_000_000),
            "rendered_frames": .int(runs.reduce(0) { $0 + $1.figures.renderedFrames }),
            "dropped_frames": .int(runs.reduce(0) { $0 + $1.figures.droppedFrames }),
            "events": .int(runs.reduce(0) { $0 + Int64($1.figures.events) }),
            "lost_attributes": .int(runs.reduce(0) { $0 + Int64($1.figures.refusedAttributes) }),
            "lost_events": .int(runs.reduce(0) { $0 + Int64(clamping: $1.lostEvents) }),
            "exit_code": .int(Int64(exitCode.rawValue)),
        ]
    }

    private var startups: [Int64] { runs.compactMap(\.figures.startupMs).sorted() }

    private var lines: [String] {
        let head = ["player", "startup", "played", "stalls", "stalled", "dropped", "end"]
        return TextTable.aligned([head] + runs.enumerated().map(row) + [totalRow])
    }

    private func row(_ index: Int, _ run: PlaybackSummary) -> [String] {
        [
            String(index + 1), run.figures.startupMs.map { "\($0) ms" } ?? "-", time(run.figures.playedNs),
            String(run.figures.stalls), time(run.figures.stalledNs),
            ReadableNumber.grouped(Int(run.figures.droppedFrames)), run.endText,
        ]
    }

    private var totalRow: [String] {
        let startups = startups
        let errors = runs.filter { $0.error != nil }.count
        return [
            "all", startups.isEmpty ? "-" : "\(startups[startups.count / 2]) ms",
            time(runs.reduce(0) { $0 + $1.figures.playedNs }), String(runs.reduce(0) { $0 + $1.figures.stalls }),
            time(runs.reduce(0) { $0 + $1.figures.stalledNs }),
            ReadableNumber.grouped(Int(runs.reduce(0) { $0 + $1.figures.droppedFrames })),
            errors == 0 ? "no errors" : "\(errors) failed",
        ]
    }

    private func time(_ nanoseconds: Int64) -> String { ReadableNumber.shortTime(microseconds: nanoseconds / 1000) }
}
