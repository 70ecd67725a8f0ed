package import PluginKit

/// Reads what is handed to `loadMetadata` (DCR Sweden Video iOS SDK, "Create Metadata Objects").
package enum MetadataArgument {
    /// The name of the argument in messages.
    package static let name = "metadata"

    /// The object that an argument is, or that its text holds.
    package static func object(_ argument: JSONValue) throws(MetadataProblem) -> JSONObject {
        switch argument {
        case .object(let members): return members
        case .string(let text):
            let value = try parse(text)
            guard let members = value.object else {
                throw MetadataProblem(name, "the JSON text holds \(value.kind); an object is needed")
            }
            return members
        default:
            throw MetadataProblem(name, "the argument is \(argument.kind); JSON text or an object is needed")
        }
    }

    private static func parse(_ text: String) throws(MetadataProblem) -> JSONValue {
        do throws(JSONParseError) {
            return try JSONParser().parse(text)
        } catch {
            throw MetadataProblem(name, "the text is no well-formed JSON: \(error)")
        }
    }
}
