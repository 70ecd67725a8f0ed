internal import TextEncoding

/// What `--where` asks of an event.
indirect enum Expression: Sendable {
    case literal(JSONValue)
    case name(String)
    case not(Expression)
    case and(Expression, Expression)
    case or(Expression, Expression)
    case comparison(Comparator, Expression, Expression)

    /// How two values are compared.
    enum Comparator: String, CaseIterable {
        // Those of two characters come first: a scan takes the first that fits.
        case equal = "=="
        case unequal = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case greater = ">"
        /// The left text is as the pattern on the right says, with `*` and `?`.
        case like = "~"
    }

    /// Why a text is no expression, and where, in characters from 1.
    struct Problem: Error {
        let message: String
        let column: Int
    }
}

extension Expression {
    /// Whether it holds; `value` gives what a name stands for, nil when there is nothing.
    func holds(_ value: (String) -> JSONValue?) -> Bool {
        switch self {
        case .and(let left, let right): return left.holds(value) && right.holds(value)
        case .or(let left, let right): return left.holds(value) || right.holds(value)
        case .not(let inner): return !inner.holds(value)
        case .comparison(let comparator, let left, let right):
            return comparator.holds(left.result(value), right.result(value))
        case .literal, .name:
            switch result(value) {
            case nil, .null?, .bool(false)?: return false
            default: return true
            }
        }
    }

    private func result(_ value: (String) -> JSONValue?) -> JSONValue? {
        switch self {
        case .literal(let literal): literal
        case .name(let name): value(name)
        default: .bool(holds(value))
        }
    }
}

extension Expression.Comparator {
    /// Whether two values compare so; what is not there is null, and values of different kinds are unequal.
    fileprivate func holds(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        let left = left ?? .null
        let right = right ?? .null
        switch self {
        case .equal: return Self.isSame(left, right)
        case .unequal: return !Self.isSame(left, right)
        case .like:
            guard let text = left.string, let pattern = right.string else { return false }
            return Glob(pattern).matches(text)
        case .less: return Self.compare(left, right) == .some(-1)
        case .greater: return Self.compare(left, right) == .some(1)
        case .atMost: return Self.compare(left, right).map { $0 <= 0 } ?? false
        case .atLeast: return Self.compare(left, right).map { $0 >= 0 } ?? false
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
