/// What is asked of an event or another output: the language of `--where`, and of `where` in rules of delivery.
public indirect enum Expression: Equatable, Sendable {
    /// A value.
    case literal(JSONValue)
    /// What a name stands for.
    case name(String)
    /// The opposite.
    case not(Expression)
    /// Each of them holds.
    case all([Expression])
    /// One of them holds.
    case any([Expression])
    /// Two values compare so.
    case comparison(Comparator, Expression, Expression)
    /// A text fits a pattern that is known beforehand.
    case fits(Expression, Glob)

    /// How two values are compared.
    public enum Comparator: String, CaseIterable, Sendable {
        // Those of two characters come first: a scan takes the first that fits.
        /// The same.
        case equal = "=="
        /// Not the same.
        case unequal = "!="
        /// Less or the same.
        case atMost = "<="
        /// Greater or the same.
        case atLeast = ">="
        /// Less.
        case less = "<"
        /// Greater.
        case greater = ">"
        /// The left text is as the pattern on the right says, with `*` and `?`.
        case like = "~"
    }

    /// Why a text is no expression, and where, in characters from 1.
    public struct Problem: Error {
        /// What is wrong.
        public let message: String
        /// Where.
        public let column: Int
    }
}

/// What the names of an expression stand for.
public protocol ExpressionValues {
    /// What a name stands for, nil when there is nothing.
    func value(of name: String) -> JSONValue?
    /// Whether what a name stands for fits a pattern; unless written anew, only a text does.
    func fits(_ name: String, _ pattern: Glob) -> Bool
}

extension ExpressionValues {
    /// Whether it is a text that fits.
    public func fits(_ name: String, _ pattern: Glob) -> Bool {
        value(of: name)?.string.map { pattern.matches($0) } ?? false
    }
}

extension Expression {
    /// Whether it holds with these values.
    public func holds(_ values: some ExpressionValues) -> Bool {
        switch self {
        case .all(let parts): return parts.allSatisfy { $0.holds(values) }
        case .any(let parts): return parts.contains { $0.holds(values) }
        case .not(let inner): return !inner.holds(values)
        case .fits(let text, let pattern): return text.fits(pattern, values)
        case .comparison(.like, let text, let pattern):
            return pattern.result(values)?.string.map { text.fits(Glob($0), values) } ?? false
        case .comparison(let comparator, let left, let right):
            return comparator.holds(left.result(values) ?? .null, right.result(values) ?? .null)
        case .literal, .name:
            switch result(values) {
            case nil, .null?, .bool(false)?: return false
            default: return true
            }
        }
    }

    private func result(_ values: some ExpressionValues) -> JSONValue? {
        switch self {
        case .literal(let literal): literal
        case .name(let name): values.value(of: name)
        default: .bool(holds(values))
        }
    }

    private func fits(_ pattern: Glob, _ values: some ExpressionValues) -> Bool {
        if case .name(let name) = self { return values.fits(name, pattern) }
        return result(values)?.string.map { pattern.matches($0) } ?? false
    }
}

extension Expression.Comparator {
    /// Whether two values compare so; values of different kinds are unequal.
    fileprivate func holds(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch self {
        case .equal: Self.isSame(left, right)
        case .unequal: !Self.isSame(left, right)
        case .less: Self.compare(left, right) == -1
        case .greater: Self.compare(left, right) == 1
        case .atMost: Self.compare(left, right).map { $0 <= 0 } ?? false
        case .atLeast: Self.compare(left, right).map { $0 >= 0 } ?? false
        case .like: false
        }
    }

    private static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if let first = left.double, let second = right.double { return first == second }
        return left == right
    }

    /// -1, 0 or 1 for two numbers or two texts, nil for anything else.
    private static func compare(_ left: JSONValue, _ right: JSONValue) -> Int? {
        if let first = left.double, let second = right.double {
            return first < second ? -1 : first > second ? 1 : first == second ? 0 : nil
        }
        guard let first = left.string, let second = right.string else { return nil }
        if first == second { return 0 }
        return first.utf8.lexicographicallyPrecedes(second.utf8) ? -1 : 1
    }
}
