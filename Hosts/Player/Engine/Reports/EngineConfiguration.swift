/// What a playback engine is told before it starts.
package struct EngineConfiguration: Sendable, Equatable {
    /// The most media an adaptive stream keeps; as much as players in browsers do, as stalls depend on it.
    package var bufferMs: Int64 = 30_000

    /// How much must be buffered before playback starts, or goes on after it ran dry.
    package var resumeMs: Int64 = 2000

    /// The longest time from the load of a network address to the first decoded media.
    package var loadTimeoutMs: Int64 = 20_000

    /// The longest time from the load of a file to the first decoded media; an index that is cut off raises no error.
    package var fileLoadTimeoutMs: Int64 = 8000

    /// The longest time without progress while the media should play or a seek is under way.
    package var stallTimeoutMs: Int64 = 20_000

    /// The longest silence of a connection; longer than the stall limit, so that the stall is named first.
    package var networkTimeoutSeconds = 30

    /// How often a failed progressive request is repeated.
    package var networkRetries = 1

    /// The time between two playhead samples while playing.
    package var playheadIntervalMs: Int64 = 250

    /// The time between two quality samples while playing.
    package var qualityIntervalMs: Int64 = 1000

    /// How often position, counters and time limits are looked at.
    package var pollIntervalMs: Int64 = 20

    /// How much later than its time a frame may be shown before it is dropped.
    package var maxLatenessMs: Int64 = 20

    /// How far before the announced duration the media may end and still count as complete.
    package var endToleranceMs: Int64 = 500

    /// The longest time that a stop waits for a segment download, which would leak its connection if it were cut off.
    package var stopDrainMs: Int64 = 2000

    /// The longest time for the engine to release everything; what is not released by then is left behind.
    package var stopLimitMs: Int64 = 5000

    /// Whether pictures and sound are decoded; otherwise they are taken apart, timed and thrown away.
    package var decodes = true

    /// A ceiling for adaptive renditions in bits per second, or nil for none.
    package var maxBitrate: Int64?

    /// Where playback begins, ms; negative from the end, and nil where the stream says or else at its beginning.
    package var startMs: Int64?

    /// The sound that is played, as ``EngineCommand/selectAudio(_:)`` names it; nil for what the engine chooses.
    package var audio: String?

    /// The subtitles, as ``EngineCommand/selectSubtitles(_:)`` names them; nil when nobody chose.
    package var subtitles: String?

    /// What requests carry, and which servers they trust.
    package var requests = RequestSettings()

    /// Creates the default configuration.
    package init() {}
}
