internal import TextEncoding

/// The part of the configuration that belongs to one host, so that all hosts can read the same file.
package enum HostSection: String, CaseIterable, Sendable {
    /// `tally-player`.
    case player
    /// `tally-replay`.
    case replay

    /// The schemas of all sections, of which only the reader's own is checked.
    internal static func keys(own: HostSection, schema: JSONObject) -> JSONObject {
        var keys = JSONObject()
        for section in allCases {
            keys[section.rawValue] = section == own ? .object(schema) : ["type": "object"]
        }
        return keys
    }
}
