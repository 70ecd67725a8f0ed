import PluginABI

/// What a player has told of itself: nil for what it has not.
struct SimulatedPlayer {
    var playhead: Int64?
    var adPlayhead: Int64?
    var duration: Int64?
    var bitrate: Int64?
    var width: Int32?
    var height: Int32?
    var framesPerSecondMilli: Int32?
    var throughput: Int64?
    var rateMilli: Int32?
    var isMuted: Bool?
    var isLive: Bool?
    /// Further bits `TALLY_STATE_...`.
    var flags: UInt32 = 0

    func write(to state: UnsafeMutablePointer<tally_state>) {
        var raw = tally_state()
        raw.struct_size = UInt32(MemoryLayout<tally_state>.size)
        raw.flags = flags
        raw.ad_playhead_ms = -1
        if let playhead {
            raw.known |= TALLY_KNOWN_PLAYHEAD
            raw.playhead_ms = playhead
            raw.reported_playhead_ms = playhead
        }
        if let adPlayhead {
            raw.known |= TALLY_KNOWN_AD_PLAYHEAD
            raw.ad_playhead_ms = adPlayhead
        }
        if let duration {
            raw.known |= TALLY_KNOWN_DURATION
            raw.duration_ms = duration
        }
        if let bitrate {
            raw.known |= TALLY_KNOWN_BITRATE
            raw.bitrate_bps = bitrate
        }
        if let throughput {
            raw.known |= TALLY_KNOWN_THROUGHPUT
            raw.throughput_bps = throughput
        }
        if let width, let height {
            raw.known |= TALLY_KNOWN_SIZE
            raw.width = width
            raw.height = height
        }
        if let framesPerSecondMilli {
            raw.known |= TALLY_KNOWN_FPS
            raw.fps_milli = framesPerSecondMilli
        }
        if let rateMilli {
            raw.known |= TALLY_KNOWN_RATE
            raw.rate_milli = rateMilli
        }
        if let isMuted {
            raw.known |= TALLY_KNOWN_MUTED
            raw.flags |= isMuted ? TALLY_STATE_MUTED : 0
        }
        if let isLive {
            raw.known |= TALLY_KNOWN_LIVE
            raw.flags |= isLive ? TALLY_STATE_LIVE : 0
        }
        unsafe state.pointee = raw
    }
}
