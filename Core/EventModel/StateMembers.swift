package import PluginABI

/// The members of the player state that a player reports, with their names in archives.
package enum StateMembers {
    /// Each member that is a number with what reads it, but for the playhead, which has an estimate besides.
    package static let numbers: [(member: UInt32, name: StaticString, value: @Sendable (tally_state) -> Int64)] = [
        (TALLY_KNOWN_AD_PLAYHEAD, "ad_playhead_ms", { $0.ad_playhead_ms }),
        (TALLY_KNOWN_LIVE_WALL, "live_wall_ms", { $0.live_wall_ms }),
        (TALLY_KNOWN_DURATION, "duration_ms", { $0.duration_ms }),
        (TALLY_KNOWN_BITRATE, "bitrate_bps", { $0.bitrate_bps }),
        (TALLY_KNOWN_THROUGHPUT, "throughput_bps", { $0.throughput_bps }),
        (TALLY_KNOWN_DROPPED, "dropped_frames", { $0.dropped_frames }),
        (TALLY_KNOWN_RENDERED, "rendered_frames", { $0.rendered_frames }),
        (TALLY_KNOWN_FPS, "fps_milli", { Int64($0.fps_milli) }),
        (TALLY_KNOWN_SIZE, "width", { Int64($0.width) }),
        (TALLY_KNOWN_SIZE, "height", { Int64($0.height) }),
        (TALLY_KNOWN_RATE, "rate_milli", { Int64($0.rate_milli) }),
        (TALLY_KNOWN_VOLUME, "volume_milli", { Int64($0.volume_milli) }),
        (TALLY_KNOWN_PLAYER_SIZE, "player_width", { Int64($0.player_width) }),
        (TALLY_KNOWN_PLAYER_SIZE, "player_height", { Int64($0.player_height) }),
    ]

    /// Each member that is a bit of `tally_state.flags`, with its flag.
    package static let flagMembers: [(member: UInt32, flag: UInt32, name: StaticString)] = [
        (TALLY_KNOWN_MUTED, TALLY_STATE_MUTED, "muted"),
        (TALLY_KNOWN_FULLSCREEN, TALLY_STATE_FULLSCREEN, "fullscreen"),
        (TALLY_KNOWN_LIVE, TALLY_STATE_LIVE, "live"),
        (TALLY_KNOWN_AUDIO_ONLY, TALLY_STATE_AUDIO_ONLY, "audio_only"),
    ]
}
