public import PluginKit

/// Where playback stands for one tracker: nine flags, and which step may follow.
///
/// A `go` method answers whether the step is legal here, and takes it then. After an illegal one nothing has changed,
/// and the sender that asked says nothing.
public struct TrackerState: Equatable, Sendable {
    /// There is a player.
    public private(set) var isPlayerReady = false
    /// A stream was requested, and has not ended.
    public private(set) var isRequested = false
    /// It has started.
    public private(set) var isStarted = false
    /// It goes on.
    public private(set) var isPlaying = false
    /// It is paused.
    public private(set) var isPaused = false
    /// A seek is under way.
    public private(set) var isSeeking = false
    /// It waits for data.
    public private(set) var isBuffering = false
    /// The tracker follows ads.
    public private(set) var isAd = false
    /// An ad break is under way.
    public private(set) var isAdBreak = false

    /// Begins with nothing requested.
    package init(isAd: Bool = false) {
        self.isAd = isAd
    }

    /// The player is there.
    package mutating func goPlayerReady() -> Bool {
        guard !isPlayerReady else { return false }
        isPlayerReady = true
        return true
    }

    /// A stream is requested.
    package mutating func goRequest() -> Bool {
        guard !isRequested else { return false }
        isRequested = true
        return true
    }

    /// The requested stream starts.
    package mutating func goStart() -> Bool {
        guard isRequested, !isStarted else { return false }
        isStarted = true
        isPlaying = true
        return true
    }

    /// The requested stream ends, started or not.
    package mutating func goEnd() -> Bool {
        guard isRequested else { return false }
        isRequested = false
        isStarted = false
        isPlaying = false
        isPaused = false
        isSeeking = false
        isBuffering = false
        return true
    }

    /// Playback is paused; it may be buffering or seeking.
    package mutating func goPause() -> Bool {
        guard isStarted, !isPaused else { return false }
        isPaused = true
        isPlaying = false
        return true
    }

    /// Playback goes on after a pause.
    package mutating func goResume() -> Bool {
        guard isStarted, isPaused else { return false }
        isPaused = false
        isPlaying = true
        return true
    }

    /// Playback waits for data, perhaps before its start.
    package mutating func goBufferStart() -> Bool {
        guard isRequested, !isBuffering else { return false }
        isBuffering = true
        isPlaying = false
        return true
    }

    /// The data is there; as on iOS this counts as playing even when it is paused.
    package mutating func goBufferEnd() -> Bool {
        guard isRequested, isBuffering else { return false }
        isBuffering = false
        isPlaying = true
        return true
    }

    /// A seek begins.
    package mutating func goSeekStart() -> Bool {
        guard isStarted, !isSeeking else { return false }
        isSeeking = true
        isPlaying = false
        return true
    }

    /// The seek is over; as on iOS this counts as playing even when it is paused.
    package mutating func goSeekEnd() -> Bool {
        guard isStarted, isSeeking else { return false }
        isSeeking = false
        isPlaying = true
        return true
    }

    /// An ad break begins.
    package mutating func goAdBreakStart() -> Bool {
        guard !isAdBreak else { return false }
        isAdBreak = true
        return true
    }

    /// The ad break is over, and with it the request of an ad.
    package mutating func goAdBreakEnd() -> Bool {
        guard isAdBreak else { return false }
        isAdBreak = false
        isRequested = false
        return true
    }

    /// All flags fall.
    package mutating func reset() {
        self = TrackerState()
    }
}

extension TrackerState: StateValue {
    /// A value to read over.
    public static var blank: TrackerState { TrackerState() }

    /// Carries each part.
    public mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&isPlayerReady)
        transfer.carry(&isRequested)
        transfer.carry(&isStarted)
        transfer.carry(&isPlaying)
        transfer.carry(&isPaused)
        transfer.carry(&isSeeking)
        transfer.carry(&isBuffering)
        transfer.carry(&isAd)
        transfer.carry(&isAdBreak)
    }
}
