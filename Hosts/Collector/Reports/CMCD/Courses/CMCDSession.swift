internal import EventModel

/// One playback of one content: what its player said of it.
struct CMCDSession {
    /// The content's id.
    private(set) var content: String?
    private(set) var streamType: String?
    private(set) var format: String?
    private(set) var network: String?
    /// The state that was said last.
    var state: CMCDState?

    /// Whether `play` was called.
    var hasBegun = false
    /// Whether the first frame was shown.
    var hasStarted = false
    var isPaused = false
    var isSeeking = false
    var isBuffering = false
    var hasEnded = false
    var hasFailed = false
    /// Where playback stood last, ms.
    private(set) var playhead: Int64?
    /// Where it stood before the report that is played, ms.
    private(set) var playheadBefore: Int64?
    /// The playback rate in thousandths.
    private(set) var rate: Int32 = 1000
    private let droppedBefore: Int64
    private var dropped: Int64 = 0

    /// - Parameter droppedBefore: the frames that the player dropped in sessions before.
    init(droppedBefore: Int64) {
        self.droppedBefore = droppedBefore
    }

    /// The same content, played once more, by a player that dropped so many frames before.
    func again(droppedBefore: Int64) -> CMCDSession {
        var next = CMCDSession(droppedBefore: droppedBefore)
        next.content = content
        next.streamType = streamType
        next.format = format
        next.network = network
        next.rate = rate
        return next
    }

    var isLive: Bool? { streamType.map { $0 == "live" } }

    /// Whether the main content goes on.
    var isMoving: Bool {
        hasStarted && !isPaused && !isSeeking && !isBuffering && !hasEnded && !hasFailed
    }

    /// Whether playback is wanted.
    var isPlaying: Bool { hasBegun && !isPaused && !hasEnded }

    /// Takes what a record says of the content.
    ///
    /// - Returns: whether something is known now that was not.
    mutating func learn(_ record: CMCDRecord, _ options: CMCDOptions) -> Bool {
        let before = [content, streamType, format, network]
        content = record.string(.cid) ?? content
        streamType = record.token(.st).map { $0 == "v" ? "vod" : "live" } ?? streamType
        switch record.token(.sf) {
        case "d"?: format = "application/dash+xml"
        case "h"?: format = "application/vnd.apple.mpegurl"
        default: break
        }
        let host = record.string(.cdn) ?? (network == nil || options.tellsHosts ? record.string(.h) : nil)
        if let host, network == nil || options.tellsHosts { network = host }
        return before != [content, streamType, format, network]
    }

    /// What is known of the content.
    var videoAttributes: [TrackedCall.Attribute] {
        let known = [
            ("video_id", content), ("stream_type", streamType), ("video_mime_type", format), ("video_cdn", network),
        ]
        return known.compactMap { name, value in value.map { TrackedCall.Attribute(name, .string($0)) } }
    }

    /// Takes the figures of a record that are the content's.
    mutating func read(_ record: CMCDRecord, into state: inout ReportedState) {
        state.isLive = isLive ?? state.isLive
        rate = record.rate ?? rate
        // A response has the bitrate of what was asked for.
        let selected = record.event == .response ? nil : record.bitrate(.br)
        state.bitrate = record.bitrate(.pb) ?? selected ?? state.bitrate
        playheadBefore = playhead
        guard let place = record.integer(.pt), place >= 0, place < 1 << 53 else { return }
        // Live streams with dates tell the time of day of what is shown.
        if place >= 100_000_000_000, isLive != false {
            state.liveWall = place
        } else {
            state.playhead = place
            playhead = place
        }
    }

    /// The frames dropped in this session, of the player's total; never falling.
    mutating func dropped(of total: Int64) -> Int64 {
        dropped = max(dropped, total - droppedBefore)
        return dropped
    }
}
