public import EventModel
package import PluginABI

/// One output, lent as long as its batch is.
@safe public struct OutputView {
    private let raw: UnsafePointer<tally_output>

    /// Reads an output in place; what it points at has to live as long as the view is used.
    package init(_ raw: UnsafePointer<tally_output>) {
        unsafe self.raw = unsafe raw
    }

    /// What it is, nil for a kind that this version does not know; such an output counts as taken.
    public var kind: OutputKind? { unsafe OutputKind(rawValue: raw.pointee.what) }

    /// Where it comes from; copied each time, so keep it in a constant.
    public var origin: OriginView { unsafe OriginView(raw.pointee.origin) }

    /// The event, or the one that begins a session; nil for every other kind.
    public var event: EventView? {
        guard kind == .event || kind == .sessionBegin, let item = unsafe raw.pointee.item else { return nil }
        return unsafe EventView(item.assumingMemoryBound(to: tally_event.self))
    }

    /// The record; nil for every other kind.
    public var record: RecordView? {
        guard kind == .record, let item = unsafe raw.pointee.item else { return nil }
        return unsafe RecordView(item.assumingMemoryBound(to: tally_record.self))
    }

    /// The beacon; nil for every other kind.
    public var beacon: BeaconView? {
        guard kind == .beacon, let item = unsafe raw.pointee.item else { return nil }
        return unsafe BeaconView(item.assumingMemoryBound(to: tally_beacon.self))
    }

    /// How many outputs before this one a full queue cost; 0 for every kind but a gap.
    public var lostCount: UInt64 {
        guard kind == .gap, let item = unsafe raw.pointee.item else { return 0 }
        return unsafe item.loadUnaligned(as: UInt64.self)
    }
}
