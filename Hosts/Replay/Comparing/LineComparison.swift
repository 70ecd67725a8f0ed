internal import TextEncoding

/// What differs between two outputs at one place.
struct LineDifference {
    /// One member that differs; nil where it is missing.
    struct Change {
        let path: String
        let left: JSONValue?
        let right: JSONValue?
    }

    /// How two outputs differ in a line.
    enum Form: String {
        case changed
        case onlyInA = "only_in_a"
        case onlyInB = "only_in_b"
    }

    let left: ComparedLine?
    let right: ComparedLine?
    /// What differs in lines that both have.
    let changes: [Change]

    var form: Form { left == nil ? .onlyInB : right == nil ? .onlyInA : .changed }

    /// The line of the first output, of the second when the first has none.
    var line: ComparedLine? { left ?? right }
}

/// Compares two lines member by member.
struct LineComparison {
    /// What lines are found by, what shifts when a line comes in or goes, and the date, which follows from `t_us`.
    private static let aligning: Set<String> = ["line", "run", "instance", "n", "records", "time"]

    private let rules: ComparisonRules
    private let kind: String
    private var changes: [LineDifference.Change] = []

    /// The members that differ and count, in the order of the first line.
    static func changes(
        _ left: ComparedLine,
        _ right: ComparedLine,
        rules: ComparisonRules
    ) -> [LineDifference.Change] {
        var comparison = LineComparison(rules: rules, kind: left.kind)
        for (name, values) in pairs(left.members, right.members) where !aligning.contains(name) {
            comparison.compareMember(name, values.0, values.1)
        }
        return comparison.changes
    }

    private init(rules: ComparisonRules, kind: String) {
        self.rules = rules
        self.kind = kind
    }

    // MARK: - Members that hold more than they show

    private mutating func compareMember(_ name: String, _ left: JSONValue?, _ right: JSONValue?) {
        guard left != right else { return }
        switch (name, left, right) {
        case ("video_id", nil, _), ("video_id", _, nil):
            // Outputs of earlier versions have none.
            return
        case ("body", let first?, let second?):
            // Bodies are mostly JSON; otherwise they are text like any other.
            if let first = Self.json(first), let second = Self.json(second) {
                compare(name, first, second)
            } else {
                compare(name, left, right)
            }
        case ("url", .string(let first)?, .string(let second)?):
            compare(name, .object(Self.parts(ofURL: first)), .object(Self.parts(ofURL: second)))
        case ("headers", .array(let first)?, .array(let second)?):
            compare(name, .object(Self.headers(first)), .object(Self.headers(second)))
        default: compare(name, left, right)
        }
    }

    /// A body that is JSON, or the text of some.
    private static func json(_ body: JSONValue) -> JSONValue? {
        guard case .string(let text) = body else { return body }
        return try? JSONParser().parse(text)
    }

    /// The part before the query as `address`, and each parameter of the query by its name.
    private static func parts(ofURL text: String) -> JSONObject {
        let words = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var parts: JSONObject = ["address": .string(words.first.map(String.init) ?? "")]
        guard words.count == 2 else { return parts }
        for parameter in words[1].split(separator: "&") {
            let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = pair.count == 2 ? PercentEncoding.decode(pair[1]) ?? pair[1] : ""
            add("?" + (pair.first ?? ""), .string(value), to: &parts)
        }
        return parts
    }

    private static func headers(_ list: [JSONValue]) -> JSONObject {
        var headers = JSONObject()
        for header in list { add(header[0]?.string ?? "", header[1] ?? .null, to: &headers) }
        return headers
    }

    /// Adds a member; one that is there already becomes a list.
    private static func add(_ name: String, _ value: JSONValue, to object: inout JSONObject) {
        switch object[name] {
        case nil: object[name] = value
        case .array(let values)?: object[name] = .array(values + [value])
        case let other?: object[name] = .array([other, value])
        }
    }

    // MARK: - Values

    private mutating func compare(_ path: String, _ left: JSONValue?, _ right: JSONValue?) {
        if left == right || rules.ignores(path, kind: kind) { return }
        switch (left, right) {
        case (.object(let first)?, .object(let second)?):
            for (name, values) in Self.pairs(first, second) { compare("\(path).\(name)", values.0, values.1) }
        case (.array(let first)?, .array(let second)?):
            for index in 0..<max(first.count, second.count) {
                compare(
                    "\(path).\(index)",
                    index < first.count ? first[index] : nil,
                    index < second.count ? second[index] : nil
                )
            }
        default:
            if let first = left?.double, let second = right?.double,
                rules.allows(first, second, at: path, kind: kind)
            {
                return
            }
            changes.append(LineDifference.Change(path: path, left: left, right: right))
        }
    }

    /// The members of both by name: first in the order of the first, then those that only the second has.
    private static func pairs(_ left: JSONObject, _ right: JSONObject) -> [(String, (JSONValue?, JSONValue?))] {
        left.map { ($0.key, ($0.value, right[$0.key])) }
            + right.filter { left[$0.key] == nil }.map { ($0.key, (nil, $0.value)) }
    }
}
