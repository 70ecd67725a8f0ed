package import EventModel

/// A field with its name on the wire and its data object.
package struct FieldDefinition: Sendable {
    /// The field.
    package let field: Field
    /// Its name as records have it.
    package let name: UTF8Text
    /// The data object that it belongs to.
    package let group: FieldGroup

    init(_ field: Field, _ name: StaticString, _ group: FieldGroup) {
        self.field = field
        self.name = UTF8Text(name)
        self.group = group
    }

    /// The field with a name, nil when Mux Data has none.
    package static func field(named name: UTF8Text) -> Field? {
        all.first { $0.name == name }?.field
    }
}
