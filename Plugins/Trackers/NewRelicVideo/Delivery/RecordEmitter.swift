internal import PluginKit

/// Takes the events that a tracker has made.
package protocol EventRecorder: AnyObject {
    /// Takes an event; its attributes are lent for the call.
    func record(_ action: Action, _ attributes: EventAttributes, _ delivery: DeliveryClass)
}

/// How an event is to be brought away.
package enum DeliveryClass: Sendable {
    /// With the events of content on demand.
    case onDemand
    /// With those of a live stream, which wait less long.
    case live
    /// As a record alone.
    case none
}

/// Writes events as records, hands them to the host, and passes them on for delivery.
final class RecordEmitter: EventRecorder {
    /// What gathers events into requests; nil when they are records alone.
    var delivery: EventDelivery?
    /// Run time of the call that is being handled, us.
    var time: Int64 = 0

    private let host: TrackerHost

    /// Emits through a host.
    init(_ host: TrackerHost, delivery: EventDelivery? = nil) {
        self.host = host
        self.delivery = delivery
    }

    func record(_ action: Action, _ attributes: EventAttributes, _ class: DeliveryClass) {
        let builder = CallBuilders.ofThread.record
        builder.begin(action.name)
        for attribute in attributes.list {
            switch attribute.value {
            case .int(let number): builder.set(attribute.name, number)
            case .double(let number), .decimal(let number): builder.set(attribute.name, number)
            case .text(let text): builder.set(attribute.name, text)
            }
        }
        let ordinal = host.emit(builder)
        guard let delivery, `class` != .none else { return }
        delivery.add(attributes, ordinal, isLive: `class` == .live, at: time)
    }
}
