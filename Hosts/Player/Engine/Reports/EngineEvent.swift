package import Chapters
package import MediaRules

/// Something that happened in the media engine.
package enum EngineEvent: Sendable, Equatable {
    /// The item is being opened.
    case loadStarted(location: String)
    /// The item is opened and its first media is decoded.
    case loaded(EngineMedia)
    /// The first frame of the item was shown; never before `loaded`.
    case firstFrame
    /// Playback runs: for the first time, or again after a pause or the end.
    case playing
    /// Playback was halted by a command; halts by buffering are not reported here.
    case paused
    /// A seek was handed to the engine.
    case seekStarted(targetMs: Int64)
    /// The media at the new position is decoded.
    case seekCompleted(positionMs: Int64)
    /// The playback rate changed.
    case rateChanged(Double)
    /// The buffer is too low and playback waits.
    case bufferingStarted(EngineBufferingCause)
    case bufferingCompleted(EngineBufferingCause)
    /// The engine downloads another rendition from now on; its size and frame rate are those of the manifest.
    case renditionDecided(StreamRendition)
    /// Frames of another size or rate are on screen.
    case renditionVisible(StreamRendition)
    /// The regular sample of the playhead.
    case playheadSample(positionMs: Int64)
    /// The regular sample of what the viewer gets.
    case qualitySample(EngineQuality)
    /// A server answered a request with success.
    case requestCompleted(EngineRequest)
    /// A request got an error status, or no answer, or not all of it.
    case requestFailed(EngineRequest)
    /// A request was given up by a seek before all of its answer was there.
    case requestCancelled(EngineRequest)
    /// The text of an adaptive item's manifest, as the engine got it; once, before `loaded`.
    case manifest(String)
    /// What the media says about itself became known or changed.
    case tags(EngineTags)
    /// Subtitles were chosen: their language, `und` when that is not known, or `off`.
    case subtitlesChosen(language: String)
    /// The container has chapters; once, before anything is shown, or never.
    case chapters([Chapter])
    /// The duration became known or changed after the load.
    case durationChanged(durationMs: Int64)
    /// The volume or the mute switch changed.
    case volumeChanged(volume: Double, muted: Bool)
    /// A command could not be carried out; playback is not affected.
    case commandRejected(EngineCommand, reason: String)
    /// Some of the item cannot be shown, and playback goes on: a segment is missing, or, told before `endOfStream`,
    /// pictures could not be decoded.
    case damaged(EngineError)
    /// A library of the engine met something that it does not expect; playback is not affected by that alone.
    case complained(String)
    /// The item was played to its end; a seek starts it again.
    case endOfStream(positionMs: Int64)
    /// The item cannot be played any further; only `stopped` follows.
    case failed(EngineError)
    /// All resources are released; the last event.
    case stopped
}

/// An event with the time and the playhead at its occurrence.
package struct EngineReport: Sendable, Equatable {
    /// Nanoseconds of `CLOCK_MONOTONIC`; never less than those of the report before.
    package let timeNs: Int64
    /// The last known playhead in milliseconds, nil before the item is loaded.
    package let positionMs: Int64?
    /// What happened.
    package let event: EngineEvent

    /// Makes a report.
    package init(timeNs: Int64, positionMs: Int64?, event: EngineEvent) {
        self.timeNs = timeNs
        self.positionMs = positionMs
        self.event = event
    }
}

extension Array {
    /// Removes all elements and returns them.
    package mutating func drain() -> [Element] {
        defer { self = [] }
        return self
    }
}
