internal import PluginABI
internal import PluginKit

/// What the player's state and its renditions tell: fields of PlayerData and VideoData.
struct PlayerData {
    /// What changed in the state that is an event of its own.
    struct Change {
        var isRate = false
        var isPlaybackMode = false
    }

    private var rate: Int64?
    private var live: Bool?
    private var rendition: MediaRendition?
    /// The rendition that the player told of last, which within a break is not on screen yet.
    private var lastRendition: MediaRendition?
    private var knownRenditions: [MediaRendition] = []

    /// Whether the stream is known to be live.
    var isLive: Bool { live == true }

    /// Forgets what belongs to the video.
    mutating func forgetVideo() {
        rendition = nil
        lastRendition = nil
        knownRenditions = []
        live = nil
    }

    // MARK: - State

    /// Reads the player's state into the fields, and says what changed that is an event of its own.
    ///
    /// `isContentShown` says whether the state's picture is the content's, and not an ad's. `decidesMode` says whether
    /// the playback mode follows from the size; otherwise the application says it.
    mutating func read(
        _ player: PlayerState,
        _ fields: inout FieldValues,
        earlierDroppedFrames: Int64,
        isContentShown: Bool,
        decidesMode: Bool
    ) -> Change {
        let state = unsafe player.raw.pointee
        let known = state.known
        var change = Change()
        if known & TALLY_KNOWN_PLAYER_SIZE != 0 {
            fields.set(.playerWidth, Int64(state.player_width))
            fields.set(.playerHeight, Int64(state.player_height))
        }
        if known & TALLY_KNOWN_FULLSCREEN != 0 {
            let isFullscreen = state.flags & TALLY_STATE_FULLSCREEN != 0
            change.isPlaybackMode = Self.setFullscreen(isFullscreen, &fields, decidesMode: decidesMode)
        }
        if known & TALLY_KNOWN_RATE != 0 {
            let new = Int64(state.rate_milli)
            change.isRate = rate != nil && rate != new
            rate = new
        }
        if known & TALLY_KNOWN_DROPPED != 0 {
            fields.set(.viewDroppedFrameCount, max(0, state.dropped_frames - earlierDroppedFrames))
        }
        let hasDuration = known & TALLY_KNOWN_DURATION != 0 && state.duration_ms >= 0
        fields.set(.videoSourceDuration, ifKnown: hasDuration ? state.duration_ms : nil)
        if isContentShown { readPicture(state, &fields) }
        readLive(state, &fields)
        return change
    }

    private func readPicture(_ state: tally_state, _ fields: inout FieldValues) {
        let known = state.known
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
    }

    /// Whether the stream is live, as text: by the state, else by the stream's type; only a live stream has program
    /// times.
    private mutating func readLive(_ state: tally_state, _ fields: inout FieldValues) {
        let isKnown = state.known & TALLY_KNOWN_LIVE != 0
        let new = isKnown ? state.flags & TALLY_STATE_LIVE != 0 : fields.text(.videoStreamType).map { $0 == "live" }
        if new != live {
            live = new
            fields.set(.videoSourceIsLive, new.map { .text($0 ? "true" : "false") } ?? .absent)
            if new != true { fields.remove(.playerLiveEdgeProgramTime) }
        }
        let isProgramTimeKnown = isLive && state.known & TALLY_KNOWN_LIVE_WALL != 0
        fields.set(.playerProgramTime, ifKnown: isProgramTimeKnown ? state.live_wall_ms : nil)
    }

    /// Whether the playback mode is another one now.
    private static func setFullscreen(_ isFullscreen: Bool, _ fields: inout FieldValues, decidesMode: Bool) -> Bool {
        let old = fields[.playerIsFullscreen]
        guard old != .flag(isFullscreen) else { return false }
        fields.set(.playerIsFullscreen, isFullscreen)
        guard decidesMode else { return false }
        fields.set(.playerPlaybackMode, isFullscreen ? "fullscreen" : "standard")
        return old != .absent
    }

    // MARK: - Renditions

    /// Reads a rendition that the player tells of.
    mutating func readRendition(_ attributes: AttributeList) {
        let new = MediaRendition(attributes)
        if knownRenditions.count < Self.mostRenditions, !knownRenditions.contains(new) { knownRenditions.append(new) }
        if let phase = attributes[.renditionPhase]?.string, !(phase == "visible") { return }
        lastRendition = new
    }

    /// Sets the fields to the rendition that the player told of last; false when they are.
    mutating func showRendition(_ fields: inout FieldValues) -> Bool {
        guard let new = lastRendition, new != rendition else { return false }
        let old = rendition
        rendition = new
        // What neither of them says is the state's.
        if old?.bitrate != new.bitrate { fields.set(.videoSourceBitrate, ifKnown: new.bitrate) }
        if old?.width != new.width { fields.set(.videoSourceWidth, ifKnown: new.width) }
        if old?.height != new.height { fields.set(.videoSourceHeight, ifKnown: new.height) }
        if old?.framesPerSecondMilli != new.framesPerSecondMilli { fields.set(.videoSourceFps, new.framesPerSecond) }
        fields.set(.videoSourceCodec, new.codec.map(FieldValue.text) ?? .absent)
        fields.set(.videoSourceRenditionName, new.name.map(FieldValue.text) ?? .absent)
        return true
    }

    /// The fields that a rendition decides.
    static let renditionFields: FieldSet = [
        .videoSourceBitrate, .videoSourceWidth, .videoSourceHeight, .videoSourceFps, .videoSourceCodec,
        .videoSourceRenditionName,
    ]

    /// The renditions of the stream that the player has told of, as JSON; nil without any.
    var renditionList: String? {
        guard !knownRenditions.isEmpty else { return nil }
        let buffer = ByteBuffer()
        var writer = JSONWriter(buffer)
        writer.beginArray()
        for rendition in knownRenditions { rendition.write(to: &writer) }
        writer.endArray()
        return buffer.string
    }

    /// Renditions of a stream that are kept for rendition lists.
    private static let mostRenditions = 32
}

/// A rendition as the player describes it.
struct MediaRendition: Equatable {
    var bitrate: Int64?
    var width: Int64?
    var height: Int64?
    var framesPerSecondMilli: Int64?
    var codec: String?
    var name: String?

    /// Reads a rendition change.
    init(_ attributes: AttributeList) {
        bitrate = attributes[.renditionBitrateBps]?.int
        width = attributes[.renditionWidth]?.int
        height = attributes[.renditionHeight]?.int
        framesPerSecondMilli = attributes[.renditionFpsMilli]?.int
        codec = attributes[.renditionCodec]?.string?.string
        name = attributes[.renditionName]?.string?.string
    }

    /// Frames per second as a field has them.
    var framesPerSecond: FieldValue { framesPerSecondMilli.map(FieldValue.seconds(milliseconds:)) ?? .absent }

    /// Writes it as a member of a rendition list (BandwidthMetricData: resolution, frame rate, bitrate, CODECS).
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        if let width, let height {
            writer.member("width", .int(width))
            writer.member("height", .int(height))
        }
        writer.member("fps", framesPerSecond == .absent ? nil : framesPerSecond)
        writer.member("bitrate", bitrate.map(FieldValue.int))
        writer.member("codec", codec)
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes a member that is known.
    fileprivate mutating func member(_ key: StaticString, _ value: FieldValue?) {
        guard let value else { return }
        self.key(key)
        value.write(to: &self)
    }

    fileprivate mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
    }
}
