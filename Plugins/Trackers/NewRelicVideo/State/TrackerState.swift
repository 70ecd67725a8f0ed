/// Where playback stands for one tracker: nine flags, and which step may follow.
///
/// After a step that is not legal nothing has changed, and the sender that stands for it says nothing.
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
    package init(isAd: Bool = false) { self.isAd = isAd }

    /// Makes a sender's step if it is legal here, and answers whether it is.
    package mutating func go(_ sender: VideoSender) -> Bool {
        guard allows(sender) else { return false }
        switch sender {
        case .playerReady: isPlayerReady = true
        case .request: isRequested = true
        case .start: (isStarted, isPlaying) = (true, true)
        case .end:
            (isRequested, isStarted, isPlaying) = (false, false, false)
            (isPaused, isSeeking, isBuffering) = (false, false, false)
        case .pause: (isPaused, isPlaying) = (true, false)
        case .resume: (isPaused, isPlaying) = (false, true)
        case .seekStart: (isSeeking, isPlaying) = (true, false)
        case .bufferStart: (isBuffering, isPlaying) = (true, false)
        // As on iOS these two count as playing even while playback is paused.
        case .seekEnd: (isSeeking, isPlaying) = (false, true)
        case .bufferEnd: (isBuffering, isPlaying) = (false, true)
        case .adBreakStart: isAdBreak = true
        // The request of an ad goes with its break.
        case .adBreakEnd: (isAdBreak, isRequested) = (false, false)
        case .heartbeat, .renditionChange, .error, .adQuartile, .adClick: break
        }
        return true
    }

    private func allows(_ sender: VideoSender) -> Bool {
        switch sender {
        case .playerReady, .heartbeat, .renditionChange, .error: true
        case .request: !isRequested
        case .start: isRequested && !isStarted
        case .end: isRequested
        case .pause: isStarted && !isPaused
        case .resume: isStarted && isPaused
        case .seekStart: isStarted && !isSeeking
        case .seekEnd: isStarted && isSeeking
        case .bufferStart: isRequested && !isBuffering
        case .bufferEnd: isRequested && isBuffering
        case .adBreakStart: isAd && !isAdBreak
        case .adBreakEnd: isAd && isAdBreak
        case .adQuartile, .adClick: isAd
        }
    }
}

extension TrackerState {
    /// Why playback waits for data, as `bufferType` has it: the first reason that holds.
    ///
    /// A playhead that is not known counts as 0; below 10 ms playback has not got away from its beginning.
    package func bufferType(playhead: Int64?, isInLinkedAdBreak: Bool = false) -> StaticString {
        if !isAd, isInLinkedAdBreak { return "ad" }
        if isSeeking { return "seek" }
        if isPaused { return "pause" }
        return playhead ?? 0 < 10 ? "initial" : "connection"
    }
}
