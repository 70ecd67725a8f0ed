internal import PluginKit

/// Events that wait for the next request.
final class EventBatch {
    /// When and how large a request may be.
    let limits: HarvestLimits
    /// The timer that ends the wait.
    var timer: TimerID?
    /// The events, separated by commas.
    let events = ByteBuffer(capacity: 4096)
    /// The records that they are.
    private(set) var ordinals: [UInt64] = []
    /// How many.
    var count: Int { ordinals.count }

    init(_ limits: HarvestLimits) {
        self.limits = limits
    }

    /// Bytes of a request with these and a further event.
    func bytes(with event: ByteBuffer) -> Int {
        // The brackets, and a comma before each event but the first.
        events.count + event.count + (events.isEmpty ? 2 : 3)
    }

    func append(_ event: ByteBuffer, _ ordinal: UInt64) {
        if !events.isEmpty { events.append(UInt8(ascii: ",")) }
        events.append(event)
        ordinals.append(ordinal)
    }

    /// Carries what waits.
    func carry(by transfer: StateTransfer) {
        transfer.carry(&timer)
        events.carry(by: transfer)
        transfer.carry(&ordinals)
    }

    func removeAll() {
        events.removeAll()
        ordinals.removeAll(keepingCapacity: true)
    }
}
