/// A rendition of the stream and how playback came to it.
public struct Rendition: Sendable, Equatable {
    /// Whether the player decided for it, or it is on screen.
    public enum Phase: String, Sendable {
        /// The player chose it; the buffer may still hold another one.
        case decided
        /// It is on screen.
        case visible
    }

    /// Who chose it.
    public enum Cause: String, Sendable {
        /// The player's bitrate adaptation.
        case automatic
        /// A command.
        case manual
    }

    /// Against the one before.
    public enum Shift: String, Sendable {
        /// A higher bitrate.
        case up
        /// A lower bitrate.
        case down
        /// The same bitrate.
        case same
    }

    /// Decided or visible.
    public var phase = Phase.visible
    /// Automatic or manual.
    public var cause = Cause.automatic
    /// Up or down; nil for the first.
    public var shift: Shift?
    /// Its name.
    public var name: String?
    /// Advertised bitrate, bit/s.
    public var bitrate: Int64?
    /// Width of the picture, px.
    public var width: Int64?
    /// Height of the picture, px.
    public var height: Int64?
    /// Frames per second.
    public var framesPerSecond: Double?
    /// Its codecs.
    public var codec: String?

    /// Nothing is known of it yet.
    public init() {}

    func write(to event: inout TrackEncoder) {
        event.set(.renditionPhase, phase.rawValue)
        event.set(.renditionCause, cause.rawValue)
        if let shift { event.set(.renditionShift, shift.rawValue) }
        if let name { event.set(.renditionName, name) }
        if let bitrate { event.set(.renditionBitrateBps, bitrate) }
        if let width { event.set(.renditionWidth, width) }
        if let height { event.set(.renditionHeight, height) }
        if let framesPerSecond {
            event.set(.renditionFpsMilli, Canonical.thousandths(framesPerSecond).map(Int64.init))
        }
        if let codec { event.set(.renditionCodec, codec) }
    }
}
