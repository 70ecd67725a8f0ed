public import PluginABI

/// What the calls of a ``FakeHost`` say of the player: nil for what it has not reported.
///
/// The properties are named like those of `PlayerState`, which a tracker reads.
public struct FakePlayer: Sendable, Equatable {
    /// Place in the main content, ms.
    public var playheadMilliseconds: Int64?
    /// The place that was reported last, ms; nil when it is ``playheadMilliseconds``.
    public var reportedPlayheadMilliseconds: Int64?
    /// How long ago the place was reported, us.
    public var reportedAgeMicroseconds: Int64 = 0
    /// Place in the ad, ms.
    public var adPlayheadMilliseconds: Int64?
    /// Live: wall clock of the frame shown, ms since 1970.
    public var liveWallMilliseconds: Int64?
    /// Length of the main content, ms; -1 for a live stream without a known end.
    public var durationMilliseconds: Int64?
    /// Bitrate of what is shown, bit/s.
    public var bitrate: Int64?
    /// Measured download rate, bit/s.
    public var throughput: Int64?
    /// Frames dropped in this session so far.
    public var droppedFrames: Int64?
    /// Frames shown in this session so far.
    public var renderedFrames: Int64?
    /// Frames per second in thousandths.
    public var framesPerSecondMilli: Int32?
    /// Width of the video, px; known together with ``height``.
    public var width: Int32?
    /// Height of the video, px; known together with ``width``.
    public var height: Int32?
    /// Width of the area on screen, logical px; known together with ``playerHeight``.
    public var playerWidth: Int32?
    /// Height of the area on screen, logical px; known together with ``playerWidth``.
    public var playerHeight: Int32?
    /// Playback rate in thousandths.
    public var rateMilli: Int32?
    /// Volume in thousandths.
    public var volumeMilli: Int32?
    /// Whether the sound is off.
    public var isMuted: Bool?
    /// Whether the player covers the screen.
    public var isFullscreen: Bool?
    /// Whether the stream is live.
    public var isLive: Bool?
    /// Whether there is no picture.
    public var isAudioOnly: Bool?
    /// What follows from the events so far: bits `TALLY_STATE_...` such as `TALLY_STATE_PLAYING`.
    public var flags: UInt32 = 0

    /// Describes a player, of which nothing is known but what the closure sets.
    public init(_ set: (inout FakePlayer) -> Void = { _ in }) { set(&self) }

    /// The state as the ABI has it.
    public var state: tally_state {
        var state = tally_state()
        state.struct_size = UInt32(MemoryLayout<tally_state>.size)
        state.flags = flags
        state.rate_milli = 1000
        state.ad_playhead_ms = -1
        state.reported_age_us = reportedAgeMicroseconds
        set(playheadMilliseconds, TALLY_KNOWN_PLAYHEAD, \.playhead_ms, in: &state)
        state.reported_playhead_ms = reportedPlayheadMilliseconds ?? state.playhead_ms
        set(adPlayheadMilliseconds, TALLY_KNOWN_AD_PLAYHEAD, \.ad_playhead_ms, in: &state)
        set(liveWallMilliseconds, TALLY_KNOWN_LIVE_WALL, \.live_wall_ms, in: &state)
        set(durationMilliseconds, TALLY_KNOWN_DURATION, \.duration_ms, in: &state)
        set(bitrate, TALLY_KNOWN_BITRATE, \.bitrate_bps, in: &state)
        set(throughput, TALLY_KNOWN_THROUGHPUT, \.throughput_bps, in: &state)
        set(droppedFrames, TALLY_KNOWN_DROPPED, \.dropped_frames, in: &state)
        set(renderedFrames, TALLY_KNOWN_RENDERED, \.rendered_frames, in: &state)
        set(framesPerSecondMilli, TALLY_KNOWN_FPS, \.fps_milli, in: &state)
        if let width, let height {
            set(width, TALLY_KNOWN_SIZE, \.width, in: &state)
            set(height, TALLY_KNOWN_SIZE, \.height, in: &state)
        }
        if let playerWidth, let playerHeight {
            set(playerWidth, TALLY_KNOWN_PLAYER_SIZE, \.player_width, in: &state)
            set(playerHeight, TALLY_KNOWN_PLAYER_SIZE, \.player_height, in: &state)
        }
        set(rateMilli, TALLY_KNOWN_RATE, \.rate_milli, in: &state)
        set(volumeMilli, TALLY_KNOWN_VOLUME, \.volume_milli, in: &state)
        set(isMuted, TALLY_KNOWN_MUTED, TALLY_STATE_MUTED, in: &state)
        set(isFullscreen, TALLY_KNOWN_FULLSCREEN, TALLY_STATE_FULLSCREEN, in: &state)
        set(isLive, TALLY_KNOWN_LIVE, TALLY_STATE_LIVE, in: &state)
        set(isAudioOnly, TALLY_KNOWN_AUDIO_ONLY, TALLY_STATE_AUDIO_ONLY, in: &state)
        return state
    }

    private func set<Number>(
        _ value: Number?,
        _ known: UInt32,
        _ member: WritableKeyPath<tally_state, Number>,
        in state: inout tally_state
    ) {
        guard let value else { return }
        state.known |= known
        state[keyPath: member] = value
    }

    private func set(_ value: Bool?, _ known: UInt32, _ flag: UInt32, in state: inout tally_state) {
        guard let value else { return }
        state.known |= known
        state.flags |= value ? flag : 0
    }
}
