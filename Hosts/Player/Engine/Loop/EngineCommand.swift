/// An order to the engine.
package enum EngineCommand: Sendable, Equatable {
    /// Open an item; an engine takes this once.
    case load(String)
    /// Play, at once or as soon as the item is loaded.
    case play
    /// Halt.
    case pause
    /// Move the playhead.
    case seek(toMs: Int64)
    /// Play faster or slower.
    case setRate(Double)
    /// Set the volume, 0 to 1.
    case setVolume(Double)
    /// Switch the sound off or on.
    case setMuted(Bool)
    /// Allow only renditions up to a bitrate; nil allows all.
    case pinRendition(maxBitrate: Int64?)
    /// Release everything.
    case stop
}
