package import EventModel
internal import PluginABI
package import TextEncoding

/// A player state as a JSON object of what is known, with names that say their units.
package enum StateObject {
    private static let flagNames: [(UInt32, StaticString)] = [
        (TALLY_STATE_PLAYING, "playing"), (TALLY_STATE_PAUSED, "paused"), (TALLY_STATE_SEEKING, "seeking"),
        (TALLY_STATE_BUFFERING, "buffering"), (TALLY_STATE_IN_AD_BREAK, "in_ad_break"),
        (TALLY_STATE_IN_AD, "in_ad"), (TALLY_STATE_IN_CHAPTER, "in_chapter"), (TALLY_STATE_STARTED, "started"),
        (TALLY_STATE_ENDED, "ended"), (TALLY_STATE_INTERRUPTED, "interrupted"),
        (TALLY_STATE_BACKGROUND, "background"),
    ]

    /// Writes the object.
    package static func append(_ state: PlayerState, to writer: inout JSONWriter) {
        let numbers: [(StaticString, Int64?)] = [
            ("playhead_ms", state.playheadMilliseconds), ("ad_playhead_ms", state.adPlayheadMilliseconds),
            ("live_wall_ms", state.liveWallMilliseconds), ("duration_ms", state.durationMilliseconds),
            ("bitrate_bps", state.bitrate), ("throughput_bps", state.throughput),
            ("dropped_frames", state.droppedFrames), ("rendered_frames", state.renderedFrames),
            ("fps_milli", state.framesPerSecondMilli.map(Int64.init)), ("width", state.width.map(Int64.init)),
            ("height", state.height.map(Int64.init)), ("rate_milli", state.rateMilli.map(Int64.init)),
            ("volume_milli", state.volumeMilli.map(Int64.init)),
        ]
        let truths: [(StaticString, Bool?)] = [
            ("muted", state.isMuted), ("fullscreen", state.isFullscreen), ("live", state.isLive),
        ]
        writer.beginObject()
        for (name, number) in numbers {
            guard let number else { continue }
            writer.key(name)
            writer.int(number)
        }
        for (name, truth) in truths {
            guard let truth else { continue }
            writer.key(name)
            writer.bool(truth)
        }
        writer.key("is")
        writer.beginArray()
        for (flag, name) in flagNames where state.has(flag) { writer.string(name) }
        writer.endArray()
        writer.endObject()
    }
}
