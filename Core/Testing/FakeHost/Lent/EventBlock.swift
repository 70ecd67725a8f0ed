public import EventModel
public import PluginABI
internal import PluginKit

/// An event as a host lends it, made by hand, with memory of its own.
@safe public final class EventBlock {
    private let memory: UnsafeMutableRawPointer

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - type: what happened; a number outside the vocabulary gets the name `org.example.unknown`.
    ///   - time: run time, us.
    ///   - ordinal: its number among the player events of the run.
    ///   - session: the number of the session, 0 for none.
    ///   - flags: bits `TALLY_EVENT_...`.
    ///   - player: what it says of the player.
    ///   - attributes: its attributes in their order. They have to fit into an event: names and values within the
    ///     limits, all of it within 16 KiB.
    public init(
        _ type: EventType,
        at time: Int64 = 0,
        ordinal: UInt64 = 1,
        session: UInt32 = 1,
        flags: UInt32 = 0,
        player: FakePlayer = FakePlayer(),
        attributes: [(String, PlainValue)] = []
    ) {
        unsafe memory = .allocate(byteCount: Limits.eventBytes, alignment: 8)
        var writer = unsafe BlockWriter(base: memory, capacity: Limits.eventBytes)
        unsafe writer.header.pointee.time_us = time
        unsafe writer.header.pointee.ordinal = ordinal
        unsafe writer.header.pointee.session = session
        unsafe writer.header.pointee.flags = flags
        unsafe writer.state.pointee = player.state
        for (name, value) in attributes {
            let outcome = writer.set(Self.key(named: name), name, value)
            precondition(outcome == .written, "the attribute \"\(name)\" cannot be set: \(outcome)")
        }
        let name = EventTypeNames.name(of: type) ?? UTF8Text("org.example.unknown")
        let size = writer.finish(type: type, name: name)
        precondition(size != nil, "the event is larger than \(Limits.eventBytes) bytes")
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// The block, valid as long as this object lives.
    public var raw: UnsafePointer<tally_event> {
        unsafe UnsafePointer(memory.assumingMemoryBound(to: tally_event.self))
    }

    private static func key(named name: String) -> AttributeKey {
        unsafe tally_str.lend(name) { unsafe AttributeNames.key(named: UTF8Text($0)) }
    }
}
