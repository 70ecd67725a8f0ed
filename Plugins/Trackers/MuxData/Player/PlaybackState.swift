internal import PluginABI
internal import PluginKit

/// Where the content stands, from what the player says and from what Mux was told.
struct PlaybackState {
    /// What Mux was told of the content.
    enum Phase {
        /// It is not to play: before `play`, after `pause`, an end or an error.
        case paused
        /// `play` was said, `playing` not yet.
        case waiting
        /// `playing` was said.
        case playing
    }

    /// What a moving playhead shows that the player has not said.
    enum Movement {
        case nothing, playing, playAndPlaying
    }

    var phase = Phase.paused
    /// Whether the viewer wants the content to play.
    private(set) var isWanted = false
    /// Whether the player said that it is paused.
    private var isPauseSaid = false
    private(set) var isVideoLoaded: Bool
    var isFrameShown = false
    var isBuffering = false
    private(set) var hasEnded = false
    /// Whether `play` has to be said again when the seek is over.
    var needsPlayAfterSeek = false
    /// Whether `play` was said in this view.
    private(set) var isPlaySaid = false
    /// Whether a seek is under way that began before `play`: Mux is not told of it.
    private(set) var isSeekSilent = false

    init(isVideoLoaded: Bool) { self.isVideoLoaded = isVideoLoaded }

    /// The state of a player in the middle of a session.
    init(joining player: PlayerState) {
        isVideoLoaded = true
        isFrameShown = player.has(TALLY_STATE_STARTED)
        isBuffering = player.has(TALLY_STATE_BUFFERING)
        isPauseSaid = player.has(TALLY_STATE_PAUSED)
        hasEnded = player.has(TALLY_STATE_ENDED)
        isWanted = !hasEnded && player.has(TALLY_STATE_PLAYING)
    }

    /// Begins anew with another video, or without one.
    mutating func reset(isVideoLoaded: Bool) {
        let needsPlayAfterSeek = needsPlayAfterSeek
        self = PlaybackState(isVideoLoaded: isVideoLoaded)
        self.needsPlayAfterSeek = needsPlayAfterSeek
    }

    mutating func playRequested() {
        isWanted = true
        isPauseSaid = false
    }

    mutating func pauseRequested() {
        isWanted = false
        isPauseSaid = true
    }

    /// The content has played to its end; false when Mux knows that, or is not told since nothing had started.
    ///
    /// Either way what moves after it is no content that plays, until the player says so.
    mutating func complete(isStarted: Bool) -> Bool {
        isWanted = false
        guard !hasEnded else { return false }
        hasEnded = true
        return isStarted
    }

    mutating func playSent() {
        hasEnded = false
        isPlaySaid = true
        phase = .waiting
    }

    /// Another view begins: Mux is told everything anew.
    mutating func beginView() {
        phase = .paused
        needsPlayAfterSeek = false
        isPlaySaid = false
    }

    /// A seek begins; false when Mux is not told of it, as nobody wanted to play yet.
    mutating func seekStarted() -> Bool {
        isSeekSilent = !isPlaySaid
        return isPlaySaid
    }

    /// A seek is over of which Mux was not told; false when there was none.
    mutating func endSilentSeek() -> Bool {
        defer { isSeekSilent = false }
        return isSeekSilent
    }

    /// Whether `play` was said and the content can move.
    var isReadyToPlay: Bool { phase == .waiting && isFrameShown && !isBuffering && !isSeekSilent }

    /// Playing moves the content while nothing else explains it.
    mutating func moved() -> Movement {
        guard isVideoLoaded, !isBuffering, !hasEnded, !isSeekSilent else { return .nothing }
        switch phase {
        case .waiting:
            isFrameShown = true
            return .playing
        case .paused where !isPauseSaid:
            isWanted = true
            isFrameShown = true
            return .playAndPlaying
        case .paused, .playing: return .nothing
        }
    }
}
