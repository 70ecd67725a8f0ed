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

}
