public import EventModel
public import Tally

/// A player without media: its position follows the time that it is given while it plays.
///
/// It is the delegate of a player run, and it performs ``PlayerAction``s on it.
public final class SyntheticPlayer: PlayerDelegate {
    /// What the player shows and says of itself.
    public struct Model: Sendable {
        /// Asset id.
        public var id: String? = "asset-1"
        /// Title.
        public var name: String? = "Synthetic"
        /// Address of the media.
        public var url: String? = "https://media.example/asset-1.m3u8"
        /// Length, s.
        public var length: Double? = 600
        /// Kind of stream.
        public var streamType = AssetType.vod
        /// Place in the main content, ms.
        public var position: Int64 = 0
        /// Whether the position follows the time.
        public var moving = false
        /// Playback rate.
        public var rate = 1.0
        /// Bitrate, bit/s.
        public var bitrate: Int64? = 3_000_000
        /// Frames per second.
        public var framesPerSecond: Double? = 25
        /// Frames dropped so far.
        public var droppedFrames: Int64? = 0
        /// Whether the sound is off.
        public var muted: Bool? = false
        /// Whether an ad is shown; with its number.
        public var ad: Int64?
        /// Place in the ad, ms; it follows the time while the player plays.
        public var adPosition: Int64 = 0
        /// Number of the chapter shown.
        public var chapter: Int64?
        /// Live: wall clock of the stream's beginning, ms since 1970.
        public var liveStart: Int64?
        /// Length that the player's state tells, ms; nil when it does not.
        public var duration: Int64?
        /// Whether there is no picture; nil when the player does not say.
        public var audioOnly: Bool?
        /// Kind of the ad break.
        public var adBreakType: String?
        /// Id of the ads; nil for one made of their number.
        public var adID: String?
        /// Attributes of the application's own in the video information, told in the order of their names.
        public var videoAttributes: [String: PlainValue] = [:]
        /// Attributes of the application's own in the ad information, told in the order of their names.
        public var adAttributes: [String: PlainValue] = [:]
        /// What the delegate says of the video besides the above.
        public var moreOfVideo: (@Sendable (borrowing VideoInfoEncoder) -> Void)?
        /// What the delegate says of the ad break besides the above.
        public var moreOfAdBreak: (@Sendable (borrowing AdBreakInfoEncoder) -> Void)?
        /// What the delegate says of the ad besides the above.
        public var moreOfAd: (@Sendable (borrowing AdInfoEncoder) -> Void)?
        /// What the delegate says of quality besides the above.
        public var moreOfQuality: (@Sendable (borrowing QualityInfoEncoder) -> Void)?
        /// What the delegate says of the state besides the above.
        public var moreOfState: (@Sendable (borrowing PlayerStateEncoder) -> Void)?
        /// What the delegate says of the video instead of the above.
        public var videoAnswer: (@Sendable (borrowing VideoInfoEncoder) -> Void)?
        /// What the delegate says of the break instead of the above.
        public var adBreakAnswer: (@Sendable (borrowing AdBreakInfoEncoder) -> Void)?
        /// What the delegate says of the ad instead of the above.
        public var adAnswer: (@Sendable (borrowing AdInfoEncoder) -> Void)?
        /// What the delegate says of the chapter instead of the above.
        public var chapterAnswer: (@Sendable (borrowing ChapterInfoEncoder) -> Void)?
        /// Whether the delegate says where playback stands.
        public var tellsPlayhead = true
        /// Length of each ad, ms.
        public static let adLength: Int64 = 15_000
        /// When the position was last brought up to date, us.
        var updated: Int64 = 0

        /// An asset of ten minutes at its beginning.
        public init() {}

        mutating func update(to time: Int64) {
            if moving {
                position += Int64(Double(time - updated) * rate) / 1000
                if ad != nil { adPosition = min(adPosition + (time - updated) / 1000, Self.adLength) }
            }
            updated = time
        }
    }

    /// What the delegate was told.
    public struct Told: Sendable {
        /// Ended sessions.
        public var unloaded: [SessionReport] = []
        /// Errors of trackers.
        public var errors: [TrackerError] = []
    }

    private let model = Lock(Model())
    private let told = Condition(Told())
    private let onUnloaded = Lock<(@Sendable () -> Void)?>(nil)

    /// A player that stands at the beginning.
    public init() {}

    /// Changes what the player shows.
    public func change(_ change: (inout Model) -> Void) { model.with { change(&$0) } }

    /// Brings the position up to the run's time, us.
    public func update(to time: Int64) { model.with { $0.update(to: time) } }

    /// What the delegate was told so far.
    public var reports: Told { told.with { $0 } }

    /// Waits until the delegate has been told of `count` ended sessions; false after `seconds`.
    public func waitForUnloaded(_ count: Int, seconds: Double = 30) -> Bool {
        let deadline = SystemTime.monotonic() + Int64(seconds * 1_000_000)
        return told.wait(until: deadline) { $0.unloaded.count >= count ? true : nil } ?? false
    }

    /// Sets what is done inside `videoUnloaded`.
    public func onVideoUnloaded(_ action: @escaping @Sendable () -> Void) { onUnloaded.with { $0 = action } }

    // MARK: - PlayerDelegate

    /// Says what the model shows.
    public func videoInfo(_ info: borrowing VideoInfoEncoder) {
        let model = model.with { $0 }
        if let answer = model.videoAnswer { return answer(info) }
        info.playerName("synthetic")
        info.playerVersion("1.0")
        if let id = model.id { info.id(id) }
        if let name = model.name { info.name(name) }
        if let url = model.url { info.url(url) }
        if let length = model.length { info.length(seconds: length) }
        info.streamType(model.streamType)
        for (name, value) in model.videoAttributes.sorted(by: { $0.key < $1.key }) {
            info.custom(name, value)
        }
        model.moreOfVideo?(info)
    }

    /// Says which break the model shows.
    public func adBreakInfo(_ info: borrowing AdBreakInfoEncoder) {
        let model = model.with { $0 }
        if let answer = model.adBreakAnswer { return answer(info) }
        model.moreOfAdBreak?(info)
        guard let ad = model.ad else { return }
        info.playerName("synthetic")
        info.name("break")
        info.position(Int(ad / 10 + 1))
        if let type = model.adBreakType { info.type(type) }
    }

    /// Says which ad the model shows.
    public func adInfo(_ info: borrowing AdInfoEncoder) {
        let model = model.with { $0 }
        if let answer = model.adAnswer { return answer(info) }
        guard let ad = model.ad else { return }
        info.id(model.adID ?? "ad-\(ad)")
        info.name("Ad \(ad)")
        info.length(seconds: Double(Model.adLength) / 1000)
        info.position(Int(ad % 10 + 1))
        for (name, value) in model.adAttributes.sorted(by: { $0.key < $1.key }) {
            info.custom(name, value)
        }
        model.moreOfAd?(info)
    }

    /// Says which chapter the model shows.
    public func chapterInfo(_ info: borrowing ChapterInfoEncoder) {
        if let answer = model.with({ $0.chapterAnswer }) { return answer(info) }
        guard let chapter = model.with({ $0.chapter }) else { return }
        info.name("Chapter \(chapter)")
        info.position(Int(chapter))
        info.startTime(seconds: Double(chapter * 60))
        info.length(seconds: 60)
    }

    /// Says the model's quality.
    public func qualityInfo(_ info: borrowing QualityInfoEncoder) {
        let model = model.with { $0 }
        if let bitrate = model.bitrate { info.bitrate(bitrate) }
        if let framesPerSecond = model.framesPerSecond { info.framesPerSecond(framesPerSecond) }
        if let droppedFrames = model.droppedFrames { info.droppedFrames(droppedFrames) }
        model.moreOfQuality?(info)
    }

    /// Says where the model stands.
    public func playerState(_ state: borrowing PlayerStateEncoder) {
        let model = model.with { $0 }
        if model.tellsPlayhead { state.playhead(milliseconds: model.position) }
        state.rate(model.rate)
        if let muted = model.muted { state.muted(muted) }
        if model.ad != nil { state.adPlayhead(milliseconds: model.adPosition) }
        if let start = model.liveStart { state.liveWallClock(milliseconds: start + model.position) }
        if let duration = model.duration { state.duration(milliseconds: duration) }
        if let audioOnly = model.audioOnly { state.audioOnly(audioOnly) }
        model.moreOfState?(state)
    }

    /// Keeps the report.
    public func videoUnloaded(_ report: SessionReport) {
        onUnloaded.with { $0 }?()
        told.change { $0.unloaded.append(report) }
    }

    /// Keeps the error.
    public func error(_ error: TrackerError) { told.change { $0.errors.append(error) } }
}
