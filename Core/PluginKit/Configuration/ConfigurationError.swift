/// Says why a configuration cannot be used: which key, what is wrong with it, what would do.
public enum ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// A key that has to be given is absent.
    case missing(key: String, expected: String)
    /// A value is of the wrong kind.
    case wrongKind(key: String, found: String, expected: String)
    /// A value is of the right kind and cannot be used all the same.
    case unusable(key: String, value: String, expected: String)
    /// The configuration is no JSON.
    case notJSON(String)

    /// One line: where, what, and what to do.
    public var description: String {
        switch self {
        case .missing(let key, let expected):
            "the key \"\(key)\" is missing; give it \(expected)"
        case .wrongKind(let key, let found, let expected):
            "the key \"\(key)\" has \(found); give it \(expected)"
        case .unusable(let key, let value, let expected):
            "the key \"\(key)\" has the value \(value), which cannot be used; give it \(expected)"
        case .notJSON(let reason):
            "the configuration is no JSON: \(reason)"
        }
    }
}
