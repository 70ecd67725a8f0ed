public import EventModel
internal import PluginABI

/// One record, lent as long as its output is.
@safe public struct RecordView {
    private let raw: tally_record

    init(_ foreign: UnsafePointer<tally_record>) {
        unsafe raw = unsafe ForeignStructure.copy(foreign, into: tally_record())
    }

    /// What kind of thing the tracker says.
    public var kind: UTF8Text { unsafe UTF8Text(raw.kind) }

    /// The attributes in the tracker's order.
    public var attributes: AttributeList {
        unsafe LentAttributes.list(raw.attrs, count: raw.attr_count, heap: raw.heap)
    }
}
