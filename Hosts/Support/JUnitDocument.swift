/// The result of a test run, in the form of JUnit that build servers read.
package struct JUnitDocument {
    /// A test.
    package struct Case {
        /// What it belongs to.
        let group: String
        let name: String
        /// What is wrong with it, in a line; nil when all is well.
        let failure: String?
        /// What it has to say.
        let text: String

        /// Names a test and says what came of it.
        package init(_ group: String, _ name: String, failure: String?, text: String = "") {
            self.group = group
            self.name = name
            self.failure = failure
            self.text = text
        }
    }

    private let name: String
    private let seconds: Double?
    private let cases: [Case]

    /// The tests of a run, and how long it took where that matters.
    package init(_ name: String, seconds: Double? = nil, _ cases: [Case]) {
        self.name = name
        self.seconds = seconds
        self.cases = cases
    }

    /// The document.
    package var xml: String {
        let failures = cases.count { $0.failure != nil }
        let hundredths = seconds.map { Int64(($0 * 100).rounded()) }
        let time = hundredths.map { " time=\"\($0 / 100).\(ReadableNumber.padded($0 % 100, to: 2))\"" } ?? ""
        let start =
            "<testsuite name=\"\(Self.escaped(name))\" tests=\"\(cases.count)\" failures=\"\(failures)\"\(time)>"
        let lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, start] + cases.map(Self.line) + ["</testsuite>"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ test: Case) -> String {
        let start = "  <testcase classname=\"\(escaped(test.group))\" name=\"\(escaped(test.name))\""
        let text = escaped(test.text)
        guard let failure = test.failure.map(escaped) else {
            return start + (text.isEmpty ? "/>" : "><system-out>\(text)</system-out></testcase>")
        }
        let element = "<failure message=\"\(failure)\"" + (text.isEmpty ? "/>" : ">\(text)</failure>")
        return start + ">" + element + "</testcase>"
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
            case "\t", "\r": result += " "
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
