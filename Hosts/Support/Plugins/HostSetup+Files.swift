internal import Tally
internal import TextEncoding

// What the schemas of reporters say of the files that they write.
extension HostSetup {
    /// The reporters that empty a file at each start, with what keeps them from it, any of which does.
    ///
    /// A schema says so at the key that names the file: `"x-emptied-unless": ["append"]`.
    package var emptyingReporters: [(instance: String, unless: [String])] {
        reporterSelections.compactMap { selection in
            for (key, property) in properties(of: selection.plugin) {
                let unless = (property["x-emptied-unless"]?.array ?? []).compactMap(\.string)
                guard !unless.isEmpty, let path = selection.configuration[key]?.string, path != "-" else { continue }
                let isKept = unless.contains { key in
                    switch selection.configuration[key] {
                    case .bool(let truth): truth
                    case let value: value?.int ?? 0 > 0
                    }
                }
                if !isKept { return (selection.name, unless) }
            }
            return nil
        }
    }

    /// Makes sure that no reporter writes to the standard output of a program that is not Tally's because nobody said
    /// where to.
    ///
    /// A schema says so at the key that names the file: `"x-standard-output": true`.
    package func checkStandardOutput() throws(HostError) {
        let wrong = configuration.plugins.filter(\.enabled).compactMap { plugin -> ConfigurationError? in
            let key = properties(of: plugin.pluginID).first { $0.value["x-standard-output"]?.bool == true }?.key
            guard let key, plugin.config[key] == nil else { return nil }
            return .unusable(
                configuration.places.place(of: "plugins." + plugin.name),
                key: "plugins.\(plugin.name).config.\(key)",
                problem:
                    "without this key it writes to the standard output of the application: name a file, or \"-\" if "
                    + "that is wanted"
            )
        }
        if !wrong.isEmpty { throw .configuration(wrong) }
    }

    /// The keys of a plugin's configuration, as its schema describes them.
    private func properties(of plugin: String) -> [(key: String, value: JSONValue)] {
        let schema = catalog.plugin(named: plugin)?.configurationSchema
        return (schema.flatMap { try? JSONParser().parse($0) }?["properties"]?.object ?? [:]).map { ($0.key, $0.value) }
    }
}
