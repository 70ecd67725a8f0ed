import PluginKit

/// An event that came out of a tracker.
struct RecordedEvent: Equatable {
    let action: String
    let attributes: [(name: String, value: PlainValue)]

    subscript(name: String) -> PlainValue? {
        attributes.first { $0.name == name }?.value
    }

    var names: [String] { attributes.map(\.name) }

    static func == (left: RecordedEvent, right: RecordedEvent) -> Bool {
        left.action == right.action && left.attributes.elementsEqual(right.attributes) { $0 == $1 }
    }
}
