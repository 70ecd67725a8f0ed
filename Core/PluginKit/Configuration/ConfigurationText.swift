internal import PluginABI

/// The configuration as it comes over the ABI.
enum ConfigurationText {
    /// Reads JSON text; an empty one stands for an object without members.
    static func parse(_ text: tally_str) throws(ConfigurationError) -> JSONValue {
        let text = unsafe UTF8Text(text)
        if text.count == 0 { return .object([:]) }
        do throws(JSONParseError) {
            return unsafe try JSONParser().parse(text.bytes)
        } catch {
            throw .notJSON(error.description)
        }
    }
}
