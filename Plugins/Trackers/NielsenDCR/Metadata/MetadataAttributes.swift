package import PluginKit

/// What the attributes of one event say to this tracker: keys of metadata, and whole objects.
///
/// An application that hands over typed values gets them as the guide wants them: whole numbers as text, truth values
/// as `y` and `n`, or as `1` and `0` for `hasAds`. Whatever else is no text stays what it is, and is refused with its
/// key.
package struct MetadataAttributes {
    /// Keys of the asset that the event is about.
    package private(set) var members = JSONObject()
    /// The channel.
    package private(set) var channelName: String?
    /// Static content that was shown.
    package private(set) var staticContent: JSONValue?
    /// Why an object could not be used.
    package private(set) var problem: MetadataProblem?

    /// What attributes of this tracker begin with.
    package static let prefix: StaticString = "nielsen."

    /// Says nothing.
    package init() {}

    /// Reads the attributes of an event.
    package init(_ attributes: AttributeList) {
        var object = JSONObject()
        for attribute in attributes where attribute.isCustom && attribute.name.hasPrefix(Self.prefix) {
            let key = String(attribute.name.string.dropFirst(Self.prefix.utf8CodeUnitCount))
            switch key {
            case "metadata": read(Self.value(attribute.value, key), into: &object)
            case "channelName": channelName = attribute.string?.string
            default: members[key] = Self.value(attribute.value, key)
            }
        }
        // An object wins over single keys, wherever it stands among them.
        for member in object { members[member.key] = member.value }
    }

    private mutating func read(_ argument: JSONValue, into target: inout JSONObject) {
        do throws(MetadataProblem) {
            let object = try MetadataArgument.object(argument)
            if object["type"] == "static" {
                staticContent = argument
                return
            }
            target = object
        } catch {
            problem = error
        }
    }

    private static func value(_ value: ValueView, _ key: String) -> JSONValue {
        switch value {
        case .string(let text): .string(word(text.string, key))
        case .int(let number): key == "metadata" ? .int(number) : .string("\(number)")
        case .bool(let truth):
            key == "metadata" ? .bool(truth) : .string(key == "hasAds" ? (truth ? "1" : "0") : (truth ? "y" : "n"))
        case .double(let number): .double(number)
        case .null: .null
        case .list, .bytes, .unknown: .array([])
        }
    }

    private static func word(_ text: String, _ key: String) -> String {
        guard key == "adloadtype" else { return text }
        return text == "linear" ? "1" : text == "dynamic" ? "2" : text
    }
}

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
        default: throw MetadataProblem(name, "the argument is \(argument.kind); JSON text or an object is needed")
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
