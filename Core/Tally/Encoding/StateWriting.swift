internal import PluginABI

/// Sets members of a reported state and notes that they are known; what is nil or out of range is not reported.
extension UnsafeMutablePointer where Pointee == tally_state {
    func set(playhead: Int64?) { unsafe put(playhead, TALLY_KNOWN_PLAYHEAD) { $0.playhead_ms = $1 } }

    func set(adPlayhead: Int64?) { unsafe put(adPlayhead, TALLY_KNOWN_AD_PLAYHEAD) { $0.ad_playhead_ms = $1 } }

    func set(liveWall: Int64?) { unsafe put(liveWall, TALLY_KNOWN_LIVE_WALL) { $0.live_wall_ms = $1 } }

    func set(duration: Int64?) { unsafe put(duration, TALLY_KNOWN_DURATION) { $0.duration_ms = $1 } }

    func set(bitrate: Int64?) { unsafe put(bitrate, TALLY_KNOWN_BITRATE) { $0.bitrate_bps = $1 } }

    func set(throughput: Int64?) { unsafe put(throughput, TALLY_KNOWN_THROUGHPUT) { $0.throughput_bps = $1 } }

    func set(droppedFrames: Int64?) { unsafe put(droppedFrames, TALLY_KNOWN_DROPPED) { $0.dropped_frames = $1 } }

    func set(renderedFrames: Int64?) { unsafe put(renderedFrames, TALLY_KNOWN_RENDERED) { $0.rendered_frames = $1 } }

    func set(framesPerSecond: Int32?) { unsafe put(framesPerSecond, TALLY_KNOWN_FPS) { $0.fps_milli = $1 } }

    func set(rate: Int32?) { unsafe put(rate, TALLY_KNOWN_RATE) { $0.rate_milli = $1 } }

    func set(volume: Int32?) { unsafe put(volume, TALLY_KNOWN_VOLUME) { $0.volume_milli = $1 } }

    func set(width: Int32, height: Int32) {
        unsafe put(width, TALLY_KNOWN_SIZE) { $0.width = $1 }
        unsafe put(height, TALLY_KNOWN_SIZE) { $0.height = $1 }
    }

    func set(playerWidth: Int32, height: Int32) {
        unsafe put(playerWidth, TALLY_KNOWN_PLAYER_SIZE) { $0.player_width = $1 }
        unsafe put(height, TALLY_KNOWN_PLAYER_SIZE) { $0.player_height = $1 }
    }

    func set(muted: Bool) { unsafe put(muted, TALLY_KNOWN_MUTED, TALLY_STATE_MUTED) }

    func set(fullscreen: Bool) { unsafe put(fullscreen, TALLY_KNOWN_FULLSCREEN, TALLY_STATE_FULLSCREEN) }

    func set(live: Bool) { unsafe put(live, TALLY_KNOWN_LIVE, TALLY_STATE_LIVE) }

    func set(audioOnly: Bool) { unsafe put(audioOnly, TALLY_KNOWN_AUDIO_ONLY, TALLY_STATE_AUDIO_ONLY) }

    private func put<Number: FixedWidthInteger>(
        _ value: Number?,
        _ known: UInt32,
        _ set: (inout tally_state, Number) -> Void
    ) {
        guard let value, value.magnitude < UInt64(CanonicalNumber.integerLimit) else { return }
        unsafe set(&pointee, value)
        unsafe pointee.known |= known
    }

    private func put(_ truth: Bool, _ known: UInt32, _ flag: UInt32) {
        unsafe pointee.known |= known
        unsafe pointee.flags = unsafe truth ? pointee.flags | flag : pointee.flags & ~flag
    }
}
