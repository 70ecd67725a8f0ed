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
        let failures = names.count + (counts.differences == 0 ? 0 : 1)
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuite name="tally-replay diff" tests="\#(names.count + 1)" failures="\#(failures)">"#,
        ]
        let summary = Self.escaped(DifferenceReport.summary(counts, left: left, right: right))
        lines.append(#"<testcase classname="diff" name="all lines">"#)
        lines.append(
            counts.differences == 0
                ? "<system-out>\(summary)</system-out>"
                : #"<failure message="\#(counts.differences) lines differ">\#(summary)</failure>"#
        )
        lines.append("</testcase>")
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let found = cases[name] else { continue }
            lines.append(#"<testcase classname="\#(Self.escaped(name[0]))" name="\#(Self.escaped(name[1]))">"#)
            let texts = Self.escaped(found.texts.joined())
            lines.append(#"<failure message="\#(found.count) lines differ">\#(texts)</failure>"#)
            lines.append("</testcase>")
        }
        return lines.joined(separator: "\n") + "\n</testsuite>\n"
    }

    /// Text that can stand in XML; characters that XML does not have become U+FFFD.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "\n"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
