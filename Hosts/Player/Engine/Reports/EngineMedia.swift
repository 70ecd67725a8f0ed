/// What is known about an item when it is loaded.
package struct EngineMedia: Sendable, Equatable {
    /// The duration, nil when the item has none that is known.
    package var durationMs: Int64?
    /// Whether the item is a live stream.
    package var isLive = false
    /// Whether the playhead can be moved.
    package var isSeekable = false
    /// Whether the item comes in renditions that the engine chooses from.
    package var isAdaptive = false
    /// Whether there is a decoded video stream.
    package var hasVideo = false
    /// Whether there is a decoded audio stream.
    package var hasAudio = false

    /// Creates the description of an item of which nothing is known.
    package init() {}
}
