internal import HostSupport
internal import TextEncoding

/// What the checks of a file found, as text, as JSON, and as JUnit's XML.
struct CheckReport {
    let path: String
    let results: [CheckResult]
    /// How long all of it took, ms.
    let milliseconds: Int64

    /// How the program ends: 1 when the plugin has to be mended.
    var exitCode: ExitCode { results.contains { $0.verdict.isFault } ? .difference : .success }

    /// A result as a line for people, with what to do where something is to be done.
    static func line(_ result: CheckResult) -> String {
        let verdict = result.verdict.rawValue
        let padding = String(repeating: " ", count: max(1, 8 - verdict.count))
        let name = result.check.name + String(repeating: " ", count: max(1, 21 - result.check.name.count))
        guard result.verdict != .passed else { return "\(verdict)\(padding)\(name)\(result.check.rule)" }
        let first = "\(verdict)\(padding)\(name)\(result.text)"
        guard result.verdict.isFault || result.verdict == .warning else { return first }
        let margin = String(repeating: " ", count: 29)
        return "\(first)\n\(margin)\(result.check.rule)\n\(margin)What to do: \(result.check.remedy)"
    }

    /// The last line: how many checks ended how.
    var summary: String {
        let counts = Verdict.allCases.compactMap { verdict -> String? in
            let count = results.count { $0.verdict == verdict }
            return count == 0 ? nil : "\(count) \(verdict.rawValue)"
        }
        return "\(path): \(counts.joined(separator: ", ")), in \(milliseconds) ms"
    }

    /// All of it as one line of JSON.
    var json: String {
        let checks = results.map { result -> JSONValue in
            [
                "check": .string(result.check.name), "group": .string(result.group), "plugin": .string(result.plugin),
                "verdict": .string(result.verdict.rawValue), "text": .string(result.text),
                "rule": .string(result.check.rule), "remedy": .string(result.check.remedy),
                "milliseconds": .int(result.milliseconds),
            ]
        }
        let value: JSONValue = [
            "file": .string(path), "passed": .bool(exitCode == .success), "milliseconds": .int(milliseconds),
            "checks": .array(checks),
        ]
        return value.canonicalText + "\n"
    }

    /// All of it as a document of JUnit's, one case for each check.
    var junit: String {
        let cases = results.map { result in
            JUnitDocument.Case(
                result.plugin.isEmpty ? result.group : result.plugin,
                result.check.name,
                failure: result.verdict.isFault ? "\(result.verdict.rawValue): \(result.text)" : nil,
                text: result.verdict.isFault ? result.check.remedy : result.verdict == .passed ? "" : result.text
            )
        }
        return JUnitDocument("tally-plugin check \(path)", seconds: Double(milliseconds) / 1_000, cases).xml
    }
}
