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

    /// A text is at most so long, bytes.
    static let longestText = 4096

    /// All sections.
    package static let all: [DataSection] = [
        DataSection("viewerData", .viewer), DataSection("customerPlayerData", .customerPlayer),
        DataSection("customerVideoData", .customerVideo), DataSection("customerViewData", .customerView),
        DataSection("customData", .custom),
    ]

    /// Fields that hold a whole number.
    static let numbers: FieldSet = [.videoDuration, .playerInitTime]
    /// Fields that hold true or false.
    static let flags: FieldSet = [.videoIsLive, .viewTimeShiftEnabled]

    private init(_ key: String, _ group: FieldGroup) {
        self.key = key
        self.group = group
        var members = Field.allCases.filter { $0.group == group }
            .map { Member(key: "\($0)", field: $0) }
        if group == .customerVideo {
            members.append(Member(key: "videoSourceUrl", field: .videoSourceUrl))
        }
        self.members = members
    }

    /// Reads the section.
    func values(_ json: JSONValue) throws(ConfigurationError) -> [(field: Field, value: FieldValue)] {
        if json.isNull { return [] }
        guard let object = json.object else {
            throw .wrongKind(key: key, found: json.kind, expected: "an object")
        }
        var values: [(field: Field, value: FieldValue)] = []
        for entry in object {
            let path = "\(key).\(entry.key)"
            guard let member = members.first(where: { $0.key == entry.key }) else {
                throw .unusable(
                    key: path,
                    value: entry.value.canonicalText,
                    expected: "one of the keys \(members.map(\.key).joined(separator: ", "))"
                )
            }
            if entry.value.isNull { continue }
            values.append((member.field, try Self.value(of: entry.value, for: member.field, path)))
        }
        return values
    }

    private static func value(
        of json: JSONValue,
        for field: Field,
        _ path: String
    ) throws(ConfigurationError) -> FieldValue {
        if numbers.contains(field) {
            guard let number = json.int else {
                throw .wrongKind(key: path, found: json.kind, expected: "an integer")
            }
            return .int(number)
        }
        if flags.contains(field) {
            guard let truth = json.bool else {
                throw .wrongKind(key: path, found: json.kind, expected: "true or false")
            }
            return .flag(truth)
        }
        guard let text = json.string else {
            throw .wrongKind(key: path, found: json.kind, expected: "a string")
        }
        guard text.utf8.count <= longestText else {
            throw .unusable(key: path, value: "\(text.utf8.count) bytes", expected: "at most \(longestText) bytes")
        }
        return .text(text)
    }
}
