internal import PluginABI
internal import PluginKit

// PlayerData and VideoData: what the player's state tells.
extension PlayerMonitor {
    /// What changed in the state that is an event of its own.
    struct StateChange {
        var isRate = false
        var isPlaybackMode = false
    }

    /// Takes over the state.
    @discardableResult
    func readState(_ moment: Moment) -> StateChange {
        let state = unsafe moment.player.raw.pointee
        var change = StateChange()
        if state.known & TALLY_KNOWN_PLAYER_SIZE != 0 {
            fields.set(.playerWidth, Int64(state.player_width))
            fields.set(.playerHeight, Int64(state.player_height))
        }
        if state.known & TALLY_KNOWN_FULLSCREEN != 0 {
            change.isPlaybackMode = readFullscreen(state.flags & TALLY_STATE_FULLSCREEN != 0)
        }
        if state.known & TALLY_KNOWN_RATE != 0 {
            let rate = Int64(state.rate_milli)
            change.isRate = toldRate != nil && toldRate != rate
            toldRate = rate
        }
        readSource(state)
        readLive(state)
        return change
    }

    private func readSource(_ state: tally_state) {
        let known = state.known
        if known & TALLY_KNOWN_DURATION != 0, state.duration_ms >= 0 {
            fields.set(.videoSourceDuration, state.duration_ms)
        } else {
            fields.remove(.videoSourceDuration)
        }
        // What the player advertises of a rendition goes before what was measured.
        if rendition?.bitrate == nil {
            fields.set(.videoSourceBitrate, ifKnown: known & TALLY_KNOWN_BITRATE != 0 ? state.bitrate_bps : nil)
        }
        if rendition?.width == nil || rendition?.height == nil {
            let isKnown = known & TALLY_KNOWN_SIZE != 0
            fields.set(.videoSourceWidth, ifKnown: isKnown ? Int64(state.width) : nil)
            fields.set(.videoSourceHeight, ifKnown: isKnown ? Int64(state.height) : nil)
        }
        if rendition?.framesPerSecondMilli == nil {
            let isKnown = known & TALLY_KNOWN_FPS != 0
            fields.set(.videoSourceFps, isKnown ? .seconds(milliseconds: Int64(state.fps_milli)) : .absent)
        }
        if known & TALLY_KNOWN_DROPPED != 0 {
            fields.set(.viewDroppedFrameCount, max(0, state.dropped_frames - metrics.earlierDroppedFrames))
        }
    }

    /// Whether the stream is live, as text; program times are a live stream's alone.
    private func readLive(_ state: tally_state) {
        let live = state.known & TALLY_KNOWN_LIVE != 0 ? state.flags & TALLY_STATE_LIVE != 0 : nil
        if live != isLive {
            isLive = live
            fields.set(.videoSourceIsLive, live.map { .text($0 ? "true" : "false") } ?? .absent)
            if live != true { fields.remove(.playerLiveEdgeProgramTime) }
        }
        let isProgramTimeKnown = live == true && state.known & TALLY_KNOWN_LIVE_WALL != 0
        fields.set(.playerProgramTime, ifKnown: isProgramTimeKnown ? state.live_wall_ms : nil)
    }

    /// Whether the playback mode is another one now.
    private func readFullscreen(_ isFullscreen: Bool) -> Bool {
        let old = fields[.playerIsFullscreen]
        guard old != .flag(isFullscreen) else { return false }
        fields.set(.playerIsFullscreen, isFullscreen)
        guard !applied.contains(.playerPlaybackMode) else { return false }
        fields.set(.playerPlaybackMode, isFullscreen ? "fullscreen" : "standard")
        return old != .absent
    }

    /// Says what changed in the state, once a view has started.
    func say(_ change: StateChange) {
        guard metrics.startedAt != nil else { return }
        if change.isPlaybackMode { emit(.playbackmodechange) }
        if change.isRate { emit(.ratechange) }
    }

    // MARK: - Renditions

    /// Takes a rendition that the player tells of; true when another one is on screen now.
    func takeRendition(_ attributes: AttributeList) -> Bool {
        let new = MediaRendition(attributes)
        if knownRenditions.count < Self.mostRenditions, !knownRenditions.contains(new) { knownRenditions.append(new) }
        if let phase = attributes[.renditionPhase]?.string, !(phase == "visible") { return false }
        guard new != rendition else { return false }
        rendition = new
        fields.set(.videoSourceBitrate, ifKnown: new.bitrate)
        fields.set(.videoSourceWidth, ifKnown: new.width)
        fields.set(.videoSourceHeight, ifKnown: new.height)
        fields.set(.videoSourceFps, new.framesPerSecond)
        fields.set(.videoSourceCodec, new.codec.map(FieldValue.text) ?? .absent)
        fields.set(.videoSourceName, new.name.map(FieldValue.text) ?? .absent)
        return true
    }

    /// Says that another rendition is on screen, right after the data event with it; a bitrate has to be known.
    func changeRendition() {
        guard fields.present.contains(.videoSourceBitrate) else { return }
        takeScalingSample()
        emit(.renditionchange)
    }

    /// The fields that a rendition decides.
    static let renditionFields: FieldSet = [
        .videoSourceBitrate, .videoSourceWidth, .videoSourceHeight, .videoSourceFps, .videoSourceCodec,
        .videoSourceName,
    ]

    /// Renditions of a stream that are kept for rendition lists.
    private static let mostRenditions = 32
}
