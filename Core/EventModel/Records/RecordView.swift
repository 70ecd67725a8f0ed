public import PluginABI

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
