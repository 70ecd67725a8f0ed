/// Why playback waits for data.
public enum BufferingCause: String, Sendable {
    /// Before the first frame.
    case initial
    /// After a seek.
    case seek
    /// In the midst of playback.
    case stall
    /// In the midst of playback and with data: the playhead stands still, and nobody said why.
    case frozen
}

// The methods are those of the guides (Adobe VHL 1.4, "Handle Player Events", Playback Tracking) and a few more.
extension PlayerRun {
    /// The player exists and can be used.
    @discardableResult
    public func trackPlayerReady() -> TrackResult { track(.playerReady) }

    /// The main asset is being loaded: a session begins.
    ///
    /// A session that is open ends with an implicit unload.
    @discardableResult
    public func trackVideoLoad() -> TrackResult { track(.videoLoad) }

    /// The main asset is gone: the session ends.
    ///
    /// Call ``trackComplete()`` before when it was played to its end.
    @discardableResult
    public func trackVideoUnload() -> TrackResult { track(.videoUnload) }

    /// Playback starts or goes on.
    @discardableResult
    public func trackPlay() -> TrackResult { track(.play) }

    /// The main content plays: its first frame is on screen and moves, or its sound is heard.
    ///
    /// A picture that stands while the player loads more is no start: browsers say `playing` at this point.
    @discardableResult
    public func trackFirstFrame() -> TrackResult { track(.firstFrame) }

    /// Playback is stopped or paused on purpose.
    @discardableResult
    public func trackPause() -> TrackResult { track(.pause) }

    /// The main content has played to its end.
    @discardableResult
    public func trackComplete() -> TrackResult { track(.complete) }

    /// A seek begins; several may begin before one completes.
    ///
    /// Seconds.
    @discardableResult
    public func trackSeekStart(from: Double? = nil, to: Double? = nil) -> TrackResult {
        track(.seekStart) { event in
            event.setOptional(.seekFromMs, from)
            event.setOptional(.seekToMs, to)
        }
    }

    /// Playback stands at the seek's target.
    ///
    /// The delegate is asked again for ad break, ad and chapter.
    @discardableResult
    public func trackSeekComplete() -> TrackResult { track(.seekComplete) }

    /// Playback waits for data.
    @discardableResult
    public func trackBufferStart(_ cause: BufferingCause? = nil) -> TrackResult {
        track(.bufferStart) { event in
            if let cause { event.set(.bufferCause, cause.rawValue) }
        }
    }

    /// Enough data is there again.
    @discardableResult
    public func trackBufferComplete() -> TrackResult { track(.bufferComplete) }

    /// Where playback stands: to be called every 250 ms while it goes on, and at each change of the player's state.
    @discardableResult
    public func trackPlayhead() -> TrackResult { track(.playheadSample) }

    /// What is known of the main asset changed; the delegate is asked for it.
    ///
    /// `attributes` may add to it.
    @discardableResult
    public func trackMetadataChange(_ attributes: (borrowing AttributeEncoder) -> Void = { _ in }) -> TrackResult {
        track(.metadataChange) { $0.fill(attributes) }
    }
}
