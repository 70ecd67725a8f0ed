internal import Advertising
internal import PlaybackEngine
internal import Streaming
internal import Tally

/// What was known of the player at the engine's last report.
struct PlayerSnapshot: Sendable {
    /// The source as the user named it.
    let source: String
    /// The kind of stream that the user says it is; nil leaves it to the engine.
    let declaredType: AssetType?

    /// Whether the source is loaded; outside of its session nothing is said of it.
    var isInSession = false
    var playheadMs: Int64?
    var media: EngineMedia?
    var tags = EngineTags()
    var mimeType: String?
    /// The language of the subtitles that are on, or `off`; nil when nobody chose.
    var subtitleLanguage: String?
    var rate = 1.0
    var volume = 1.0
    var isMuted = false
    /// What a command pretends: there is no screen.
    var isFullscreen: Bool?
    /// What a command pretends, in logical pixels.
    var playerSize: (width: Int32, height: Int32)?
    /// What a command pretends of the session's pictures; nil leaves it to the media.
    var isAudioOnly: Bool?
    /// What a command pretends of the viewer's network.
    var connectionType: String?
    /// What is on screen, or as long as nothing is, what was decided for.
    var rendition: StreamRendition?
    var droppedFrames: Int64?
    var renderedFrames: Int64?
    var throughput: Int64?
    var bufferedMs: Int64?
    var firstPictureMs: Int64?
    var startupMs: Int64?
    /// Which wall clock a live stream's media belongs to.
    var timeline: ProgramTimeline?
    var ad: AdSnapshot?
    /// Whether an ad with a picture of its own was shown in this session.
    var hasShownAd = false
    var chapter: ChapterSnapshot?

    /// What is on screen, be it an ad's; nil as long as nobody knows.
    var shownRendition: StreamRendition? {
        guard hasShownAd else { return rendition }
        // What is not known is 0: what was said last is the main content's during an ad, and the ad's after it.
        var shown = ad?.ad?.rendition ?? rendition ?? StreamRendition()
        shown.width = shown.width ?? 0
        shown.height = shown.height ?? 0
        shown.bitrate = shown.bitrate ?? 0
        shown.framesPerSecondMilli = shown.framesPerSecondMilli ?? 0
        return shown
    }

    /// What kind of stream it is; nil as long as nobody knows.
    var streamType: AssetType? { declaredType ?? media.map { $0.isLive ? .live : .vod } }

    /// Whether there is no picture; nil as long as nobody knows.
    var saysAudioOnly: Bool? { isAudioOnly ?? media.map { !$0.hasVideo } }

    /// The length; -1 for a stream without a known end, nil as long as nobody knows.
    var durationMs: Int64? {
        guard let streamType else { return nil }
        return streamType == .vod ? media?.durationMs : -1
    }

    /// The file's name, or the path of an address without its query.
    var id: String {
        guard let scheme = source.firstRange(of: "://") else { return fileName }
        let rest = source[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
        guard !source.hasPrefix("file://"), let slash = rest.firstIndex(of: "/") else { return fileName }
        return String(rest[slash...])
    }

    /// The title that the media has, otherwise the file's name.
    var name: String { tags.title ?? fileName }

    private var fileName: String {
        let path = source.contains("://") ? source.prefix { $0 != "?" && $0 != "#" } : source[...]
        return path.split(separator: "/").last.map(String.init) ?? source
    }

    /// What is known when another source takes the place of this one: what belongs to the player stays.
    func followed(by source: String, declaredType: AssetType?) -> PlayerSnapshot {
        var next = PlayerSnapshot(source: source, declaredType: declaredType)
        next.volume = volume
        next.isMuted = isMuted
        next.isFullscreen = isFullscreen
        next.playerSize = playerSize
        next.isAudioOnly = isAudioOnly
        next.connectionType = connectionType
        return next
    }

    /// Knows what a sample says; totals never fall.
    mutating func update(_ quality: EngineQuality) {
        rendition = quality.rendition
        droppedFrames = max(droppedFrames ?? 0, quality.droppedFrames)
        renderedFrames = max(renderedFrames ?? 0, quality.renderedFrames)
        throughput = quality.throughput ?? throughput
        bufferedMs = quality.bufferedMs ?? bufferedMs
    }
}

/// What was known of the ad and its break at the last report.
struct AdSnapshot: Sendable {
    struct Break: Sendable {
        let id: String?
        /// Its index in the main content, from 1.
        let position: Int
        /// Where in the main content it lies, in milliseconds.
        let startMs: Int64
        /// `pre`, `mid` or `post`.
        let type: String
    }

    struct Ad: Sendable {
        let id: String?
        /// What the ad server says of it; nil for an ad of the stream's own.
        var document: LinearAd?
        /// Its index in the break, from 1.
        let position: Int
        let durationMs: Int64?
        /// What is on screen while it is shown; nil for an ad of the stream's own, which is in the main content's form.
        var rendition: StreamRendition?
    }

    var adBreak: Break
    var ad: Ad?
    /// The place in the ad.
    var playheadMs: Int64?
}

/// What is known of the chapter that is shown.
struct ChapterSnapshot: Sendable {
    let title: String
    /// Its index in the main content, from 1.
    let position: Int
    let startMs: Int64
    let durationMs: Int64?
}
