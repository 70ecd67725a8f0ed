/// What is known about an item when it is loaded.
package struct EngineMedia: Sendable, Equatable {
    /// The duration, nil when the item has none that is known.
    package var durationMs: Int64?
    /// Whether the item is a live stream.
    package var isLive = false
    /// Whether the playhead can be moved.
    package var isSeekable = false
    /// The last place that can be sought in a live stream; nil when the item has a duration, or nobody knows.
    package var windowEndMs: Int64?
    /// Whether the item comes in renditions that the engine chooses from.
    package var isAdaptive = false
    /// Whether there is a decoded video stream.
    package var hasVideo = false
    /// Whether there is a decoded audio stream.
    package var hasAudio = false

    /// Creates the description of an item of which nothing is known.
    package init() {}
}

/// What the media says about itself.
package struct EngineTags: Sendable, Equatable {
    /// The title.
    package var title: String?
    /// The language of the sound.
    package var language: String?
    /// The container's name.
    package var container: String?
    /// The video codec's name.
    package var videoCodec: String?
    /// The audio codec's name.
    package var audioCodec: String?

    /// Creates an empty set.
    package init() {}

    /// Takes over all that the other one knows.
    package mutating func merge(_ other: EngineTags) {
        title = other.title ?? title
        language = other.language ?? language
        container = other.container ?? container
        videoCodec = other.videoCodec ?? videoCodec
        audioCodec = other.audioCodec ?? audioCodec
    }
}
