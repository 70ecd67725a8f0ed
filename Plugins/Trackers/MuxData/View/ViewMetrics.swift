internal import PluginKit

/// What is measured of one view; times in ms.
struct ViewMetrics {
    /// Wall clock of the view's start, nil before it.
    var startedAt: Int64?
    /// Watched time when the first frame, of the content or of an ad before it, was on screen.
    var timeToFirstFrame: Int64?
    /// Watched time, without breaks, when the first frame of the content was on screen.
    var contentStartup: Int64?
    /// Watched time within ad breaks.
    var breakTime: Int64 = 0
    /// How far the playhead moved by playing, and for how long ads played.
    var contentPlayback: Int64 = 0
    /// How far the playhead moved by playing.
    var contentMoved: Int64 = 0
    /// The furthest place in the content.
    var furthestPlayhead: Int64?
    /// Stalls that began.
    var rebufferCount: Int64 = 0
    /// Time of the stalls that are over.
    var rebufferDuration: Int64 = 0
    /// Whether a fatal error that is no business exception was met.
    var hasFailed = false
    /// Whether it was met before the first frame.
    var hasFailedAtStart = false
    /// Whether a business exception was met.
    var hasBusinessException = false
    /// Dropped frames that belong to earlier views of the session.
    var earlierDroppedFrames: Int64 = 0
    /// Whether the content follows another one without a change of the source.
    var isProgramChange = false
    var isPrerollRequested = false
    var isPrerollPlayed = false
    var seeks = SeekMeter()
    var scaling = ScalingMeter()
    var requests = RequestMeter()
    var ads = AdMeter()
}

extension ViewMetrics: StateValue {
    static var blank: ViewMetrics { ViewMetrics() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&startedAt)
        transfer.carry(&timeToFirstFrame)
        transfer.carry(&contentStartup)
        transfer.carry(&breakTime)
        transfer.carry(&contentPlayback)
        transfer.carry(&contentMoved)
        transfer.carry(&furthestPlayhead)
        transfer.carry(&rebufferCount)
        transfer.carry(&rebufferDuration)
        transfer.carry(&hasFailed)
        transfer.carry(&hasFailedAtStart)
        transfer.carry(&hasBusinessException)
        transfer.carry(&earlierDroppedFrames)
        transfer.carry(&isProgramChange)
        transfer.carry(&isPrerollRequested)
        transfer.carry(&isPrerollPlayed)
        transfer.carry(&seeks)
        transfer.carry(&scaling)
        transfer.carry(&requests)
        transfer.carry(&ads)
    }
}
