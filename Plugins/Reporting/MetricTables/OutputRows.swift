internal import PluginABI
package import PluginKit

/// The values of a row, one after another, as a database is given them.
package protocol RowWriter {
    /// The next value is a number, or NULL.
    mutating func int(_ number: Int64?)
    /// The next value is true or false, or NULL.
    mutating func truth(_ truth: Bool?)
    /// The next value is text, or NULL.
    mutating func text(_ text: UTF8Text?)
    /// The next value is text when the bytes are UTF-8, else bytes.
    mutating func textOrBytes(_ bytes: UTF8Text)
    /// The next value is the JSON text that the closure writes.
    mutating func json(_ write: (inout JSONWriter) -> Void)
}

/// What outputs are as rows of the tables: the columns, and their values in this order.
package enum OutputRows {
    /// Columns of the table `events`; `run` and `session` come first in each table.
    package static let eventColumns = [
        "run", "session", "ordinal", "time_us", "type", "flags", "playing", "paused", "seeking", "buffering",
        "in_ad_break", "in_ad", "in_chapter", "started", "ended", "interrupted", "background", "playhead_ms",
        "ad_playhead_ms", "duration_ms", "bitrate_bps", "throughput_bps", "dropped_frames", "rendered_frames", "width",
        "height", "rate_milli", "volume_milli", "muted", "fullscreen", "live", "attributes", "reported_playhead_ms",
    ]
    package static let controlColumns = ["run", "session", "time_us", "type", "plugin", "attributes"]
    private static let pluginColumns = [
        "run", "session", "instance", "ordinal", "time_us", "plugin", "plugin_version",
    ]
    package static let recordColumns = pluginColumns + ["kind", "attributes"]
    package static let beaconColumns =
        pluginColumns + [
            "destination", "method", "url", "headers", "body", "credential", "options", "max_age_s", "records",
        ]

    /// The state's bits in the order of their columns.
    private static let flags = [
        TALLY_STATE_PLAYING, TALLY_STATE_PAUSED, TALLY_STATE_SEEKING, TALLY_STATE_BUFFERING, TALLY_STATE_IN_AD_BREAK,
        TALLY_STATE_IN_AD, TALLY_STATE_IN_CHAPTER, TALLY_STATE_STARTED, TALLY_STATE_ENDED, TALLY_STATE_INTERRUPTED,
        TALLY_STATE_BACKGROUND,
    ]

    /// The origin's run and session, which each table begins with.
    package static func origin(_ origin: OriginView, into row: inout some RowWriter) {
        row.text(origin.playerRunID)
        row.int(Int64(origin.session))
    }

    /// What is known of a session's asset: id, name, stream type, CDN, country.
    package static func video(_ attributes: AttributeList, into row: inout some RowWriter) {
        row.text(attributes[.videoID]?.string)
        row.text(attributes[.videoName]?.string)
        row.text(attributes[.streamType]?.string)
        row.text(attributes[.videoCDN]?.string)
        // No name of the vocabulary: applications know it, and say it under this name.
        row.text(attributes["country"]?.string)
    }

    /// A player event.
    package static func event(_ event: EventView, _ origin: OriginView, into row: inout some RowWriter) {
        let state = event.state
        Self.origin(origin, into: &row)
        row.int(Int64(bitPattern: event.ordinal))
        row.int(event.time)
        row.text(event.typeName)
        row.int(Int64(event.flags))
        for flag in Self.flags { row.truth(state.has(flag)) }
        for number in [
            state.playheadMilliseconds, state.adPlayheadMilliseconds, state.durationMilliseconds, state.bitrate,
            state.throughput, state.droppedFrames, state.renderedFrames, state.width.map(Int64.init),
            state.height.map(Int64.init), state.rateMilli.map(Int64.init), state.volumeMilli.map(Int64.init),
        ] {
            row.int(number)
        }
        row.truth(state.isMuted)
        row.truth(state.isFullscreen)
        row.truth(state.isLive)
        row.json { $0.object(event.attributes) }
        let isReported = unsafe state.raw.pointee.reported_age_us == 0
        row.int(isReported ? state.reportedPlayheadMilliseconds : nil)
    }

    /// An event that the core made.
    package static func control(_ event: EventView, _ origin: OriginView, into row: inout some RowWriter) {
        Self.origin(origin, into: &row)
        row.int(event.time)
        row.text(event.typeName)
        row.text(event.attributes[.plugin]?.string ?? UTF8Text(""))
        row.json { $0.object(event.attributes) }
    }

    /// A record.
    package static func record(_ record: RecordView, _ origin: OriginView, into row: inout some RowWriter) {
        plugin(origin, into: &row)
        row.text(record.kind)
        row.json { $0.object(record.attributes) }
    }

    /// A beacon.
    package static func beacon(_ beacon: BeaconView, _ origin: OriginView, into row: inout some RowWriter) {
        plugin(origin, into: &row)
        row.text(beacon.destination)
        row.text(beacon.method)
        row.textOrBytes(beacon.url)
        row.json { writer in
            writer.beginArray()
            for index in 0..<beacon.headerCount {
                let header = beacon.header(index)
                writer.beginArray()
                writer.string(header.name)
                writer.string(header.value)
                writer.endArray()
            }
            writer.endArray()
        }
        row.textOrBytes(beacon.body)
        row.text(beacon.credential.count > 0 ? beacon.credential : nil)
        row.int(Int64(beacon.options.rawValue))
        row.int(beacon.maximumAgeSeconds)
        row.json { writer in
            writer.beginArray()
            for ordinal in beacon.records { writer.unsigned(ordinal) }
            writer.endArray()
        }
    }

    private static func plugin(_ origin: OriginView, into row: inout some RowWriter) {
        Self.origin(origin, into: &row)
        row.text(origin.instance)
        row.int(Int64(bitPattern: origin.ordinal))
        row.int(origin.time)
        row.text(origin.plugin)
        row.text(origin.pluginVersion)
    }
}
