/// What the engine thread must do to the pipeline.
package enum EngineAction: Sendable, Equatable {
    /// Open an item and decode its first media.
    case open(String)
    /// Open the same item once more, from the beginning.
    case reopen
    /// Let time run.
    case setPlaying
    /// Let time stand still.
    case setPaused
    /// Seek with a flush.
    case seek(SeekPurpose)
    /// Set the volume.
    case setVolume(Double)
    /// Switch the sound off or on.
    case setMuted(Bool)
    /// Limit the bitrate of the renditions.
    case pinRendition(maxBitrate: Int64?)
    /// Release the pipeline; with data on its way a download may be under way of which nothing is seen yet.
    case close(awaitsData: Bool)
}

/// What a flushing seek is for.
package enum SeekPurpose: Sendable, Equatable {
    /// The host moves the playhead.
    case position(targetMs: Int64)
    /// The host changes the rate; the playhead stays.
    case rate(Double)
}
