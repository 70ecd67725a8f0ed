internal import Tally

/// What a player of the reference archive says of itself when it is asked.
///
/// One thread uses it.
final class ReferencePlayer: PlayerDelegate, @unchecked Sendable {
    let videoID: String
    let isLive: Bool
    /// Length of the main content, ms; -1 when live.
    let duration: Int64
    let epoch: Int64
    var time: Int64 = 0
    /// Place in the main content, us.
    var playhead: Int64 = 0
    /// The ad that is shown: its number in the break, its length and its place, ms.
    var ad: (number: Int, length: Int64, playhead: Int64)?
    var breakType = "pre"
    var rendition: ReferenceRendition
    var renderedFrames: Int64 = 0
    var droppedFrames: Int64 = 0
    var throughput: Int64 = 8_000_000
    /// Media ahead of the playhead, seconds.
    var buffered = 0.0
    /// From the wish to play to the first frame, seconds; nil before.
    var startup: Double?

    init(videoID: String, isLive: Bool, duration: Int64, epoch: Int64, rendition: ReferenceRendition) {
        self.videoID = videoID
        self.isLive = isLive
        self.duration = duration
        self.epoch = epoch
        self.rendition = rendition
    }

    func videoInfo(_ info: borrowing VideoInfoEncoder) {
        info.id(videoID)
        info.name("Reference video \(videoID)")
        info.url("https://media.example.org/vod/\(videoID)/master.m3u8")
        info.playerName("Reference player")
        info.playerVersion("1.0.0")
        info.streamType(isLive ? .live : .vod)
        info.language("en")
        info.mimeType("application/vnd.apple.mpegurl")
        info.cdn("cdn-a")
        info.autoplay(true)
        info.applicationName("Bench")
        info.applicationVersion("1.0")
    }

    func adBreakInfo(_ info: borrowing AdBreakInfoEncoder) {
        guard ad != nil else { return }
        info.id("break-\(breakType)")
        info.name(breakType == "pre" ? "Pre-roll" : "Mid-roll")
        info.position(breakType == "pre" ? 1 : 2)
        info.startTime(seconds: breakType == "pre" ? 0 : Double(playhead) / 1e6)
        info.type(breakType)
    }

    func adInfo(_ info: borrowing AdInfoEncoder) {
        guard let ad else { return }
        info.id("ad-\(videoID)-\(ad.number)")
        info.name("Advertisement \(ad.number)")
        info.length(seconds: Double(ad.length) / 1000)
        info.position(ad.number)
        info.creativeID("creative-\(ad.number)")
        info.partner("ads.example.org")
    }

    func qualityInfo(_ info: borrowing QualityInfoEncoder) {
        info.bitrate(rendition.bitrate)
        info.framesPerSecond(rendition.framesPerSecond)
        info.size(width: rendition.width, height: rendition.height)
        info.droppedFrames(droppedFrames)
        info.renderedFrames(renderedFrames)
        info.throughput(throughput)
        info.bufferLength(seconds: buffered)
        if let startup { info.startupTime(seconds: startup) }
    }

    func playerState(_ state: borrowing PlayerStateEncoder) {
        state.playhead(milliseconds: playhead / 1000)
        state.duration(milliseconds: duration)
        state.rate(1)
        state.volume(0.8)
        state.muted(false)
        state.fullscreen(true)
        state.live(isLive)
        state.playerSize(width: 1280, height: 720)
        if let ad { state.adPlayhead(milliseconds: ad.playhead) }
        if isLive { state.liveWallClock(milliseconds: (epoch + time) / 1000 - 20_000) }
    }
}

/// One step of the ladder that every video of the reference archive has.
struct ReferenceRendition {
    let name: String
    let bitrate: Int64
    let width: Int32
    let height: Int32
    let framesPerSecond: Double

    static let ladder = [
        ReferenceRendition(name: "240p", bitrate: 400_000, width: 426, height: 240, framesPerSecond: 25),
        ReferenceRendition(name: "360p", bitrate: 900_000, width: 640, height: 360, framesPerSecond: 25),
        ReferenceRendition(name: "540p", bitrate: 2_000_000, width: 960, height: 540, framesPerSecond: 25),
        ReferenceRendition(name: "720p", bitrate: 3_500_000, width: 1280, height: 720, framesPerSecond: 50),
        ReferenceRendition(name: "1080p", bitrate: 6_500_000, width: 1920, height: 1080, framesPerSecond: 50),
    ]
}
