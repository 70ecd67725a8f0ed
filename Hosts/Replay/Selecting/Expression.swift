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
