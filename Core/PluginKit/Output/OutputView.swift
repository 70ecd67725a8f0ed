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

    /// The line of the run's archive, with its break; nil for every other kind.
    public var line: UTF8Text? {
        guard kind == .line, let item = unsafe raw.pointee.item else { return nil }
        return unsafe UTF8Text(item.assumingMemoryBound(to: tally_str.self).pointee)
    }

    /// How many outputs before this one a full queue cost; 0 for every kind but a gap.
    public var lostCount: UInt64 {
        guard kind == .gap, let item = unsafe raw.pointee.item else { return 0 }
        return unsafe item.loadUnaligned(as: UInt64.self)
    }
}

/// Where an output comes from, live and in replay the same; lent as long as the output is.
@safe public struct OriginView {
    private let raw: tally_origin

    init(_ foreign: UnsafePointer<tally_origin>) {
        unsafe raw = unsafe ForeignStructure.copy(foreign, into: tally_origin())
    }

    /// The player run.
    public var playerRunID: UTF8Text { unsafe UTF8Text(raw.player_run_id) }
    /// Number of the session, from 1; 0 outside a session.
    public var session: UInt32 { unsafe raw.session }
    /// The configured name of the plugin that said it; empty for what the core itself says.
    public var instance: UTF8Text { unsafe UTF8Text(raw.instance) }
    /// The plugin that said it; empty for what the core itself says.
    public var plugin: UTF8Text { unsafe UTF8Text(raw.plugin_id) }
    /// That plugin's version.
    public var pluginVersion: UTF8Text { unsafe UTF8Text(raw.plugin_version) }
    /// Number of a record or a beacon in its run and instance, of an event or an archive line in its run.
    public var ordinal: UInt64 { unsafe raw.ordinal }
    /// When it happened, us since the run's start.
    public var time: Int64 { unsafe raw.time_us }
    /// The id of the session's asset, as the player has said it so far; empty where it has not, and outside a session.
    public var videoID: UTF8Text { unsafe UTF8Text(raw.video_id) }
    /// Wall clock at the run's time 0, us since 1970; 0 when it is not known.
    public var epochMicroseconds: Int64 { unsafe raw.epoch_us }
    /// When it happened by the wall clock, us since 1970.
    public var wallClockMicroseconds: Int64 { unsafe raw.epoch_us &+ raw.time_us }
}

/// Outputs in order, lent to ``Reporter/deliver(_:)`` until it returns.
@safe public struct OutputBatch: RandomAccessCollection {
    private let items: UnsafePointer<UnsafePointer<tally_output>>
    /// How many outputs.
    public let count: Int

    init(_ items: UnsafePointer<UnsafePointer<tally_output>>, count: Int) {
        unsafe self.items = unsafe items
        self.count = count
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of outputs.
    public var endIndex: Int { count }

    /// The output at a place.
    public subscript(position: Int) -> OutputView {
        precondition(position >= 0 && position < count, "output \(position) of \(count)")
        return unsafe OutputView(items[position])
    }
}
