internal import TextEncoding

/// Reads a host's configuration: one JSON5 file, the choice of plugins, and overrides of single keys.
///
/// The file's keys are those of ``HostSettings`` and of the host's own settings. Whatever is not known is an error that
/// names the place.
package struct ConfigurationFile: Sendable {
    private let form: ConfigSchemaCheck
    private let secrets: SecretSettings
    /// The keys whose values are paths.
    private let paths: [String]

    /// Declares the host's own settings, of which those with a key count, and keys that others own.
    package init(_ settings: [any DeclaredSetting] = [], leavingAlone foreign: [String] = []) {
        let declarations = (HostSettings.keys + settings).map(\.declaration)
        form = ConfigSchemaCheck(Self.schema(of: declarations, leavingAlone: foreign))
        secrets = SecretSettings(among: declarations)
        paths = declarations.filter(\.isPath).compactMap(\.key)
    }

    /// The schema of an object that has the settings' keys and no others.
    static func schema(of settings: [SettingDeclaration], leavingAlone foreign: [String] = []) -> JSONObject {
        var properties = JSONObject()
        for setting in settings {
            guard let key = setting.key else { continue }
            let steps = key.split(separator: ".", maxSplits: 1).map(String.init)
            guard steps.count == 2 else {
                properties[key] = .object(setting.schema)
                continue
            }
            var inner = properties[steps[0]]?["properties"]?.object ?? JSONObject()
            inner[steps[1]] = .object(setting.schema)
            properties[steps[0]] = ["type": "object", "additionalProperties": false, "properties": .object(inner)]
        }
        for key in foreign where properties[key] == nil { properties[key] = ["type": "object"] }
        return ["type": "object", "additionalProperties": false, "properties": .object(properties)]
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
        if let chosenPlugins { try source.choose(chosenPlugins) }
        for text in overrides {
            let override: ConfigurationOverride
            do throws(UnfitValue) {
                override = try ConfigurationOverride(text, shown: secrets.shown(override: text))
            } catch {
                throw .badOverride("--set " + secrets.shown(override: text), problem: "expected \(error.expected)")
            }
            try override.apply(to: &source)
            try check(source)
            try source.nameInstances()
        }
        try source.readSharedBlocks()
        return source.configuration(paths: paths)
    }

    private func check(_ source: ConfigurationSource) throws(ConfigurationError) {
        if let violation = form.violations(in: source.value).first {
            throw .form(source.places.place(of: violation.path), secrets.shown(violation))
        }
    }
}
