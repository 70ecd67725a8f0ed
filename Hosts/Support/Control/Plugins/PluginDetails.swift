internal import Tally
internal import TextEncoding

/// All that is known of one plugin.
enum PluginDetails {
    /// Its status, its names for people, and the form of its configuration.
    static func json(_ status: PluginStatus, _ catalog: PluginCatalog) -> JSONValue {
        var status = status
        // Of a plugin that is not at work its file says what it offers.
        if status.tracker == nil, status.reporter == nil, [.loaded, .enabled, .disabled].contains(status.state) {
            status.commands = (try? catalog.find(status.plugin).commands) ?? []
        }
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
