package import PluginKit

/// Which actions an attribute belongs to.
///
/// The filters of the data model are regular expressions that match a whole action. Those of the standard table need
/// three shapes only, which are compared without a regular expression; an application's own may be any.
package enum ActionFilter: Sendable {
    /// Every action, however it is spelt.
    case every
    /// `[A-Z_]+`
    case capitals
    /// `^PREFIX[A-Z_]+$`
    case beginning(StaticString)
    /// `^(NAME|NAME)$`
    case oneOf([StaticString])
    /// A regular expression of the application's.
    case pattern(TextPattern)

    /// The filter of a regular expression; nil for one that cannot be read.
    package init?(pattern text: String) {
        guard let pattern = TextPattern(text) else { return nil }
        self = .pattern(pattern)
    }

    /// Whether the whole name matches.
    package func matches(_ name: UTF8Text) -> Bool {
        switch self {
        case .every: true
        case .capitals: Self.areCapitals(name, after: 0)
        case .beginning(let prefix): name.hasPrefix(prefix) && Self.areCapitals(name, after: prefix.utf8CodeUnitCount)
        case .oneOf(let names): names.contains { name == $0 }
        case .pattern(let pattern): pattern.matches(name)
        }
    }

    /// Whether both filters were written in the same way.
    package func isSame(as other: ActionFilter) -> Bool {
        switch (self, other) {
        case (.every, .every): true
        case (.pattern(let pattern), .pattern(let otherPattern)): pattern.text == otherPattern.text
        default: false
        }
    }

    private static func areCapitals(_ name: UTF8Text, after start: Int) -> Bool {
        guard name.count > start else { return false }
        return unsafe name.bytes[start...].allSatisfy { byte in
            byte == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
    }
}

/// A filter with its answers for the standard actions, which are worked out once.
struct ActionMatcher: Sendable {
    /// The filter.
    let filter: ActionFilter
    private let matchesStandard: [Bool]

    init(_ filter: ActionFilter) {
        self.filter = filter
        matchesStandard = StandardAction.all.map { filter.matches(UTF8Text($0.name)) }
    }

    /// Whether the action's whole name matches.
    func matches(_ action: Action) -> Bool {
        action.standard.map { matchesStandard[$0.index] } ?? filter.matches(action.name)
    }
}

/// A regular expression of the application's, which keeps its answers: each text is matched once.
///
/// It is Swift's own kind, which does not depend on the locale of the host. An instance belongs to one tracker, whose
/// calls come one after another.
package final class TextPattern: @unchecked Sendable {
    /// The expression as it was written.
    package let text: String

    private let expression: Regex<AnyRegexOutput>
    private var answers: [String: Bool] = [:]
    private var replaced: [String: String] = [:]

    /// Answers that are kept; past that all are forgotten, so that names without end take no memory without end.
    private static let kept = 1024

    /// Reads an expression of 1 to 1024 bytes; nil for one that cannot be read.
    package init?(_ text: String) {
        guard (1...1024).contains(text.utf8.count), let expression = try? Regex(text) else { return nil }
        self.text = text
        self.expression = expression
    }

    /// Whether the whole text matches.
    package func matches(_ text: UTF8Text) -> Bool {
        let text = text.string
        if let known = answers[text] { return known }
        if answers.count >= Self.kept { answers.removeAll(keepingCapacity: true) }
        let match = try? expression.wholeMatch(in: text)
        answers[text] = match != nil
        return match != nil
    }

    /// The text with every place that matches replaced, nil when none does.
    package func replacing(_ text: UTF8Text, with replacement: String) -> String? {
        let text = text.string
        let new: String
        if let known = replaced[text] {
            new = known
        } else {
            if replaced.count >= Self.kept { replaced.removeAll(keepingCapacity: true) }
            new = text.replacing(expression, with: replacement)
            replaced[text] = new
        }
        return new == text ? nil : new
    }
}
