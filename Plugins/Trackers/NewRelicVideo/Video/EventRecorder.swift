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
