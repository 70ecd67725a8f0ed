/// What a content tracker calls `CONTENT_...` and an ad tracker `AD_...`.
package enum PlaybackAction: UInt8, CaseIterable, Sendable {
    /// A stream is requested.
    case request
    /// It has started: the first frame is shown.
    case start
    /// It has ended.
    case end
    /// It was paused.
    case pause
    /// It goes on after a pause.
    case resume
    /// A seek has begun.
    case seekStart
    /// The seek is over.
    case seekEnd
    /// Playback waits for data.
    case bufferStart
    /// The data is there.
    case bufferEnd
    /// The tracker is at work.
    case heartbeat
    /// The quality of the stream changed.
    case renditionChange
    /// Something failed.
    case error
}
