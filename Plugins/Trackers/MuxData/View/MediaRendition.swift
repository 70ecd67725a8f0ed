internal import PluginKit

/// A rendition as the player tells of it.
struct MediaRendition: Equatable {
    var bitrate: Int64?
    var width: Int64?
    var height: Int64?
    var framesPerSecondMilli: Int64?
    var codec: String?
    var name: String?

    private init() {}

    /// Reads a rendition change.
    init(_ attributes: AttributeList) {
        bitrate = attributes[.renditionBitrateBps]?.int
        width = attributes[.renditionWidth]?.int
        height = attributes[.renditionHeight]?.int
        framesPerSecondMilli = attributes[.renditionFpsMilli]?.int
        codec = attributes[.renditionCodec]?.string?.string
        name = attributes[.renditionName]?.string?.string
    }

    /// Frames per second as a field has them.
    var framesPerSecond: FieldValue {
        framesPerSecondMilli.map(FieldValue.seconds(milliseconds:)) ?? .absent
    }

    /// Writes it as a member of a rendition list (BandwidthMetricData: resolution, frame rate, bitrate, CODECS).
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let name {
            writer.key("name")
            writer.string(name)
        }
        if let width, let height {
            writer.key("width")
            writer.int(width)
            writer.key("height")
            writer.int(height)
        }
        if framesPerSecond != .absent {
            writer.key("fps")
            framesPerSecond.write(to: &writer)
        }
        if let bitrate {
            writer.key("bitrate")
            writer.int(bitrate)
        }
        if let codec {
            writer.key("codec")
            writer.string(codec)
        }
        writer.endObject()
    }
}

extension MediaRendition: StateValue {
    static var blank: MediaRendition { MediaRendition() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&bitrate)
        transfer.carry(&width)
        transfer.carry(&height)
        transfer.carry(&framesPerSecondMilli)
        transfer.carry(&codec)
        transfer.carry(&name)
    }
}
