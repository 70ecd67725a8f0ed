package import EventModel
package import MediaRules

/// One fact that a player tells, before anybody says what it means.
package enum PlayerSignal: Equatable, Sendable {
    /// The player begins to open an item.
    ///
    /// `wantsPlaying` is whether it is to play at once, nil when that is as before.
    case opening(url: String, wantsPlaying: Bool?)
    /// What was opened is a list that leads elsewhere: it was no item.
    case redirected
    /// The item is open: its length in ms, nil when that is not known, and what there is to see and hear.
    case opened(OpenedMedia)
    /// What is known of the item, by attributes of the data model, such as `video_name`.
    case described([TrackedCall.Attribute])
    /// The viewer wants to play, or not: nothing but a person's or an application's wish.
    case wanted(Bool)
    /// The player's clock runs, or stands, whoever caused it.
    case running(Bool)
    /// How full the buffers are, in percent of what is needed.
    case buffering(percent: Int)
    /// The player moves to a place, ms, at a rate; nil is as before.
    case seeking(toMs: Int64?, rate: Double?)
    /// It has come there.
    case seeked(atMs: Int64?)
    /// A picture is shown, or sound heard, for the first time since the item was opened.
    case picture
    /// The regular look at the playhead, ms; nil when it is not known.
    case position(ms: Int64?)
    /// Size and frame rate on screen.
    case format(StreamRendition)
    /// What a stream costs, bit/s.
    case bitrate(Int64, StreamKind)
    /// What the player downloads from now on, bit/s.
    case variant(bitrate: Int64)
    /// A counter of dropped frames, which begins anew now and then; each source has its own.
    case dropped(source: UInt, count: Int64, isEvent: Bool)
    /// A counter of shown frames, which begins anew now and then.
    case rendered(Int64)
    /// Measured download rate, bit/s.
    case throughput(Int64)
    /// Media buffered ahead, ms.
    case buffered(ms: Int64)
    /// What the player is set to: members that are nil are as before.
    case setting(PlayerSetting)
    /// The chapters of the item.
    case chapters([SignalledChapter])
    /// A request was answered, or not.
    case request(EngineRequest)
    /// There is no decoder for a media type.
    case missingDecoder(mediaType: String, name: String)
    /// The item cannot be played any further.
    case failed(RawEngineError)
    /// The item is over: `isLimited` when it was to end before its own end.
    case ended(isLimited: Bool)
    /// The item is closed, or another one is about to be opened: by which cause, such as `stop` or `quit`, nil when
    /// that is not known.
    case closed(cause: String?)
}

/// What is known of an item once it is open.
package struct OpenedMedia: Equatable, Sendable {
    /// Its length, ms; -1 without a known end; nil when it is not known.
    package var durationMs: Int64?
    /// Whether it is live; nil when that is not known.
    package var isLive: Bool?
    /// Whether it has a picture; nil when that is not known.
    package var hasVideo: Bool?

    package init(durationMs: Int64? = nil, isLive: Bool? = nil, hasVideo: Bool? = nil) {
        self.durationMs = durationMs
        self.isLive = isLive
        self.hasVideo = hasVideo
    }
}

/// What a player is set to.
package struct PlayerSetting: Equatable, Sendable {
    /// 0 to 1; what is louder counts as 1.
    package var volume: Double?
    package var isMuted: Bool?
    package var rate: Double?
    package var isFullscreen: Bool?
    /// Logical px.
    package var playerSize: ReportedState.Size?

    package init(
        volume: Double? = nil,
        isMuted: Bool? = nil,
        rate: Double? = nil,
        isFullscreen: Bool? = nil,
        playerSize: ReportedState.Size? = nil
    ) {
        self.volume = volume
        self.isMuted = isMuted
        self.rate = rate
        self.isFullscreen = isFullscreen
        self.playerSize = playerSize
    }
}

/// A chapter as a player lists it.
package struct SignalledChapter: Equatable, Sendable {
    package let startMs: Int64
    package let endMs: Int64?
    package let title: String

    package init(startMs: Int64, endMs: Int64? = nil, title: String) {
        self.startMs = startMs
        self.endMs = endMs
        self.title = title
    }
}
