public import TextEncoding

/// A plugin's configuration, or an object in it, that is declared once: JSON Schema, reader and defaults come from its
/// keys, and so does the table on the plugin's page.
///
/// ```swift
/// struct WaitingConfiguration: DeclaredConfiguration {
///     var shortest: Int64 = 0
///     static let keys = [
///         Key("shortest_ms", \.shortest, .integer(0...60_000), "A shorter wait is not said."),
///     ]
/// }
/// ```
public protocol DeclaredConfiguration: Sendable {
    /// What holds when no key is given.
    init()
    /// The keys, in the order in which they are read and shown.
    static var keys: [ConfigurationKey<Self>] { get }
    /// What the schema says besides, such as `x-needs`.
    static var remarks: JSONObject { get }
    /// Checks and completes what was read, where that takes more than one key; `path` is the object's own key.
    mutating func validate(at path: String) throws(ConfigurationError)
}

extension DeclaredConfiguration {
    /// A key of this configuration.
    public typealias Key = ConfigurationKey<Self>

    /// Nothing.
    public static var remarks: JSONObject { [:] }

    /// All that can be read is good.
    public mutating func validate(at path: String) throws(ConfigurationError) {}

    /// JSON Schema of the configuration.
    public static var schema: JSONObject {
        var schema: JSONObject = ["type": "object", "additionalProperties": false]
        for remark in remarks { schema[remark.key] = remark.value }
        let required = keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        var properties = JSONObject()
        for key in keys { properties[key.name] = .object(key.schema) }
        schema["properties"] = .object(properties)
        return schema
    }

    /// The schema as a descriptor has it.
    public static var schemaText: String { JSONValue.object(schema).canonicalText }

    /// Reads a configuration: an absent key and one that is null leave the default.
    public init(reading json: JSONValue, at path: String = "") throws(ConfigurationError) {
        self.init()
        try read(json, at: path)
    }

    /// Reads the keys that are there over what holds so far.
    public mutating func read(_ json: JSONValue, at path: String = "") throws(ConfigurationError) {
        for key in Self.keys {
            let name = path.isEmpty ? key.name : "\(path).\(key.name)"
            if let value = json[key.name], !value.isNull {
                try key.read(value, name, &self)
            } else if key.isRequired {
                throw .missing(key: name, expected: key.expected)
            }
        }
        try validate(at: path)
    }
}

/// One key of a ``DeclaredConfiguration``.
public struct ConfigurationKey<Configuration: Sendable>: Sendable {
    let name: String
    let isRequired: Bool
    let expected: String
    /// JSON Schema of the key, with default and description.
    let schema: JSONObject
    let read: @Sendable (JSONValue, String, inout Configuration) throws(ConfigurationError) -> Void

    /// Declares a key whose value goes to one place; what that holds at first is the default.
    ///
    /// - Parameters:
    ///   - name: the key.
    ///   - place: where its value goes.
    ///   - form: what its value looks like.
    ///   - required: whether it has to be given; it then has no default.
    ///   - description: what it does, in sentences of plain text.
    public init<Value>(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Value> & Sendable,
        _ form: ConfigurationForm<Value>,
        required: Bool = false,
        _ description: String = ""
    ) where Configuration: DeclaredConfiguration {
        let shown = required ? nil : form.shown(Configuration()[keyPath: place])
        self.init(name, form, shown, required: required, description) { $1[keyPath: place] = $0 }
    }

    /// Declares a key whose value goes to a place that is nil without it.
    public init<Value>(
        _ name: String,
        _ place: any WritableKeyPath<Configuration, Value?> & Sendable,
        _ form: ConfigurationForm<Value>,
        required: Bool = false,
        _ description: String = ""
    ) where Configuration: DeclaredConfiguration {
        let shown = required ? nil : Configuration()[keyPath: place].flatMap(form.shown)
        self.init(name, form, shown, required: required, description) { $1[keyPath: place] = $0 }
    }

    /// Declares a key whose value is stored in a way of its own.
    public init<Value>(
        _ name: String,
        _ form: ConfigurationForm<Value>,
        required: Bool = false,
        _ description: String = "",
        store: @escaping @Sendable (Value, inout Configuration) -> Void
    ) {
        self.init(name, form, nil, required: required, description, store: store)
    }

    private init<Value>(
        _ name: String,
        _ form: ConfigurationForm<Value>,
        _ shown: JSONValue?,
        required: Bool,
        _ description: String,
        store: @escaping @Sendable (Value, inout Configuration) -> Void
    ) {
        self.name = name
        isRequired = required
        expected = form.expected
        var schema = form.schema
        if let shown { schema["default"] = shown }
        if !description.isEmpty { schema["description"] = .string(description) }
        self.schema = schema
        read = { value, path, configuration throws(ConfigurationError) in
            store(try form.read(value, path), &configuration)
        }
    }

    private init(
        name: String,
        isRequired: Bool,
        expected: String,
        schema: JSONObject,
        read: @escaping @Sendable (JSONValue, String, inout Configuration) throws(ConfigurationError) -> Void
    ) {
        self.name = name
        self.isRequired = isRequired
        self.expected = expected
        self.schema = schema
        self.read = read
    }

    /// The key as one of a configuration that has this one in it, such as one that several plugins share.
    package func moved<Outer>(
        to place: any WritableKeyPath<Outer, Configuration> & Sendable
    ) -> ConfigurationKey<Outer> {
        let read = read
        return ConfigurationKey<Outer>(
            name: name,
            isRequired: isRequired,
            expected: expected,
            schema: schema
        ) { value, path, outer throws(ConfigurationError) in try read(value, path, &outer[keyPath: place]) }
    }
}
