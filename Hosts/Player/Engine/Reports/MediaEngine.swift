package import XML

/// Plays one item and reports all that happens, in order.
///
/// ``PlaybackEngine`` does it with GStreamer; tests have one that does it on a virtual clock. Commands can be given
/// from any thread and return at once.
package protocol MediaEngine: AnyObject, Sendable {
    /// The playhead as it was at most one poll interval ago, nil before the item is loaded.
    var positionMs: Int64? { get }

    /// Carries out a command as soon as it can; a `load` is the first one, and `stopped` the last report after `stop`.
    func send(_ command: EngineCommand)

    /// Waits until `stopped` was delivered; returns at once when called from the handler.
    func waitUntilStopped()
}

/// What players stand on: engines, time, threads, and documents of the web.
package protocol MediaPlatform: Sendable {
    /// The clock of the engines' reports, ns.
    var nowNs: Int64 { get }

    /// Lets time pass on this thread.
    func sleep(milliseconds: Int64)

    /// Runs a body on a thread that nobody joins.
    func startThread(_ body: @escaping @Sendable () -> Void)

    /// Makes an engine; nothing is opened before its `load`.
    ///
    /// `onTick` is called after each look at the position, in order with the reports and on their thread; a
    /// handler that takes long delays the reports after it, not the playback.
    func makeEngine(
        _ configuration: EngineConfiguration,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) -> any MediaEngine

    /// The body of a document at an address of the web, of so many bytes at most; waits for it.
    func document(
        _ url: String,
        as settings: RequestSettings,
        timeoutMs: Int64,
        limit: Int
    ) throws(FetchFailure)
        -> [UInt8]
}

/// An order to the engine.
package enum EngineCommand: Sendable, Equatable {
    /// Open a file path or an http, https or file address, playlists over http and https only; an engine takes it once.
    case load(String)
    /// Play, at once or as soon as the item is loaded.
    case play
    /// Halt.
    case pause
    /// Move the playhead; before the load, or during another seek, as soon as that is done.
    case seek(toMs: Int64)
    /// Begin at this place unless playback has begun, or a seek says where; nothing is told of it.
    case begin(atMs: Int64)
    /// Play the sound of a language (a BCP 47 tag or an ISO 639 code), or that of a number from 1 on.
    case selectAudio(String)
    /// Switch on the subtitles of a language or of a number, as with the sound, or switch them `off`.
    case selectSubtitles(String)
    /// Play faster or slower, above 0 and up to 16; during a seek as soon as that is done.
    case setRate(Double)
    /// Set the volume, 0 to 1.
    case setVolume(Double)
    /// Switch the sound off or on.
    case setMuted(Bool)
    /// Allow only renditions up to a bitrate from the next segment on; nil allows all.
    case pinRendition(maxBitrate: Int64?)
    /// Release everything; `stopped` is the last report.
    case stop
}
