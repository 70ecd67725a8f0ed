internal import PluginKit

/// Why playback waits for data.
package enum BufferType: Sendable {
    /// An ad break is under way.
    case ad
    /// A seek is under way.
    case seek
    /// Playback is paused.
    case pause
    /// Playback has not got away from its beginning.
    case initial
    /// None of these: the connection is to blame.
    case connection

    /// Playheads below this one are the beginning, ms.
    private static let beginning: Int64 = 10

    /// Decides, where the first reason that holds wins; a playhead that is not known counts as 0.
    package init(_ state: TrackerState, playhead: Int64?, isInLinkedAdBreak: Bool = false) {
        self =
            if !state.isAd, isInLinkedAdBreak {
                .ad
            } else if state.isSeeking {
                .seek
            } else if state.isPaused {
                .pause
            } else if playhead ?? 0 < Self.beginning {
                .initial
            } else {
                .connection
            }
    }

    /// The value of `bufferType`.
    package var text: StaticString {
        switch self {
        case .ad: "ad"
        case .seek: "seek"
        case .pause: "pause"
        case .initial: "initial"
        case .connection: "connection"
        }
    }
}
