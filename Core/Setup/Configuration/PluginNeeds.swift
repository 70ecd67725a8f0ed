package import PluginLoading
internal import TextEncoding

/// What plugins want to find when all instances are set up: other plugins, members of their configuration, an order.
///
/// An instance cannot see the others, so a plugin states it in its configuration schema, and it is checked where all
/// instances are known:
///
/// - `"x-needs": [{"plugin": "org.example.base", "when": {"mode": "full"}}]` wants an enabled instance of another
///   plugin beside it, and `{"key": "Settings"}` a member of its own configuration, for which an empty text does not
///   do, and which is told as a file where the plugin shares one of that name; `when` names values of its own
///   configuration, a default's too, all of which have to be there;
/// - `"x-after": ["org.example.base"]` wants to stand behind the instances of another plugin.
///
/// None of it is refused: an instance may be enabled later, or the vendor's answer be an error state.
package struct PluginNeeds {
    /// Something that an enabled instance wants and does not find.
    package struct Unmet: Equatable, Sendable {
        /// The instance.
        package let instance: String
        /// What is missing and what to do, one sentence without the instance's name.
        package let text: String
    }

    private let schema: JSONValue

    private init?(schema: String?) {
        guard let schema, let value = try? JSONParser().parse(schema) else { return nil }
        self.schema = value
    }

    /// What the enabled instances want and do not find, in their order.
    package static func unmet(_ selections: [PluginSelection], _ catalog: PluginCatalog) -> [Unmet] {
        let enabled = selections.enumerated().compactMap { index, selection -> Instance? in
            guard selection.enabled, let entry = try? catalog.find(selection.plugin) else { return nil }
            return Instance(place: index, selection: selection, description: entry.description)
        }
        return enabled.flatMap { instance -> [Unmet] in
            guard let needs = PluginNeeds(schema: instance.description.configurationSchema) else { return [] }
            let texts = needs.missing(for: instance, among: enabled) + needs.misplaced(instance, among: enabled)
            return texts.map { Unmet(instance: instance.selection.name, text: $0) }
        }
    }

    private struct Instance {
        let place: Int
        let selection: PluginSelection
        let description: PluginDescription
    }

    private func missing(for instance: Instance, among enabled: [Instance]) -> [String] {
        (schema["x-needs"]?.array ?? []).compactMap { need in
            let conditions = (need["when"]?.object ?? [:]).map { ($0.key, $0.value) }
            guard conditions.allSatisfy({ value(of: $0, in: instance) == $1 }) else { return nil }
            let when = conditions.map { " as \($0) \($1.canonicalText)" }.joined()
            if let key = need["key"]?.string, [.null, ""].contains(value(of: key, in: instance)) {
                let file = instance.description.sharedConfiguration.first { "/\($0)".hasSuffix("/\(key).json") }
                let what = file.map { "the file \($0) beside the configuration" } ?? "\(key) in its configuration"
                return "\(instance.description.id)\(when) needs \(what), and it is not there"
            }
            guard let plugin = need["plugin"]?.string, !enabled.contains(where: { $0.description.id == plugin }) else {
                return nil
            }
            return "\(instance.description.id)\(when) needs \(plugin) beside it: configure an instance and enable it"
        }
    }

    private func misplaced(_ instance: Instance, among enabled: [Instance]) -> [String] {
        (schema["x-after"]?.array ?? []).compactMap(\.string).flatMap { plugin in
            enabled.filter { $0.description.id == plugin && $0.place > instance.place }.map { other in
                "\(instance.description.id) has to be set up after \(plugin): put \(other.selection.name) before it"
            }
        }
    }

    /// A value of the configuration, or its default.
    private func value(of key: String, in instance: Instance) -> JSONValue {
        if let value = instance.selection.configuration[key], !value.isNull { return value }
        return schema["properties"]?[key]?["default"] ?? .null
    }
}
