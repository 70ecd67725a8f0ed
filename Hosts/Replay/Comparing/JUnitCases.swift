internal import HostSupport

/// The differences as test cases, one for each plugin instance and kind of line: so many that memory stays small.
struct JUnitCases {
    private struct Case {
        var count = 0
        var texts: [String] = []
    }

    /// How many differences a case shows.
    private static let shown = 20

    private var names: [[String]] = []
    private var cases: [[String]: Case] = [:]

    /// Counts a difference.
    mutating func add(_ difference: LineDifference) {
        guard let line = difference.line else { return }
        let name = [line.group.instance, line.kind.isEmpty ? line.group.line : "\(line.group.line) \(line.kind)"]
        if cases[name] == nil { names.append(name) }
        var found = cases[name] ?? Case()
        found.count += 1
        if found.texts.count < Self.shown { found.texts.append(DifferenceReport.text(difference)) }
        cases[name] = found
    }

    /// The report of a test run: a failed case for each kind that differs, and one for the comparison as a whole.
    func xml(_ counts: OutputComparison.Counts, left: String, right: String) -> String {
        let summary = DifferenceReport.summary(counts, left: left, right: right)
        let failure = counts.differences == 0 ? nil : "\(counts.differences) lines differ"
        var tests = [JUnitDocument.Case("diff", "all lines", failure: failure, text: summary)]
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let found = cases[name] else { continue }
            let text = found.texts.joined()
            tests.append(JUnitDocument.Case(name[0], name[1], failure: "\(found.count) lines differ", text: text))
        }
        return JUnitDocument("tally-replay diff", tests).xml
    }
}
