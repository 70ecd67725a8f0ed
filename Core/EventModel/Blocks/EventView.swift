public import PluginABI

/// An event block, lent for the length of a call.
@safe public struct EventView {
    /// The block.
    public let raw: UnsafePointer<tally_event>

    /// Lends a block.
    public init(_ raw: UnsafePointer<tally_event>) {
        unsafe self.raw = unsafe raw
    }

    /// What happened.
    public var type: EventType {
        unsafe EventType(rawValue: raw.pointee.type)
    }

    /// The name of the type, which also tells types that this version does not know.
    @inlinable
    public var typeName: UTF8Text {
        unsafe UTF8Text(
            start: (base + Int(raw.pointee.type_name_off)).assumingMemoryBound(to: UInt8.self),
            count: Int(raw.pointee.type_name_len)
        )
    }

    /// Bits `TALLY_EVENT_...`.
    public var flags: UInt32 {
        unsafe raw.pointee.flags
    }

    /// Effective time since the player run's start, us.
    public var time: Int64 {
        unsafe raw.pointee.time_us
    }

    /// Number among the player events of the run, from 1.
    public var ordinal: UInt64 {
        unsafe raw.pointee.ordinal
    }

    /// Number of the session, from 1; 0 outside a session.
    public var session: UInt32 {
        unsafe raw.pointee.session
    }

    /// The player as it was known at ``time``.
    @inlinable
    public var state: PlayerState {
        unsafe PlayerState((base + Int(raw.pointee.state_off)).assumingMemoryBound(to: tally_state.self))
    }

    /// The attributes in the player's order.
    @inlinable
    public var attributes: AttributeList {
        unsafe AttributeList(
            base: base,
            offset: Int(raw.pointee.attr_off),
            count: Int(raw.pointee.attr_count)
        )
    }

    /// How long the machine slept from ``time`` on, us.
    ///
    /// 0 for another event than a sleep, or one without a sound length.
    package var sleepMicroseconds: Int64 {
        guard type == .systemSuspended else { return 0 }
        let length = attributes[.stepMicroseconds]?.int ?? 0
        return (1..<1 << 53).contains(length) ? length : 0
    }

    /// The whole block.
    public var block: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: raw, count: Int(raw.pointee.size))
    }

    @inlinable
    var base: UnsafeRawPointer {
        unsafe UnsafeRawPointer(raw)
    }
}

/// One record, lent as long as its output is.
@safe public struct RecordView {
    /// The block.
    public let raw: UnsafePointer<tally_record>

    /// Lends a block; it has to live as long as the view is used.
    public init(_ raw: UnsafePointer<tally_record>) {
        unsafe self.raw = unsafe raw
    }

    /// What kind of thing the tracker says.
    public var kind: UTF8Text {
        unsafe UTF8Text(
            start: (UnsafeRawPointer(raw) + Int(raw.pointee.kind_off)).assumingMemoryBound(to: UInt8.self),
            count: Int(raw.pointee.kind_len)
        )
    }

    /// The attributes in the tracker's order.
    public var attributes: AttributeList {
        unsafe AttributeList(base: raw, offset: Int(raw.pointee.attr_off), count: Int(raw.pointee.attr_count))
    }

    /// The whole block.
    public var block: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: raw, count: Int(raw.pointee.size))
    }
}
