package import PluginABI

/// Sets members of a reported state and notes that they are known; what is nil or out of range is not reported.
extension tally_state {
    package mutating func set(playhead: Int64?) { put(playhead, TALLY_KNOWN_PLAYHEAD) { $0.playhead_ms = $1 } }

    package mutating func set(adPlayhead: Int64?) {
        put(adPlayhead, TALLY_KNOWN_AD_PLAYHEAD) { $0.ad_playhead_ms = $1 }
    }

    package mutating func set(liveWall: Int64?) { put(liveWall, TALLY_KNOWN_LIVE_WALL) { $0.live_wall_ms = $1 } }

    package mutating func set(duration: Int64?) { put(duration, TALLY_KNOWN_DURATION) { $0.duration_ms = $1 } }

    package mutating func set(bitrate: Int64?) { put(bitrate, TALLY_KNOWN_BITRATE) { $0.bitrate_bps = $1 } }

    package mutating func set(throughput: Int64?) { put(throughput, TALLY_KNOWN_THROUGHPUT) { $0.throughput_bps = $1 } }

    package mutating func set(droppedFrames: Int64?) {
        put(droppedFrames, TALLY_KNOWN_DROPPED) { $0.dropped_frames = $1 }
    }

    package mutating func set(renderedFrames: Int64?) {
        put(renderedFrames, TALLY_KNOWN_RENDERED) { $0.rendered_frames = $1 }
    }

    package mutating func set(framesPerSecond: Int32?) { put(framesPerSecond, TALLY_KNOWN_FPS) { $0.fps_milli = $1 } }

    package mutating func set(rate: Int32?) { put(rate, TALLY_KNOWN_RATE) { $0.rate_milli = $1 } }

    package mutating func set(volume: Int32?) { put(volume, TALLY_KNOWN_VOLUME) { $0.volume_milli = $1 } }

    package mutating func set(width: Int32, height: Int32) {
        put(width, TALLY_KNOWN_SIZE) { $0.width = $1 }
        put(height, TALLY_KNOWN_SIZE) { $0.height = $1 }
    }

    package mutating func set(playerWidth: Int32, height: Int32) {
        put(playerWidth, TALLY_KNOWN_PLAYER_SIZE) { $0.player_width = $1 }
        put(height, TALLY_KNOWN_PLAYER_SIZE) { $0.player_height = $1 }
    }

    package mutating func set(muted: Bool) { put(muted, TALLY_KNOWN_MUTED, TALLY_STATE_MUTED) }

    package mutating func set(fullscreen: Bool) { put(fullscreen, TALLY_KNOWN_FULLSCREEN, TALLY_STATE_FULLSCREEN) }

    package mutating func set(live: Bool) { put(live, TALLY_KNOWN_LIVE, TALLY_STATE_LIVE) }

    package mutating func set(audioOnly: Bool) { put(audioOnly, TALLY_KNOWN_AUDIO_ONLY, TALLY_STATE_AUDIO_ONLY) }

    private mutating func put<Number: FixedWidthInteger>(
        _ value: Number?,
        _ known: UInt32,
        _ set: (inout tally_state, Number) -> Void
    ) {
        guard let value, value.magnitude < UInt64(CanonicalNumber.integerLimit) else { return }
        set(&self, value)
        self.known |= known
    }

    private mutating func put(_ truth: Bool, _ known: UInt32, _ flag: UInt32) {
        self.known |= known
        flags = truth ? flags | flag : flags & ~flag
    }
}
