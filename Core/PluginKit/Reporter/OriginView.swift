public import EventModel
internal import PluginABI

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
    /// Number of a record or a beacon in its run and instance, of an event in its run.
    public var ordinal: UInt64 { unsafe raw.ordinal }
    /// When it happened, us since the run's start.
    public var time: Int64 { unsafe raw.time_us }
    /// Wall clock at the run's time 0, us since 1970.
    public var epochMicroseconds: Int64 { unsafe raw.epoch_us }
    /// When it happened by the wall clock, us since 1970.
    public var wallClockMicroseconds: Int64 { unsafe raw.epoch_us &+ raw.time_us }
}
