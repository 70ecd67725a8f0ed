internal import Glibc
internal import HostSupport
internal import TextEncoding

/// Tells the differences between two outputs, for people or as lines of JSON, and counts them by kind for JUnit.
struct DifferenceReport {
    private let json: Bool
    private let limit: Int
    private var shown = 0
    private var failure: StandardStream.Failure?
    private(set) var cases = JUnitCases()

    /// JSON has all differences, and people see the first `limit`.
    init(json: Bool, limit: Int) {
        self.json = json
        self.limit = limit
    }

    /// Tells one difference.
    mutating func add(_ difference: LineDifference) {
        cases.add(difference)
        if json {
            write(Self.json(difference))
            return
        }
        shown += 1
        if shown <= limit { write(Self.text(difference)) }
    }

    /// Tells what the comparison came to.
    mutating func end(_ counts: OutputComparison.Counts, left: String, right: String) throws(HostError) {
        if json {
            let value: JSONValue = [
                "summary": [
                    "a": .string(left), "b": .string(right), "pairs": .int(Int64(counts.pairs)),
                    "changed": .int(Int64(counts.changed)), "only_in_a": .int(Int64(counts.onlyInA)),
                    "only_in_b": .int(Int64(counts.onlyInB)), "cut_short": .int(Int64(counts.cutShort)),
                ]
            ]
            write(PrintableText.json(value) + "\n")
        } else {
            if shown > limit { write("... and \(ReadableNumber.grouped(shown - limit)) more; --limit shows more\n") }
            write(Self.summary(counts, left: left, right: right))
        }
        if let failure { throw .output(failure) }
    }

    private mutating func write(_ text: String) {
        guard failure == nil else { return }
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(text)
        } catch {
            failure = error
        }
    }

    // MARK: - For people

    static func summary(_ counts: OutputComparison.Counts, left: String, right: String) -> String {
        let pairs = ReadableNumber.counted(counts.pairs, "line")
        if counts.differences == 0 { return "no difference in \(pairs)\n" }
        return """
            A is \(PrintableText.escaped(left)), B is \(PrintableText.escaped(right))
            \(ReadableNumber.grouped(counts.changed)) of \(pairs) that both have \
            \(ReadableNumber.word(for: counts.changed, "differs", "differ")), \
            \(ReadableNumber.counted(counts.onlyInA, "is", "are")) only in A, \
            \(ReadableNumber.grouped(counts.onlyInB)) only in B

            """
    }

    /// A difference as people read it, several lines.
    static func text(_ difference: LineDifference) -> String {
        guard let line = difference.line else { return "" }
        var head = [line.group.run, line.group.instance, line.group.line].filter { !$0.isEmpty }
        if line.ordinal > 0 { head.append("\(line.ordinal)") }
        if !line.kind.isEmpty { head.append(line.kind) }
        head.append("at \(ReadableNumber.seconds(microseconds: line.time)) s")
        switch difference.form {
        case .changed: head.append("(lines \(difference.left?.number ?? 0) and \(difference.right?.number ?? 0))")
        case .onlyInA: head.append("is only in A (line \(line.number))")
        case .onlyInB: head.append("is only in B (line \(line.number))")
        }
        let changes = difference.changes.map { "  " + text($0) }
        let lines = [head.joined(separator: " ")] + changes
        return lines.map { PrintableText.escaped($0) + "\n" }.joined()
    }

    static func text(_ change: LineDifference.Change) -> String {
        switch (change.left, change.right) {
        case (let left?, nil): "\(change.path): only in A: \(left.canonicalText)"
        case (nil, let right?): "\(change.path): only in B: \(right.canonicalText)"
        case (let left, let right): "\(change.path): \(left?.canonicalText ?? "") became \(right?.canonicalText ?? "")"
        }
    }

    // MARK: - JSON

    private static func json(_ difference: LineDifference) -> String {
        guard let line = difference.line else { return "" }
        var value: JSONObject = [
            "difference": .string(difference.form.rawValue), "run": .string(line.group.run),
            "instance": .string(line.group.instance), "line": .string(line.group.line), "kind": .string(line.kind),
            "n": .int(line.ordinal), "t_us": .int(line.time),
        ]
        value["a_line"] = difference.left.map { .int(Int64($0.number)) }
        value["b_line"] = difference.right.map { .int(Int64($0.number)) }
        if difference.form == .changed {
            value["changes"] = .array(
                difference.changes.map { change in
                    var object: JSONObject = ["path": .string(change.path)]
                    object["a"] = change.left
                    object["b"] = change.right
                    return .object(object)
                }
            )
        }
        return PrintableText.json(.object(value)) + "\n"
    }
}

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
        let failure = counts.differences == 0 ? nil : Self.failure(counts.differences)
        var tests = [JUnitDocument.Case("diff", "all lines", failure: failure, text: summary)]
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            guard let found = cases[name] else { continue }
            let text = found.texts.joined()
            tests.append(JUnitDocument.Case(name[0], name[1], failure: Self.failure(found.count), text: text))
        }
        return JUnitDocument("tally-replay diff", tests).xml
    }

    private static func failure(_ differences: Int) -> String {
        ReadableNumber.counted(differences, "line differs", "lines differ")
    }
}
