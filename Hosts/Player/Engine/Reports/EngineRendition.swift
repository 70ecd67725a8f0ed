internal import Streaming

/// A variant of the picture: its size, its frame rate and what it costs.
package struct EngineRendition: Sendable, Equatable {
    /// Pixels per line, nil when the manifest does not say.
    package var width: Int?
    /// Lines, nil when the manifest does not say.
    package var height: Int?
    /// Nominal frames per 1000 seconds, nil when not constant or not known.
    package var framesPerSecondMilli: Int64?
    /// Bits per second of picture and sound, nil when nobody tells.
    package var bitrate: Int64?

    /// Creates a rendition of which only the given is known.
    package init(
        width: Int? = nil,
        height: Int? = nil,
        framesPerSecondMilli: Int64? = nil,
        bitrate: Int64? = nil
    ) {
        self.width = width
        self.height = height
        self.framesPerSecondMilli = framesPerSecondMilli
        self.bitrate = bitrate
    }

    /// Takes what a master playlist says of a variant.
    init(_ variant: MasterPlaylist.Variant) {
        self.init(
            width: variant.width,
            height: variant.height,
            framesPerSecondMilli: variant.framesPerSecondMilli,
            bitrate: variant.bandwidth
        )
    }
}
