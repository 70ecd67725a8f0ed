internal import Archive
internal import EventModel
internal import HostSupport
internal import TextEncoding

/// `validate`: one line for each archive.
final class ArchiveValidation: ArchiveTool {
    private let json: Bool
    private var runs = 0
    private var lines = 0
    /// A run that has begun.
    private struct OpenRun {
        /// The number of its rules.
        let semantics: Int64
        /// The number and the time that its next line has at least.
        var ordinal: UInt64 = 1
        var time: Int64 = 0
    }

    private var open: [String: OpenRun] = [:]

    let takesArchivesApart = true

    init(json: Bool) {
        self.json = json
    }

    func process(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError) {
        lines += 1
        if case .header(let header) = line.content {
            runs += 1
            open[line.run] = OpenRun(semantics: header.semantics)
            return
        }
        guard var run = open[line.run] else {
            scan.report(.malformed("a line behind the end of the run \(line.run)", column: 1))
            return
        }
        if line.ordinal > run.ordinal {
            scan.report(.gap(run: line.run, missing: line.ordinal - run.ordinal))
        } else if line.ordinal < run.ordinal {
            scan.report(.outOfOrder(run: line.run, ordinal: line.ordinal))
            return
        }
        let time = line.content.time ?? 0
        if time < run.time { scan.report(.timeGoesBack(time: time, earliest: run.time)) }
        run.ordinal = line.ordinal + 1
        run.time = max(time, run.time)
        // As in a replay: what comes behind a sleep is dated behind it.
        if case .event(let event) = line.content, run.semantics >= 2 { run.time += event.sleepMicroseconds }
        open[line.run] = run
        if case .end = line.content { open[line.run] = nil }
    }

    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError) {
        if runs == 0, !scan.hasNewer { scan.report(.header("there is no player run")) }
        let name = names.first ?? ""
        if json {
            let value: JSONValue = [
                "archive": .string(name), "lines": .int(Int64(lines)), "runs": .int(Int64(runs)),
                "open_runs": .int(Int64(open.count)), "damaged": .int(Int64(scan.damaged)),
                "newer": .bool(scan.hasNewer),
            ]
            try print(json: value)
        } else {
            let verdict =
                scan.damaged > 0
                ? ReadableNumber.counted(scan.damaged, "damaged place") : scan.hasNewer ? "of a newer Tally" : "good"
            let text = "\(ReadableNumber.counted(runs, "run")), \(ReadableNumber.grouped(open.count)) without an end"
            try print("\(name): \(verdict), \(text), \(ReadableNumber.counted(lines, "line"))")
        }
        (runs, lines, open) = (0, 0, [:])
    }
}
