internal import PluginKit

/// What is measured of one view; times in ms.
struct ViewMetrics {
    /// Wall clock of the view's start, nil before it.
    private(set) var startedAt: Int64?
    /// Watched time when the first frame, of the content or of an ad before it, was on screen.
    private(set) var timeToFirstFrame: Int64?
    /// Watched time, without breaks, when the first frame of the content was on screen.
    private var contentStartup: Int64?
    /// Watched time within ad breaks.
    private var breakTime: Int64 = 0
    /// How far the playhead moved by playing, and for how long ads played.
    private var contentPlayback: Int64 = 0
    /// How far the playhead moved by playing.
    private var contentMoved: Int64 = 0
    /// The furthest place in the content.
    private var furthestPlayhead: Int64?
    /// Dropped frames that belong to earlier views of the session.
    let earlierDroppedFrames: Int64
    /// Whether the content follows another one without a change of the source.
    private var isProgramChange: Bool
    var errors = ErrorMeter()
    var stalls = StallMeter()
    var seeks = SeekMeter()
    var scaling = ScalingMeter()
    var requests = RequestMeter()
    var ads = AdMeter()

    init(earlierDroppedFrames: Int64 = 0, isProgramChange: Bool = false) {
        self.earlierDroppedFrames = earlierDroppedFrames
        self.isProgramChange = isProgramChange
    }

    /// Whether an ad would come before the content: none of it has been seen, or a second at most.
    var isBeforeContent: Bool { contentMoved <= 1000 }

    /// The view starts; false when it has.
    mutating func start(at time: Int64) -> Bool {
        guard startedAt == nil else { return false }
        startedAt = time
        return true
    }

    /// An ad is on screen before the content.
    mutating func prerollShown(at time: Int64, watched: Int64) {
        ads.prerollShown(at: time)
        if timeToFirstFrame == nil { timeToFirstFrame = watched }
    }

    /// The content is on screen.
    mutating func contentShown(watched: Int64) {
        if timeToFirstFrame == nil { timeToFirstFrame = watched }
        if contentStartup == nil { contentStartup = watched - breakTime }
    }

    /// Counts time of an ad break.
    mutating func countBreak(_ passed: Int64, isAdPlaying: Bool) {
        breakTime += passed
        if isAdPlaying { contentPlayback += passed }
    }

    /// Counts a movement of the playhead by playing.
    mutating func countContent(_ moved: Int64) {
        contentPlayback += moved
        contentMoved += moved
    }

    /// Counts a place in the content.
    @inline(__always)
    mutating func reach(_ playhead: Int64) { furthestPlayhead = max(furthestPlayhead ?? playhead, playhead) }

    /// Counts a fatal error.
    mutating func failed(isBusiness: Bool) { errors.failed(isBusiness: isBusiness, isStarted: timeToFirstFrame != nil) }
}

// MARK: - As fields of events

extension ViewMetrics {
    /// Puts what was measured into the fields of the view.
    func write(to fields: inout FieldValues, _ clock: WatchClock, at time: Int64) {
        let (played, ads) = (clock[.content] + clock[.ad], clock[.ad])
        fields.set(.viewPlayingTimeMsCumulative, played)
        guard startedAt != nil else { return requests.write(to: &fields) }
        let watched = clock.total
        fields.set(.viewWatchTime, watched)
        fields.set(.viewPlayingTime, played)
        if ads > 0 { fields.set(.adPlayingTimeMsCumulative, ads) }
        fields.set(.viewContentPlaybackTime, contentPlayback)
        if let furthestPlayhead { fields.set(.viewMaxPlayheadPosition, furthestPlayhead) }
        if let timeToFirstFrame { fields.set(.viewTimeToFirstFrame, timeToFirstFrame) }
        if isProgramChange { fields.set(.viewProgramChanged, true) }
        stalls.write(to: &fields, at: time, watched: watched)
        seeks.write(to: &fields)
        scaling.write(to: &fields)
        requests.write(to: &fields)
        self.ads.write(to: &fields)
    }
}

// MARK: - As a record of its own at the view's end

extension ViewMetrics {
    /// Writes what the published metrics make of the view (docs.mux.com, metric definitions).
    ///
    /// `startupTime` is from the player's making until it was ready.
    func write(to record: RecordBuilder, _ clock: WatchClock, startupTime: Int64?) {
        writeTimes(to: record, clock, startupTime)
        let isLeft = timeToFirstFrame == nil && !errors.hasFailed
        record.set("exit_before_video_start", isLeft)
        errors.write(to: record)
        if !isLeft || clock.total >= Self.shortestExit {
            let score = ViewScores.success(failed: errors.hasFailed, leftBeforeStart: isLeft)
            record.set("playback_success_score", score)
        }
        if let timeToFirstFrame {
            record.set("startup_time_score", ViewScores.startup(milliseconds: timeToFirstFrame))
            let fraction = clock.total > 0 ? Double(clock[.rebuffering]) / Double(clock.total) : 0
            let score = ViewScores.smoothness(rebufferCount: stalls.count, rebufferFraction: fraction)
            record.set("smoothness_score", score)
        }
        scaling.write(to: record)
    }

    private func writeTimes(to record: RecordBuilder, _ clock: WatchClock, _ startupTime: Int64?) {
        record.set("watch_time_ms", clock.total)
        record.set("waiting_time_ms", clock[.waiting])
        record.set("content_time_ms", clock[.content])
        record.set("ad_time_ms", clock[.ad])
        record.set("rebuffer_time_ms", clock[.rebuffering])
        record.set("seek_time_ms", clock[.seeking])
        if let timeToFirstFrame { record.set("video_startup_time_ms", timeToFirstFrame) }
        if let contentStartup { record.set("content_startup_time_ms", contentStartup) }
        if let startupTime, let timeToFirstFrame {
            record.set("aggregate_startup_time_ms", startupTime + timeToFirstFrame)
        }
        if seeks.count > 0 { record.set("seek_latency_ms", seeks.duration / seeks.count) }
    }

    /// A view that is left sooner, before its start, has no success score, ms.
    private static let shortestExit: Int64 = 1000
}
