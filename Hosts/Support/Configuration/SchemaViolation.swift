/// One thing in a value that its schema does not allow.
package struct SchemaViolation: Error, Equatable, Sendable {
    /// What is wrong.
    package enum Problem: Equatable, Sendable {
        /// The value is of another kind.
        case wrongType(found: String, expected: String)
        /// A key that must be there is missing.
        case missingKey(String)
        /// A key is not known; the nearest known one, if any is near, and all of them.
        case unknownKey(String, nearest: String?, known: [String])
        /// The value is none of the allowed ones.
        case notAllowed(found: String, allowed: [String])
        /// The value is too small, too large, too short, too long or of another form.
        case outsideLimits(found: String, expected: String)
    }

    /// The dotted path of the value that is wrong; of the unknown key itself, where that is the problem.
    package let path: String
    /// What is wrong.
    package let problem: Problem

    /// The same without the value that was found, but for its kind.
    var withoutValue: SchemaViolation {
        let problem: Problem =
            switch problem {
            case .wrongType(let found, let expected): .wrongType(found: Self.kind(found), expected: expected)
            case .notAllowed(let found, let allowed): .notAllowed(found: Self.kind(found), allowed: allowed)
            case .outsideLimits(let found, let expected): .outsideLimits(found: Self.kind(found), expected: expected)
            case .missingKey, .unknownKey: problem
            }
        return SchemaViolation(path: path, problem: problem)
    }

    /// An article and a noun, which the value follows.
    private static func kind(_ found: String) -> String { found.split(separator: " ").prefix(2).joined(separator: " ") }

    /// What is wrong with which key, and what is expected.
    package var message: String { path.isEmpty ? problemText : "\(path): \(problemText)" }

    private var problemText: String {
        switch problem {
        case .wrongType(let found, let expected), .outsideLimits(let found, let expected):
            return "found \(found), expected \(expected)"
        case .missingKey(let key): return "the key \"\(key)\" is missing; add it"
        case .unknownKey(let key, let nearest, let known):
            if let nearest { return "the key \"\(key)\" is not known; did you mean \"\(nearest)\"?" }
            if known.isEmpty { return "the key \"\(key)\" is not known; no keys are allowed here" }
            return "the key \"\(key)\" is not known; allowed are \(known.joined(separator: ", "))"
        case .notAllowed(let found, let allowed):
            return "found \(found), expected one of \(allowed.joined(separator: ", "))"
        }
    }
}
