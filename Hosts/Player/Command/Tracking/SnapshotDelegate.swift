internal import Advertising
internal import HostSupport
internal import PlaybackEngine
internal import Streaming
internal import Tally

/// Answers Tally's questions from the snapshot; quick, and from any thread.
final class SnapshotDelegate: PlayerDelegate {
    let snapshot: Lock<PlayerSnapshot>
    private let log: LogPrinter
    /// What was shown of the trackers' errors: some are told again with each load.
    private let shown = Lock<Set<String>>([])

    init(_ snapshot: PlayerSnapshot, log: LogPrinter) {
        self.snapshot = Lock(snapshot)
        self.log = log
    }

    func playerState(_ state: borrowing PlayerStateEncoder) {
        let now = snapshot.with { $0 }
        state.rate(now.rate)
        state.volume(now.volume)
        state.muted(now.isMuted)
        if let isFullscreen = now.isFullscreen { state.fullscreen(isFullscreen) }
        if let size = now.playerSize { state.playerSize(width: size.width, height: size.height) }
        guard now.isInSession else { return }
        if let adPlayheadMs = now.ad?.playheadMs { state.adPlayhead(milliseconds: adPlayheadMs) }
        if let playheadMs = now.playheadMs {
            state.playhead(milliseconds: playheadMs)
            if let timeline = now.timeline { state.liveWallClock(milliseconds: timeline.wallClockMs(atMs: playheadMs)) }
        }
        if let durationMs = now.durationMs { state.duration(milliseconds: durationMs) }
        if let streamType = now.streamType { state.live(streamType != .vod) }
        if let isAudioOnly = now.saysAudioOnly { state.audioOnly(isAudioOnly) }
    }

    func qualityInfo(_ info: borrowing QualityInfoEncoder) {
        let now = snapshot.with { $0 }
        guard now.isInSession else { return }
        if let rendition = now.shownRendition {
            if let bitrate = rendition.bitrate { info.bitrate(bitrate) }
            if let rate = rendition.framesPerSecondMilli { info.framesPerSecond(Double(rate) / 1000) }
            if let width = rendition.width, let height = rendition.height {
                info.size(width: Int32(clamping: width), height: Int32(clamping: height))
            }
        }
        if let droppedFrames = now.droppedFrames { info.droppedFrames(droppedFrames) }
        if let renderedFrames = now.renderedFrames { info.renderedFrames(renderedFrames) }
        if let throughput = now.throughput { info.throughput(throughput) }
        if let bufferedMs = now.bufferedMs { info.bufferLength(seconds: Double(bufferedMs) / 1000) }
        if let liveEdgeMs = now.timeline?.liveEdgeMs { info.liveEdge(milliseconds: liveEdgeMs) }
        if let pictureMs = now.firstPictureMs { info.firstPictureTime(seconds: Double(pictureMs) / 1000) }
        if let startupMs = now.startupMs { info.startupTime(seconds: Double(startupMs) / 1000) }
    }

    func videoInfo(_ info: borrowing VideoInfoEncoder) {
        let now = snapshot.with { $0 }
        info.playerName("tally-player")
        info.playerVersion(TallyVersion.core)
        info.id(now.id)
        info.name(now.name)
        info.url(now.source)
        info.autoplay(true)
        if let streamType = now.streamType { info.streamType(streamType) }
        if let mimeType = now.mimeType { info.mimeType(mimeType) }
        if let language = now.tags.language { info.language(language) }
        if let language = now.subtitleLanguage { info.subtitleLanguage(language) }
        if let codec = now.tags.videoCodec { info.videoCodec(codec) }
        if let codec = now.tags.audioCodec { info.audioCodec(codec) }
    }

    func adBreakInfo(_ info: borrowing AdBreakInfoEncoder) {
        guard let adBreak = snapshot.with({ $0.ad?.adBreak }) else { return }
        info.playerName("tally-player")
        if let id = adBreak.id { info.id(id) }
        info.position(adBreak.position)
        info.startTime(seconds: Double(adBreak.startMs) / 1000)
        info.type(adBreak.type)
    }

    func adInfo(_ info: borrowing AdInfoEncoder) {
        guard let ad = snapshot.with({ $0.ad?.ad }) else { return }
        if let id = ad.id { info.id(id) }
        if let title = ad.document?.title { info.name(title) }
        info.position(ad.position)
        if let durationMs = ad.durationMs { info.length(seconds: Double(durationMs) / 1000) }
        guard let document = ad.document else { return }
        if let skipAfterMs = document.skipOffset?.milliseconds(ofDuration: ad.durationMs) {
            info.skipAfter(seconds: Double(skipAfterMs) / 1000)
        }
        if let cpm = document.cpm { info.cpm(cpm) }
        info.url(document.location)
        if let creativeID = document.creativeID { info.creativeID(creativeID) }
        if let universalID = document.universalID { info.universalID(universalID) }
        if let system = document.system { info.partner(system) }
        info.tagURL(document.tag)
        if let clickThrough = document.clickThrough { info.clickURL(clickThrough) }
    }

    func chapterInfo(_ info: borrowing ChapterInfoEncoder) {
        guard let chapter = snapshot.with({ $0.chapter }) else { return }
        info.name(chapter.title)
        info.position(chapter.position)
        info.startTime(seconds: Double(chapter.startMs) / 1000)
        if let durationMs = chapter.durationMs { info.length(seconds: Double(durationMs) / 1000) }
    }

    func error(_ error: TrackerError) {
        let details = error.details.isEmpty ? "" : " (\(error.details))"
        let text = "\(error.plugin): \(error.code): \(error.message)\(details)"
        if shown.with({ $0.insert(text).inserted }) { log.show(.warning, text) }
    }
}
