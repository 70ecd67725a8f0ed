internal import PluginABI
public import TextEncoding

/// Reading single values, as of a command's arguments: an absent key and one that is null give the default.
extension JSONValue {
    /// The value of a key in this form; nil for an absent key and one that is null.
    public func value<Value>(_ key: String, _ form: ConfigurationForm<Value>) throws(ConfigurationError) -> Value? {
        guard let member = self[key], !member.isNull else { return nil }
        return try form.read(member, key)
    }

    /// The value of a key in this form, which has to be there.
    public func required<Value>(_ key: String, _ form: ConfigurationForm<Value>) throws(ConfigurationError) -> Value {
        guard let value = try value(key, form) else { throw .missing(key: key, expected: form.expected) }
        return value
    }

    /// The text of a key, or the default; without a default the key has to be there.
    public func text(_ key: String, default value: String? = nil) throws(ConfigurationError) -> String {
        if let value { try self.value(key, .text) ?? value } else { try required(key, .text) }
    }

    /// The integer of a key, or the default; one outside the range is refused.
    public func integer(
        _ key: String,
        in range: ClosedRange<Int64> = Int64.min...Int64.max,
        default value: Int64
    ) throws(ConfigurationError) -> Int64 {
        try self.value(key, .integer(range)) ?? value
    }

    /// The truth value of a key, or the default.
    public func flag(_ key: String, default value: Bool) throws(ConfigurationError) -> Bool {
        try self.value(key, .flag) ?? value
    }

    /// The text of a key, which has to be one of the choices, or the default.
    public func choice(
        _ key: String,
        of choices: [String],
        default value: String
    ) throws(ConfigurationError) -> String {
        try self.value(key, .choice(of: choices)) ?? value
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

    /// Says why two keys of an object do not do of which exactly one has to be given.
    ///
    /// - Parameters:
    ///   - one: the one key.
    ///   - other: the other key.
    ///   - areGiven: whether both are given; otherwise neither is.
    ///   - path: the object that they are in.
    /// - Returns: that the key is missing, or that its value cannot be used.
    package static func either(_ one: String, or other: String, areGiven: Bool, at path: String) -> ConfigurationError {
        guard areGiven else { return .missing(key: path, expected: "either \"\(one)\" or \"\(other)\"") }
        return .unusable(key: path, value: "both \"\(one)\" and \"\(other)\"", expected: "only one of them")
    }

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
