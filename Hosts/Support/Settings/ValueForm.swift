package import TextEncoding

/// A value that does not have the form it must have.
package struct UnfitValue: Error, Equatable, Sendable {
    /// What was expected instead, such as `an integer from 1 to 5`.
    package let expected: String

    /// Says what was expected.
    package init(expected: String) {
        self.expected = expected
    }
}

/// What the value of a setting looks like, on the command line and in the configuration.
package struct ValueForm<Value: Sendable>: Sendable {
    /// What stands for a value in the help, mostly its unit: `SECONDS`.
    let placeholder: String
    /// JSON Schema of the value in the configuration.
    var schema: JSONObject = ["type": "string"]
    /// The kind of value as tables of keys name it.
    var kind = "string"
    /// The bounds of a number, as in `from 1 to 5`; empty without bounds.
    var range = ""
    /// The words that the value can be, where they can be listed.
    var words: [String] = []
    /// The value that a text of the command line stands for.
    package let read: @Sendable (String) throws(UnfitValue) -> Value
    /// The value that a key of the configuration has, once its schema was checked.
    var decode: @Sendable (JSONValue) -> Value? = { _ in nil }
    /// The value as explanations show it; nil shows the text.
    var encode: @Sendable (Value) -> JSONValue? = { _ in nil }

    /// A form of its own, which is shown as the text that was given.
    package init(_ placeholder: String, read: @escaping @Sendable (String) throws(UnfitValue) -> Value) {
        self.placeholder = placeholder
        self.read = read
        decode = { $0.string.flatMap { try? read($0) } }
    }
}

extension ValueForm where Value == String {
    /// Any text.
    package static func text(_ placeholder: String) -> Self {
        var form = ValueForm(placeholder) { text throws(UnfitValue) in text }
        form.decode = { $0.string }
        return form
    }

    /// A text that can be null in the configuration, where that is the same as no key.
    package static func optionalText(_ placeholder: String) -> Self {
        var form = text(placeholder)
        form.schema = ["type": ["string", "null"]]
        form.kind = "string or null"
        return form
    }
}

extension ValueForm where Value == [String] {
    /// Texts with commas between them; an array of texts in the configuration.
    package static func list(_ placeholder: String) -> Self {
        var form = ValueForm(placeholder) { text throws(UnfitValue) in text.split(separator: ",").map(String.init) }
        form.schema = ["type": "array", "items": ["type": "string"]]
        form.kind = "array of strings"
        form.decode = { value in value.array.map { $0.compactMap(\.string) } }
        return form
    }
}

extension ValueForm where Value == Int {
    /// An integer of a range.
    package static func integer(_ placeholder: String, _ range: ClosedRange<Int>) -> Self {
        let bounds = SettingText.bounds(range)
        var form = ValueForm(placeholder) { text throws(UnfitValue) in
            guard let number = Int(text), range.contains(number) else {
                throw UnfitValue(expected: "an integer" + SettingText.behindNoun(bounds))
            }
            return number
        }
        form.schema = ["type": "integer", "minimum": .int(Int64(range.lowerBound))]
        if range.upperBound != .max { form.schema["maximum"] = .int(Int64(range.upperBound)) }
        form.kind = "integer"
        form.range = bounds
        form.decode = { $0.int.map { Int($0) } }
        form.encode = { .int(Int64($0)) }
        return form
    }
}

extension ValueForm where Value == Double {
    /// A number of a range.
    package static func number(_ placeholder: String, _ range: ClosedRange<Double>) -> Self {
        let bounds = SettingText.bounds(range)
        var form = ValueForm(placeholder) { text throws(UnfitValue) in
            guard let number = Double(text), number.isFinite, range.contains(number) else {
                throw UnfitValue(expected: "a number" + SettingText.behindNoun(bounds))
            }
            return number
        }
        form.schema = ["type": "number", "minimum": SettingText.json(range.lowerBound)]
        if range.upperBound.isFinite { form.schema["maximum"] = SettingText.json(range.upperBound) }
        form.kind = "number"
        form.range = bounds
        form.decode = { $0.double }
        form.encode = { .double($0) }
        return form
    }
}

extension ValueForm where Value: RawRepresentable, Value.RawValue == String {
    /// One of some words.
    package static func word(_ placeholder: String, of values: [Value]) -> Self {
        let words = values.map(\.rawValue)
        var form = ValueForm(placeholder) { text throws(UnfitValue) in
            guard words.contains(text), let value = Value(rawValue: text) else {
                throw UnfitValue(expected: "one of " + words.joined(separator: ", "))
            }
            return value
        }
        form.schema = ["type": "string", "enum": .array(words.map { .string($0) })]
        form.kind = SettingText.choice(words.map { "`\($0)`" })
        form.words = words
        form.decode = { $0.string.flatMap(Value.init) }
        form.encode = { .string($0.rawValue) }
        return form
    }
}

extension ValueForm where Value == JSONObject {
    /// An object of the configuration, of the form that a schema says.
    package static func object(_ schema: JSONObject, kind: String = "object") -> Self {
        var form = ValueForm("JSON") { _ throws(UnfitValue) in throw UnfitValue(expected: "no option") }
        form.schema = schema
        form.kind = kind
        form.decode = { $0.object }
        form.encode = { .object($0) }
        return form
    }
}

/// Numbers and choices as messages, help and pages have them.
enum SettingText {
    static func bounds(_ range: ClosedRange<Int>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): ""
        case (let lower, .max): "\(lower) or more"
        case (.min, let upper): "\(upper) or less"
        case (let lower, let upper): "from \(lower) to \(upper)"
        }
    }

    static func bounds(_ range: ClosedRange<Double>) -> String {
        range.upperBound.isFinite
            ? "from \(number(range.lowerBound)) to \(number(range.upperBound))" : "\(number(range.lowerBound)) or more"
    }

    /// The bounds behind the word "integer" or "number".
    static func behindNoun(_ bounds: String) -> String {
        bounds.isEmpty ? "" : bounds.hasPrefix("from") ? " " + bounds : ", " + bounds
    }

    static func number(_ number: Double) -> String {
        json(number).canonicalText
    }

    static func json(_ number: Double) -> JSONValue {
        number == number.rounded() && abs(number) < 1e15 ? .int(Int64(number)) : .double(number)
    }

    static func choice(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
