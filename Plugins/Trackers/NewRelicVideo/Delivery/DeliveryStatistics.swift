package import PluginKit

/// What delivery did, and what it had to cut to keep within the limits of the Event API.
package struct DeliveryStatistics: Equatable, Sendable {
    /// Requests made.
    package internal(set) var requests: Int64 = 0
    /// Bytes of their bodies.
    package internal(set) var bytes: Int64 = 0
    /// Events in them.
    package internal(set) var events: Int64 = 0
    /// Events that alone were too large for a request.
    package internal(set) var eventsTooLarge: Int64 = 0
    /// Attributes beyond what an event may have.
    package internal(set) var attributesTooMany: Int64 = 0
    /// Attributes whose name is too long or belongs to the service.
    package internal(set) var namesRefused: Int64 = 0
    /// Attributes whose number is none.
    package internal(set) var valuesRefused: Int64 = 0
    /// Texts that were cut.
    package internal(set) var valuesCut: Int64 = 0

    /// Begins with nothing done.
    package init() {}

    /// Whether anything was left out or cut.
    package var hasCut: Bool {
        eventsTooLarge + attributesTooMany + namesRefused + valuesRefused + valuesCut > 0
    }

    /// The counts by name.
    package var json: JSONValue {
        .object([
            "requests": .int(requests), "bytes": .int(bytes), "events": .int(events),
            "eventsTooLarge": .int(eventsTooLarge), "attributesTooMany": .int(attributesTooMany),
            "namesRefused": .int(namesRefused), "valuesRefused": .int(valuesRefused), "valuesCut": .int(valuesCut),
        ])
    }
}

extension DeliveryStatistics: StateValue {
    /// A value to read over.
    package static var blank: DeliveryStatistics { DeliveryStatistics() }

    /// Carries each part.
    package mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&requests)
        transfer.carry(&bytes)
        transfer.carry(&events)
        transfer.carry(&eventsTooLarge)
        transfer.carry(&attributesTooMany)
        transfer.carry(&namesRefused)
        transfer.carry(&valuesRefused)
        transfer.carry(&valuesCut)
    }
}
