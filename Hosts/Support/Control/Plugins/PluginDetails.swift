internal import Tally
internal import TextEncoding

/// All that is known of one plugin.
enum PluginDetails {
    /// Its status, its names for people, and the form of its configuration.
    static func json(_ status: PluginStatus, _ catalog: PluginCatalog) -> JSONValue {
        guard var members = status.json.object, let found = catalog.plugin(named: status.plugin), status.plugin != ""
        else { return status.json }
        members["title"] = .string(found.name)
        members["vendor"] = .string(found.vendor)
        members["shared"] = .array(found.sharedConfiguration.map { .string($0) })
        if let text = found.configurationSchema, let schema = try? JSONParser().parse(text) {
            members["schema"] = schema
        }
        return .object(members)
    }
}
