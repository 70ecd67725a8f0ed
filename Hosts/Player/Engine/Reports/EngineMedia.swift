package import Streaming

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

/// One sample of what the viewer gets.
package struct EngineQuality: Sendable, Equatable {
    /// The visible rendition: size, nominal frame rate and bitrate.
    package var rendition = StreamRendition()
    /// Measured throughput of the network in bits per second; adaptive streams only.
    package var throughput: Int64?
    /// Frames per 1000 seconds that were really shown since the sample before, nil in the first sample.
    package var measuredFramesPerSecondMilli: Int64?
    /// Frames dropped since the load; never falls.
    package var droppedFrames: Int64 = 0
    /// Frames shown since the load; never falls.
    package var renderedFrames: Int64 = 0
    /// Media buffered ahead of the playhead; adaptive streams only.
    package var bufferedMs: Int64?

    /// Creates a sample of which nothing is known.
    package init() {}
}
