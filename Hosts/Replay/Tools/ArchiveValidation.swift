internal import Archive
internal import EventModel
internal import HostSupport
internal import TextEncoding

/// `validate`: one line for each archive, behind one for each thing that its courses of events should not have.
final class ArchiveValidation: ArchiveTool {
    private let json: Bool
    /// Follows what the events mean; nil when only their lines are checked.
    private var courses: ArchiveCourses?
    private var found = 0
    private var runs = 0
    private var lines = 0
    private var order = RunOrder()

    let takesArchivesApart = true

    private let isStrict: Bool
    private(set) var hasFindings = false

    /// Checks lines; `isStrict` looks at what the events mean too.
    init(json: Bool, isStrict: Bool = false) {
        self.json = json
        self.isStrict = isStrict
        courses = isStrict ? ArchiveCourses() : nil
    }

    func process(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError) {
        lines += 1
        if case .header = line.content { runs += 1 }
        guard order.check(line, scan) else { return }
        let (content, unknown, place) = (line.content, line.unknownMember, scan.place)
        guard let found = courses?.follow(content, of: line.run, unknownMember: unknown, at: place) else { return }
        try show(found)
    }

    private func show(_ findings: [(run: String, finding: CourseFinding)]) throws(HostError) {
        found += findings.count
        hasFindings = hasFindings || !findings.isEmpty
        for (run, finding) in findings {
            if json {
                try print(json: finding.json(run: run))
            } else {
                try print(finding.text(run: run))
            }
        }
    }

    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError) {
        if runs == 0, !scan.hasNewer { scan.report(.header("there is no player run")) }
        if let last = courses?.end() { try show(last) }
        let name = names.first ?? ""
        if json {
            var value: JSONObject = [
                "archive": .string(name), "lines": .int(Int64(lines)), "runs": .int(Int64(runs)),
                "open_runs": .int(Int64(order.openRuns)), "damaged": .int(Int64(scan.damaged)),
                "newer": .bool(scan.hasNewer),
            ]
            if isStrict { value["findings"] = .int(Int64(found)) }
            try print(json: .object(value))
        } else {
            let verdict =
                scan.damaged > 0
                ? ReadableNumber.counted(scan.damaged, "damaged place") : scan.hasNewer ? "of a newer Tally" : "good"
            let openRuns = ReadableNumber.grouped(order.openRuns)
            let text = "\(ReadableNumber.counted(runs, "run")), \(openRuns) without an end"
            let findings = isStrict ? ", \(ReadableNumber.counted(found, "finding"))" : ""
            try print("\(name): \(verdict), \(text), \(ReadableNumber.counted(lines, "line"))\(findings)")
        }
        (runs, lines, found, order) = (0, 0, 0, RunOrder())
        courses = isStrict ? ArchiveCourses() : nil
    }
}
