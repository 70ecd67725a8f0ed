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
