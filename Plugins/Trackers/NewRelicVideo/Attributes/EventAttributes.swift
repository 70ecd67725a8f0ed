package import PluginKit

/// The attributes of the event that is being made, in their order; the memory is used again for the next event.
package struct EventAttributes {
    /// The attributes, each name once.
    package private(set) var list: [EventAttribute] = []

    /// Makes an empty list with memory for an event.
    package init() {
        list.reserveCapacity(64)
    }

    private init(list: [EventAttribute]) {
        self.list = list
    }

    /// An empty list without memory.
    static let none = EventAttributes(list: [])

    /// Forgets all attributes.
    package mutating func removeAll() {
        list.removeAll(keepingCapacity: true)
    }

    /// Puts an attribute at the end; the caller knows that the name is new.
    package mutating func append(_ name: UTF8Text, _ value: EventValue) {
        list.append(EventAttribute(name: name, value: value))
    }

    /// Sets an attribute: one that is there keeps its place and gets the value.
    package mutating func set(_ name: UTF8Text, _ value: EventValue) {
        if let index = list.firstIndex(where: { $0.name == name }) {
            list[index].value = value
        } else {
            append(name, value)
        }
    }

    /// The value of an attribute, nil when it is not there.
    package func value(of name: UTF8Text) -> EventValue? {
        list.first { $0.name == name }?.value
    }

    /// Takes an attribute away, if it is there.
    package mutating func remove(_ name: UTF8Text) {
        list.removeAll { $0.name == name }
    }

    /// Gives an attribute another name, in its place; one that has that name already makes way.
    package mutating func rename(_ name: UTF8Text, to newName: UTF8Text) {
        guard name != newName, let value = value(of: name) else { return }
        remove(newName)
        guard let index = list.firstIndex(where: { $0.name == name }) else { return }
        list[index] = EventAttribute(name: newName, value: value)
    }

    /// Changes the texts among the values from a place on.
    package mutating func replaceTexts(from start: Int, _ replace: (UTF8Text) -> UTF8Text?) {
        for index in list.indices.dropFirst(start) {
            guard case .text(let text) = list[index].value, let new = replace(text) else { continue }
            list[index].value = .text(new)
        }
    }
}
