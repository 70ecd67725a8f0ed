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
