internal import HostSupport
internal import PlaybackEngine

/// The outcome of a run for programs that read test results: JUnit's XML.
struct ProbeReport {
    /// A test: what was to be, and what is wrong with it.
    struct Case {
        let name: String
        let failure: String?
    }

    let source: String
    let seconds: Double
    let cases: [Case]

    /// The outcome of runs, each with the name that its tests begin with, if it is not the only one.
    init(source: String, seconds: Double, _ runs: [(name: String?, summary: PlaybackSummary)]) {
        self.source = source
        self.seconds = seconds
        cases = runs.flatMap { name, summary in
            let prefix = name.map { $0 + ": " } ?? ""
            let playback = Case(name: prefix + "playback", failure: summary.error?.description)
            return [playback] + summary.outcomes.map { Case(name: prefix + $0.text, failure: $0.failure) }
        }
    }

    /// Writes the document, if it is wanted; what went wrong with that.
    func problem(writingTo file: SummaryFile?) -> String? {
        guard let file else { return nil }
        do throws(HostError) {
            try file.write(xml)
            return nil
        } catch {
            return error.messages.joined(separator: "; ")
        }
    }

    /// The document.
    var xml: String {
        let failures = cases.filter { $0.failure != nil }.count
        let rows = cases.map { test in
            let start = "  <testcase classname=\"tally-player\" name=\"\(Self.escaped(test.name))\""
            guard let failure = test.failure else { return start + "/>\n" }
            return start + "><failure message=\"\(Self.escaped(failure))\"/></testcase>\n"
        }
        let hundredths = Int64((seconds * 100).rounded())
        let time = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="\(Self.escaped(source))" tests="\(cases.count)" failures="\(failures)" time="\(time)">
            \(rows.joined())</testsuite>

            """
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case _ where scalar.value < 0x20: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
