package import PluginKit

/// One of the qualities that a stream is offered in, as far as it is known.
package struct Rendition: Equatable, Sendable {
    /// Advertised bitrate, bit/s.
    package let bitrate: Int64?
    /// Width, px.
    package let width: Int64?
    /// Height, px.
    package let height: Int64?
    /// Frames per second in thousandths.
    package let framesPerSecondMilli: Int64?

    /// Reads the attributes of a change.
    package init(_ attributes: AttributeList) {
        bitrate = attributes[.renditionBitrateBps]?.int
        width = attributes[.renditionWidth]?.int
        height = attributes[.renditionHeight]?.int
        framesPerSecondMilli = attributes[.renditionFpsMilli]?.int
    }

    /// Whether this one is better than another: by the area of the picture, and if that says nothing by the bitrate.
    package func shift(from other: Rendition) -> RenditionShift? {
        if let area, let otherArea = other.area, area != otherArea { return area > otherArea ? .up : .down }
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
