package import PluginKit

/// One of the qualities that a stream is offered in, as far as it is known.
package struct Rendition: Equatable, Sendable {
    /// Advertised bitrate, bit/s.
    package private(set) var bitrate: Int64?
    /// Width, px.
    package private(set) var width: Int64?
    /// Height, px.
    package private(set) var height: Int64?
    /// Frames per second in thousandths.
    package private(set) var framesPerSecondMilli: Int64?

    private init() {}

    /// Reads the attributes of a change.
    package init(_ attributes: AttributeList) {
        bitrate = attributes[.renditionBitrateBps]?.int
        width = attributes[.renditionWidth]?.int
        height = attributes[.renditionHeight]?.int
        framesPerSecondMilli = attributes[.renditionFpsMilli]?.int
    }

    /// Whether this one is better than another: by the area of the picture, and if that says nothing by the bitrate.
    package func shift(from other: Rendition) -> RenditionShift? {
        if let area, let otherArea = other.area, area != otherArea {
            return area > otherArea ? .up : .down
        }
        if let bitrate, let otherBitrate = other.bitrate, bitrate != otherBitrate {
            return bitrate > otherBitrate ? .up : .down
        }
        return nil
    }

    private var area: Int64? {
        guard let width, let height else { return nil }
        let (product, overflows) = width.multipliedReportingOverflow(by: height)
        return overflows ? nil : product
    }
}

extension Rendition: StateValue {
    /// A value to read over.
    package static var blank: Rendition { Rendition() }

    /// Carries each part.
    package mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&bitrate)
        transfer.carry(&width)
        transfer.carry(&height)
        transfer.carry(&framesPerSecondMilli)
    }
}
