package import TextEncoding

/// Reads a host's configuration: one JSON5 file, the choice of plugins, and overrides of single keys.
///
/// The file's keys are `plugins` (an array of instances, or an object of them by name), `fixed`, `pluginDirectories`,
/// `shared`, `archive`, `recover`, `delivery`, `store`, `control`, `dropIn` and those that the host declares. Whatever is not known is an error that names the place.
package struct ConfigurationFile: Sendable {
    private let form: ConfigSchemaCheck

    /// Declares the host's own keys, each with its schema.
    package init(hostKeys: JSONObject = JSONObject()) {
        var instance: JSONObject = [
            "plugin": ["type": "string"], "enabled": ["type": "boolean"], "config": ["type": "object"],
        ]
        let inObject: JSONValue = ["type": "object", "additionalProperties": false, "properties": .object(instance)]
        instance["name"] = ["type": "string"]
        let inArray: JSONValue = [
            "type": "object", "additionalProperties": false, "properties": .object(instance), "required": ["plugin"],
        ]
        var keys: JSONObject = [
            "plugins": [
                "type": ["array", "object"], "items": inArray, "additionalProperties": inObject,
                "properties": ["fixed": ["type": ["boolean", "object"]]],
            ],
            "fixed": ["type": "boolean"],
            "shared": ["type": "object", "additionalProperties": ["type": ["object", "string"]]],
            "store": ["type": ["string", "null"]],
            "control": [
                "type": "object", "additionalProperties": false,
                "properties": ["socket": ["type": ["string", "null"]]],
            ],
            "dropIn": ["type": "string", "enum": ["off", "load", "enable"]],
            "pluginDirectories": ["type": "array", "items": ["type": "string"]],
            "archive": ["type": ["string", "null"]],
            "recover": ["type": "boolean"],
            "delivery": DeliverySettings.schema,
        ]
        for key in hostKeys {
            keys[key.key] = key.value
        }
        form = ConfigSchemaCheck(["type": "object", "additionalProperties": false, "properties": .object(keys)])
    }

    /// Reads the file, keeps or adds the chosen plugins, and applies the overrides in order.
    ///
    /// - Parameters:
    ///   - path: The file; nil for an empty configuration.
    ///   - chosenPlugins: Names of instances or ids of plugins, in the wanted order; what the file does not have is
    ///     added with an empty configuration. Nil keeps all that the file has, an empty list keeps none.
    ///   - overrides: Texts of the form `key=value`, where the value is JSON5 or else taken as a string.
    /// - Returns: The configuration with all changes made.
    /// - Throws: What is wrong first.
    package func load(
        path: String?,
        chosenPlugins: [String]? = nil,
        overrides: [String] = []
    ) throws(ConfigurationError) -> HostConfiguration {
        var source: ConfigurationSource
        if let path {
            source = try ConfigurationSource.load(path)
        } else {
            source = ConfigurationSource(value: [:], places: ConfigurationPlaces(whole: .commandLine("command line")))
        }
        try check(source)
        try source.nameInstances()
        if let chosenPlugins {
            try source.choose(chosenPlugins)
        }
        for text in overrides {
            let override = try ConfigurationOverride(text)
            try override.apply(to: &source)
            try check(source)
            try source.nameInstances()
        }
        try source.readSharedBlocks()
        return source.configuration
    }

    private func check(_ source: ConfigurationSource) throws(ConfigurationError) {
        if let violation = form.violations(in: source.value).first {
            throw .form(source.places.place(of: violation.path), violation)
        }
    }
}
