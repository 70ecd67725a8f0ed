internal import PluginKit

/// A data object whose fields can be configured, under the guide's names.
package struct DataSection: Sendable {
    /// A field with its key.
    package struct Member: Sendable {
        /// The name of the property.
        package let key: String
        /// The field.
        package let field: Field
    }

    /// The section's key.
    package let key: String
    /// The data object.
    package let group: FieldGroup
    /// Its fields in their order.
    package let members: [Member]
    let description: String

    /// All sections.
    package static let all: [DataSection] = [
        DataSection("viewerData", .viewer, "Fields of ViewerData."),
        DataSection("customerPlayerData", .customerPlayer, "Fields of CustomerPlayerData."),
        DataSection("customerVideoData", .customerVideo, "Fields of CustomerVideoData, and `videoSourceUrl`."),
        DataSection("customerViewData", .customerView, "Fields of CustomerViewData."),
        DataSection("customData", .custom, "`custom1` to `custom20`."),
    ]

    /// Fields that hold a whole number.
    static let numbers: FieldSet = [.videoDuration, .playerInitTime]
    /// Fields that hold true or false.
    static let flags: FieldSet = [.videoIsLive, .viewTimeShiftEnabled]

    private init(_ key: String, _ group: FieldGroup, _ description: String) {
        self.key = key
        self.description = description
        self.group = group
        var members = Field.allCases.filter { $0.group == group }
            .map { Member(key: "\($0)", field: $0) }
        if group == .customerVideo { members.append(Member(key: "videoSourceUrl", field: .videoSourceUrl)) }
        self.members = members
    }

    /// An object of the section's fields.
    var form: ConfigurationForm<[(field: Field, value: FieldValue)]> {
        var properties = JSONObject()
        for member in members { properties[member.key] = .object(Self.form(of: member.field).schema) }
        return ConfigurationForm(
            ["type": "object", "additionalProperties": false, "properties": .object(properties)],
            expected: "an object"
        ) { json, key throws(ConfigurationError) in
            var values: [(field: Field, value: FieldValue)] = []
            for entry in try ConfigurationForm<JSONObject>.object().read(json, key) {
                let path = "\(key).\(entry.key)"
                guard let member = members.first(where: { $0.key == entry.key }) else {
                    let expected = "one of the keys \(members.map(\.key).joined(separator: ", "))"
                    throw .unusable(key: path, value: entry.value.canonicalText, expected: expected)
                }
                if entry.value.isNull { continue }
                values.append((member.field, try Self.form(of: member.field).read(entry.value, path)))
            }
            return values
        }
    }

    private static func form(of field: Field) -> ConfigurationForm<FieldValue> {
        if numbers.contains(field) {
            return ConfigurationForm.integer(Int64.min...Int64.max).map({ .int($0) }, back: { _ in nil })
        }
        if flags.contains(field) { return ConfigurationForm.flag.map({ .flag($0) }, back: { _ in nil }) }
        return ConfigurationForm.text(bytes: 0...4096).map({ .text($0) }, back: { _ in nil })
    }
}
