package import PluginKit

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
