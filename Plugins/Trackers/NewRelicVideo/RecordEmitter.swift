internal import PluginKit

/// Writes events as records, hands them to the host, and passes them on for delivery.
final class RecordEmitter: EventRecorder {
    /// What gathers events into requests; nil when they are records alone.
    var delivery: EventDelivery?
    /// Run time of the call that is being handled, us.
    var time: Int64 = 0

    private let host: TrackerHost
    private let builder = RecordBuilder()

    /// Emits through a host.
    init(_ host: TrackerHost, delivery: EventDelivery? = nil) {
        self.host = host
        self.delivery = delivery
    }

    func record(_ action: Action, _ attributes: EventAttributes, _ class: DeliveryClass) {
        builder.begin(action.name)
        for attribute in attributes.list {
            switch attribute.value {
            case .int(let number): builder.set(attribute.name, number)
            case .double(let number): builder.set(attribute.name, number)
            case .text(let text): builder.set(attribute.name, text)
            }
        }
        let ordinal = host.emit(builder)
        guard let delivery, `class` != .none else { return }
        delivery.add(attributes, ordinal, isLive: `class` == .live, at: time)
    }
}
