public import TextEncoding

/// What a value of a configuration looks like: its JSON Schema and how it is read.
public struct ConfigurationForm<Value: Sendable>: Sendable {
    /// What a message asks for when the value is missing, such as `a string`.
    var expected: String
    /// JSON Schema of the value, without default and description.
    public let schema: JSONObject
    /// Reads a value that is there; the text is its key, which messages name.
    public let read: @Sendable (JSONValue, String) throws(ConfigurationError) -> Value
    /// The value as a schema shows it as a default; nil when it shows none.
    var shown: @Sendable (Value) -> JSONValue?

    /// A form of its own.
    ///
    /// - Parameters:
    ///   - schema: JSON Schema of the value, without default and description.
    ///   - expected: what a message asks for when the value is missing.
    ///   - shown: the value as the schema's default; nil when it is not shown.
    ///   - read: reads a value that is neither absent nor null; it gets the dotted key for its messages.
    public init(
        _ schema: JSONObject,
        expected: String = "a value",
        shown: @escaping @Sendable (Value) -> JSONValue? = { _ in nil },
        read: @escaping @Sendable (JSONValue, String) throws(ConfigurationError) -> Value
    ) {
        self.schema = schema
        self.expected = expected
        self.shown = shown
        self.read = read
    }

    /// The form with a default that the schema keeps to itself.
    public var withoutShownDefault: Self {
        var form = self
        form.shown = { _ in nil }
        return form
    }

    /// The form with other words for what is missing.
    public func asked(for expected: String) -> Self {
        var form = self
        form.expected = expected
        return form
    }

    /// The form of another value that is made of this one, and `back` into this one for the schema's default.
    public func map<Other>(
        _ transform: @escaping @Sendable (Value) -> Other,
        back: @escaping @Sendable (Other) -> Value?
    ) -> ConfigurationForm<Other> {
        ConfigurationForm<Other>(
            schema,
            expected: expected,
            shown: { [shown] in back($0).flatMap(shown) },
            read: {
                [read] value, key throws(ConfigurationError) in transform(try read(value, key))
            }
        )
    }

    /// The form of a value that the JSON has in a unit which is so many times as large.
    public func scaled(by factor: Value) -> Self where Value: FixedWidthInteger {
        map({ $0 * factor }, back: { $0 / factor })
    }
}

extension ConfigurationForm where Value == String {
    /// Any text.
    public static var text: Self {
        ConfigurationForm(
            ["type": "string"],
            expected: "a string",
            shown: { .string($0) },
            read: {
                value,
                key throws(ConfigurationError) in
                guard let text = value.string else {
                    throw .wrongKind(key: key, found: value.kind, expected: "a string")
                }
                return text
            }
        )
    }

    /// A text that is not empty; `expected` is what a message asks for in place of an empty one.
    public static func nonEmptyText(_ expected: String) -> Self {
        text.checked(["minLength": 1]) { text, key throws(ConfigurationError) in
            if text.isEmpty { throw .unusable(key: key, value: "\"\"", expected: expected) }
        }
    }

    /// A text of so many bytes.
    public static func text(bytes: ClosedRange<Int>) -> Self {
        var limits: JSONObject = ["maxLength": .int(Int64(bytes.upperBound))]
        if bytes.lowerBound > 0 { limits = ["minLength": .int(Int64(bytes.lowerBound)), "maxLength": limits[0].value] }
        let expected =
            bytes.lowerBound > 0 ? "\(bytes.lowerBound) to \(bytes.upperBound)" : "at most \(bytes.upperBound)"
        return text.checked(limits) { text, key throws(ConfigurationError) in
            guard !bytes.contains(text.utf8.count) else { return }
            throw .unusable(key: key, value: "\(text.utf8.count) bytes", expected: expected + " bytes")
        }
    }

    /// One of some texts.
    public static func choice(of choices: [String]) -> Self {
        text.checked(["enum": .array(choices.map { .string($0) })]) { text, key throws(ConfigurationError) in
            if choices.contains(text) { return }
            throw .unusable(key: key, value: "\"\(text)\"", expected: "one of \(choices.joined(separator: ", "))")
        }
    }
}

extension ConfigurationForm {
    /// The form with a further rule, and what the schema says of it.
    public func checked(
        _ limits: JSONObject = [:],
        _ check: @escaping @Sendable (Value, String) throws(ConfigurationError) -> Void = { _, _ in }
    ) -> Self {
        var schema = schema
        for limit in limits { schema[limit.key] = limit.value }
        return ConfigurationForm(schema, expected: expected, shown: shown) {
            [read] value, key throws(ConfigurationError) in
            let value = try read(value, key)
            try check(value, key)
            return value
        }
    }
}

extension ConfigurationForm where Value == Bool {
    /// True or false.
    public static var flag: Self {
        ConfigurationForm(
            ["type": "boolean"],
            expected: "true or false",
            shown: { .bool($0) },
            read: {
                value,
                key throws(ConfigurationError) in
                guard let flag = value.bool else {
                    throw .wrongKind(key: key, found: value.kind, expected: "true or false")
                }
                return flag
            }
        )
    }
}

extension ConfigurationForm where Value: FixedWidthInteger {
    /// An integer of a range; the smallest and the largest number of the type are no bounds.
    public static func integer(_ range: ClosedRange<Value>) -> Self {
        var schema: JSONObject = ["type": "integer"]
        if range.lowerBound != .min { schema["minimum"] = .int(Int64(range.lowerBound)) }
        if range.upperBound != .max { schema["maximum"] = .int(Int64(range.upperBound)) }
        return ConfigurationForm(
            schema,
            expected: "an integer",
            shown: { .int(Int64($0)) },
            read: {
                value,
                key throws(ConfigurationError) in
                guard let number = value.int else {
                    throw .wrongKind(key: key, found: value.kind, expected: "an integer")
                }
                guard let fitting = Value(exactly: number), range.contains(fitting) else {
                    throw .unusable(
                        key: key,
                        value: "\(number)",
                        expected: "an integer from \(range.lowerBound) to \(range.upperBound)"
                    )
                }
                return fitting
            }
        )
    }
}

extension ConfigurationForm where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the words that a type lists.
    public static var word: Self {
        let text = ConfigurationForm<String>.choice(of: Value.allCases.map(\.rawValue))
        return ConfigurationForm(
            text.schema,
            expected: text.expected,
            shown: { .string($0.rawValue) },
            read: {
                value,
                key throws(ConfigurationError) in
                let word = try text.read(value, key)
                guard let value = Value(rawValue: word) else {
                    throw .unusable(key: key, value: "\"\(word)\"", expected: "another word")
                }
                return value
            }
        )
    }
}

extension ConfigurationForm where Value == JSONObject {
    /// An object; `schema` says more of its members, which are the reader's to check.
    public static func object(_ schema: JSONObject = [:]) -> Self {
        var form: JSONObject = ["type": "object"]
        for member in schema { form[member.key] = member.value }
        return ConfigurationForm(form, expected: "an object") { value, key throws(ConfigurationError) in
            guard let members = value.object else {
                throw .wrongKind(key: key, found: value.kind, expected: "an object")
            }
            return members
        }
    }
}

extension ConfigurationForm where Value: DeclaredConfiguration {
    /// An object with declared keys.
    public static var declared: Self {
        ConfigurationForm(Value.schema, expected: "an object") { value, key throws(ConfigurationError) in
            guard value.object != nil else {
                throw .wrongKind(key: key, found: value.kind, expected: "an object")
            }
            return try Value(reading: value, at: key)
        }
    }
}

extension ConfigurationForm {
    /// An array of so many elements at least and at most, each of one form; an empty default is not shown.
    public static func list<Element>(
        of form: ConfigurationForm<Element>,
        least: Int = 0,
        most: Int
    ) -> Self where Value == [Element] {
        var schema: JSONObject = ["type": "array", "maxItems": .int(Int64(most)), "items": .object(form.schema)]
        if least > 0 { schema["minItems"] = .int(Int64(least)) }
        let shown: @Sendable ([Element]) -> JSONValue? = { list in
            let elements = list.compactMap(form.shown)
            return elements.isEmpty || elements.count < list.count ? nil : .array(elements)
        }
        return ConfigurationForm(schema, expected: "an array", shown: shown) { value, key throws(ConfigurationError) in
            guard let elements = value.array else {
                throw .wrongKind(key: key, found: value.kind, expected: "an array")
            }
            guard elements.count >= least else {
                throw .unusable(key: key, value: "\(elements.count) elements", expected: "at least \(least)")
            }
            guard elements.count <= most else {
                throw .unusable(key: key, value: "\(elements.count) elements", expected: "at most \(most)")
            }
            var list: [Element] = []
            for (index, element) in elements.enumerated() { list.append(try form.read(element, "\(key).\(index)")) }
            return list
        }
    }

    /// An object whose members have names of their own and values of one form.
    public static func members<Element>(
        of form: ConfigurationForm<Element>
    ) -> Self where Value == [(name: String, value: Element)] {
        let object = ConfigurationForm<JSONObject>.object(["additionalProperties": .object(form.schema)])
        return ConfigurationForm(object.schema, expected: object.expected) { value, key throws(ConfigurationError) in
            var values: [(name: String, value: Element)] = []
            for member in try object.read(value, key) {
                values.append((member.key, try form.read(member.value, "\(key).\(member.key)")))
            }
            return values
        }
    }
}
