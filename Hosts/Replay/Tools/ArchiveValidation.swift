internal import Archive
internal import EventModel
internal import HostSupport
internal import TextEncoding

/// `validate`: one line for each archive.
final class ArchiveValidation: ArchiveTool {
    private let json: Bool
    private var runs = 0
    private var lines = 0
    private var order = RunOrder()

    let takesArchivesApart = true

    init(json: Bool) {
        self.json = json
    }

    func process(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError) {
        lines += 1
        if case .header = line.content { runs += 1 }
        _ = order.check(line, scan)
    }

    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError) {
        if runs == 0, !scan.hasNewer { scan.report(.header("there is no player run")) }
        let name = names.first ?? ""
        if json {
            let value: JSONValue = [
                "archive": .string(name), "lines": .int(Int64(lines)), "runs": .int(Int64(runs)),
                "open_runs": .int(Int64(order.openRuns)), "damaged": .int(Int64(scan.damaged)),
                "newer": .bool(scan.hasNewer),
            ]
            try print(json: value)
        } else {
            let verdict =
                scan.damaged > 0
                ? ReadableNumber.counted(scan.damaged, "damaged place") : scan.hasNewer ? "of a newer Tally" : "good"
            let openRuns = ReadableNumber.grouped(order.openRuns)
            let text = "\(ReadableNumber.counted(runs, "run")), \(openRuns) without an end"
            try print("\(name): \(verdict), \(text), \(ReadableNumber.counted(lines, "line"))")
        }
        (runs, lines, order) = (0, 0, RunOrder())
    }
}
