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
