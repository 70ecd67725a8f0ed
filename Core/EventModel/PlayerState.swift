public import PluginABI

/// The player as it is known at one instant, lent for the length of a call.
///
/// A property is nil as long as the player has not reported it in this session.
@safe public struct PlayerState {
    /// The structure in the block.
    public let raw: UnsafePointer<tally_state>

    /// Lends a state.
    @inlinable
    public init(_ raw: UnsafePointer<tally_state>) {
        unsafe self.raw = unsafe raw
    }

    /// Whether all of the `TALLY_STATE_...` bits are set.
    public func has(_ flags: UInt32) -> Bool {
        unsafe raw.pointee.flags & flags == flags
    }

    /// Whether at least one of the `TALLY_STATE_...` bits is set.
    public func hasAny(_ flags: UInt32) -> Bool {
        unsafe raw.pointee.flags & flags != 0
    }

    /// Whether all of the `TALLY_KNOWN_...` bits are set.
    public func knows(_ members: UInt32) -> Bool {
        unsafe raw.pointee.known & members == members
    }

    /// Estimated place in the main content, ms.
    public var playheadMilliseconds: Int64? {
        unsafe knows(TALLY_KNOWN_PLAYHEAD) ? raw.pointee.playhead_ms : nil
    }

    /// The place in the main content that the player reported last, ms.
    public var reportedPlayheadMilliseconds: Int64? {
        unsafe knows(TALLY_KNOWN_PLAYHEAD) ? raw.pointee.reported_playhead_ms : nil
    }

    /// Place in the ad, ms; nil outside an ad.
    public var adPlayheadMilliseconds: Int64? {
        unsafe knows(TALLY_KNOWN_AD_PLAYHEAD) && raw.pointee.ad_playhead_ms >= 0 ? raw.pointee.ad_playhead_ms : nil
    }

    /// Live: wall clock of the frame shown, ms since 1970.
    public var liveWallMilliseconds: Int64? {
        unsafe knows(TALLY_KNOWN_LIVE_WALL) ? raw.pointee.live_wall_ms : nil
    }

    /// Length of the main content, ms; -1 for a live stream without a known end.
    public var durationMilliseconds: Int64? {
        unsafe knows(TALLY_KNOWN_DURATION) ? raw.pointee.duration_ms : nil
    }

    /// Bitrate of what is shown, bit/s.
    public var bitrate: Int64? {
        unsafe knows(TALLY_KNOWN_BITRATE) ? raw.pointee.bitrate_bps : nil
    }

    /// Measured download rate, bit/s.
    public var throughput: Int64? {
        unsafe knows(TALLY_KNOWN_THROUGHPUT) ? raw.pointee.throughput_bps : nil
    }

    /// Frames dropped in this session so far.
    public var droppedFrames: Int64? {
        unsafe knows(TALLY_KNOWN_DROPPED) ? raw.pointee.dropped_frames : nil
    }

    /// Frames shown in this session so far.
    public var renderedFrames: Int64? {
        unsafe knows(TALLY_KNOWN_RENDERED) ? raw.pointee.rendered_frames : nil
    }

    /// Frames per second in thousandths.
    public var framesPerSecondMilli: Int32? {
        unsafe knows(TALLY_KNOWN_FPS) ? raw.pointee.fps_milli : nil
    }

    /// Width of the video, px.
    public var width: Int32? {
        unsafe knows(TALLY_KNOWN_SIZE) ? raw.pointee.width : nil
    }

    /// Height of the video, px.
    public var height: Int32? {
        unsafe knows(TALLY_KNOWN_SIZE) ? raw.pointee.height : nil
    }

    /// Playback rate in thousandths.
    public var rateMilli: Int32? {
        unsafe knows(TALLY_KNOWN_RATE) ? raw.pointee.rate_milli : nil
    }

    /// Volume in thousandths.
    public var volumeMilli: Int32? {
        unsafe knows(TALLY_KNOWN_VOLUME) ? raw.pointee.volume_milli : nil
    }

    /// Whether the sound is off.
    public var isMuted: Bool? {
        knows(TALLY_KNOWN_MUTED) ? has(TALLY_STATE_MUTED) : nil
    }

    /// Whether the player covers the screen.
    public var isFullscreen: Bool? {
        knows(TALLY_KNOWN_FULLSCREEN) ? has(TALLY_STATE_FULLSCREEN) : nil
    }

    /// Whether the stream is live.
    public var isLive: Bool? {
        knows(TALLY_KNOWN_LIVE) ? has(TALLY_STATE_LIVE) : nil
    }
}

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
