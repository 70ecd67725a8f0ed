internal import PluginABI
public import TextEncoding

/// Reading configuration: an absent key and one that is null give the default.
extension JSONValue {
    /// The text of a key, or the default; without a default the key has to be there.
    public func text(_ key: String, default value: String? = nil) throws(ConfigurationError) -> String {
        guard let member = given(key) else {
            guard let value else { throw .missing(key: key, expected: "a string") }
            return value
        }
        guard let text = member.string else {
            throw .wrongKind(key: key, found: member.kind, expected: "a string")
        }
        return text
    }

    /// The integer of a key, or the default; one outside the range is refused.
    public func integer(
        _ key: String,
        in range: ClosedRange<Int64> = Int64.min...Int64.max,
        default value: Int64
    ) throws(ConfigurationError) -> Int64 {
        guard let member = given(key) else { return value }
        guard let number = member.int else {
            throw .wrongKind(key: key, found: member.kind, expected: "an integer")
        }
        guard range.contains(number) else {
            throw .unusable(
                key: key,
                value: "\(number)",
                expected: "an integer from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// The truth value of a key, or the default.
    public func flag(_ key: String, default value: Bool) throws(ConfigurationError) -> Bool {
        guard let member = given(key) else { return value }
        guard let flag = member.bool else {
            throw .wrongKind(key: key, found: member.kind, expected: "true or false")
        }
        return flag
    }

    /// The text of a key, which has to be one of the choices, or the default.
    public func choice(
        _ key: String,
        of choices: [String],
        default value: String
    ) throws(ConfigurationError) -> String {
        let text = try text(key, default: value)
        guard choices.contains(text) else {
            throw .unusable(key: key, value: "\"\(text)\"", expected: "one of \(choices.joined(separator: ", "))")
        }
        return text
    }

    private func given(_ key: String) -> JSONValue? {
        guard let member = self[key], !member.isNull else { return nil }
        return member
    }
}

/// The configuration as it comes over the ABI.
enum ConfigurationText {
    /// Reads JSON text; an empty one stands for an object without members.
    static func parse(_ text: tally_str) throws(ConfigurationError) -> JSONValue {
        let text = unsafe UTF8Text(text)
        if text.count == 0 { return .object([:]) }
        do throws(JSONParseError) {
            return unsafe try JSONParser().parse(text.bytes)
        } catch {
            throw .notJSON(error.description)
        }
    }
}

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
