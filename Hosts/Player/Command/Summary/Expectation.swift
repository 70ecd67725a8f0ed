internal import HostSupport
internal import TextEncoding

/// A condition that a number of the summary must meet, such as `startup_ms < 2000`.
struct Expectation: Sendable, Equatable {
    enum Comparison: String, CaseIterable, Sendable {
        case atMost = "<="
        case atLeast = ">="
        case equal = "=="
        case unequal = "!="
        case below = "<"
        case above = ">"

        func holds(_ left: Double, _ right: Double) -> Bool {
            switch self {
            case .atMost: left <= right
            case .atLeast: left >= right
            case .equal: left == right
            case .unequal: left != right
            case .below: left < right
            case .above: left > right
            }
        }
    }

    let text: String
    let key: String
    let comparison: Comparison
    let number: Double

    /// The keys that a condition can be about: the summary's numbers, and `complete` as 0 or 1.
    static let keys = [
        "complete", "duration_ms", "playhead_ms", "first_picture_ms", "startup_ms", "played_ms", "stalls", "stalled_ms",
        "pauses", "seeks", "rendered_frames", "dropped_frames", "events", "lost_events", "lost_attributes",
        "track_cpu_us", "items",
        "retries", "ads", "ad_errors",
    ]

    static let form = ValueForm<Expectation>("CONDITION") { text throws(UnfitValue) in try Expectation(text) }

    init(_ text: String) throws(UnfitValue) {
        func wrong() -> UnfitValue {
            UnfitValue(
                expected: "a key of the summary, a comparison and a number, such as 'startup_ms < 2000'; the keys are "
                    + Self.keys.joined(separator: ", ")
            )
        }
        let found = Comparison.allCases.lazy.compactMap { comparison in
            text.firstRange(of: comparison.rawValue).map { (comparison, $0) }
        }.first
        guard let (comparison, range) = found else { throw wrong() }
        let key = text[..<range.lowerBound].split(separator: " ")
        let number = text[range.upperBound...].split(separator: " ")
        guard key.count == 1, Self.keys.contains(String(key[0])), number.count == 1, let value = Double(number[0]),
            value.isFinite
        else { throw wrong() }
        self.text = text
        self.key = String(key[0])
        self.comparison = comparison
        self.number = value
    }

    /// Why the condition is not met by a summary; nil when it is.
    func failure(in summary: JSONValue) -> String? {
        let found: Double? =
            switch summary[key] {
            case .bool(let truth): truth ? 1 : 0
            case let value?: value.double
            case nil: nil
            }
        guard let found else { return "expected \(text), and \(key) is not known" }
        let shown = found == found.rounded() && abs(found) < 1e15 ? String(Int64(found)) : String(found)
        return comparison.holds(found, number) ? nil : "expected \(text), and it is \(shown)"
    }
}
