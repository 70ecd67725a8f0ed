/// Follows which variant is on screen and what it costs.
package struct RenditionTracker: Sendable {
    /// The variants of the manifest, empty for progressive items.
    package var variants: [StreamRendition] = []
    /// What is on screen, nil before the first frame's format is known.
    package private(set) var visible: StreamRendition?
    private var chosenBitrate: Int64?
    private var videoBitrate: Int64?
    private var audioBitrate: Int64?

    /// Creates a tracker that knows nothing.
    package init() {}

    /// Takes the demuxer's choice; false when it is the same as before.
    package mutating func choose(bitrate: Int64) -> Bool {
        guard bitrate > 0, bitrate != chosenBitrate else { return false }
        chosenBitrate = bitrate
        return true
    }

    /// What the manifest says of the variant with a bitrate.
    package func variant(of bitrate: Int64) -> StreamRendition {
        variants.first { $0.bitrate == bitrate } ?? StreamRendition(bitrate: bitrate)
    }

    /// Takes the format on screen; false when it is the same as before.
    package mutating func formatChanged(to format: StreamRendition) -> Bool {
        if let visible, visible.width == format.width, visible.height == format.height,
            visible.framesPerSecondMilli == format.framesPerSecondMilli
        {
            return false
        }
        var rendition = format
        rendition.bitrate = bitrate(of: format)
        visible = rendition
        return true
    }

    /// Takes the bitrate that a stream of a progressive item announces.
    package mutating func streamBitrate(_ bitrate: Int64, of stream: StreamKind) {
        switch stream {
        case .video: videoBitrate = bitrate
        case .audio: audioBitrate = bitrate
        }
    }

    /// What is on screen, with the best bitrate that is known by now.
    package var current: StreamRendition {
        var current = visible ?? StreamRendition()
        current.bitrate = current.bitrate ?? announcedBitrate
        return current
    }

    /// The choice is made seconds before it is visible, so the size on screen is what tells the variant.
    private func bitrate(of format: StreamRendition) -> Int64? {
        let sameSize = variants.filter { $0.width == format.width && $0.height == format.height }
        if sameSize.count == 1 { return sameSize[0].bitrate }
        if let chosenBitrate { return chosenBitrate }
        if let first = sameSize.first { return first.bitrate }
        return variants.count == 1 ? variants[0].bitrate : announcedBitrate
    }

    private var announcedBitrate: Int64? {
        guard variants.isEmpty, let videoBitrate else { return nil }
        return videoBitrate + (audioBitrate ?? 0)
    }
}

/// One of the forms in which a picture is there: its size, its frame rate and what it costs.
package struct StreamRendition: Sendable, Equatable {
    /// The address of its media playlist, as it is written; empty when none follows.
    package var uri = ""
    /// Pixels per line, nil when the manifest does not say.
    package var width: Int?
    /// Lines, nil when the manifest does not say.
    package var height: Int?
    /// Nominal frames per 1000 seconds, nil when not constant or not known.
    package var framesPerSecondMilli: Int64?
    /// Bits per second of picture and sound, nil when nobody tells.
    package var bitrate: Int64?

    /// Creates a rendition of which only the given is known.
    package init(width: Int? = nil, height: Int? = nil, framesPerSecondMilli: Int64? = nil, bitrate: Int64? = nil) {
        self.width = width
        self.height = height
        self.framesPerSecondMilli = framesPerSecondMilli
        self.bitrate = bitrate
    }
}

/// The streams of an item.
package enum StreamKind: Sendable {
    case video
    case audio
}
