/// An order to the engine.
package enum EngineCommand: Sendable, Equatable {
    /// Open a file path or an http, https or file address and decode its first frame; an engine takes this once.
    ///
    /// Playlists and manifests are opened over http and https only.
    case load(String)
    /// Play, at once or as soon as the item is loaded.
    case play
    /// Halt.
    case pause
    /// Move the playhead; before the load, or during another seek, as soon as that is done.
    case seek(toMs: Int64)
    /// Play faster or slower, above 0 and up to 16.
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
