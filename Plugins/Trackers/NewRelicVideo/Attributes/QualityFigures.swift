internal import PluginKit

/// The figures of a view that generation B sends together.
package struct QualityFigures: Equatable, Sendable {
    /// From the request to the start without the ads before it, ms.
    package internal(set) var startupTime: Int64?
    /// Highest bitrate, bit/s.
    package internal(set) var peakBitrate: Int64?
    /// Mean bitrate over the time played, bit/s.
    package internal(set) var averageBitrate: Int64?
    /// Waited for data after the first time, ms.
    package internal(set) var totalRebufferingTime: Int64 = 0
    /// The same in percent of the time played.
    package internal(set) var rebufferingRatio = 0.0
    /// Whether there was an error before the start.
    package internal(set) var hadStartupError = false
    /// Whether there was one after it.
    package internal(set) var hadPlaybackError = false
    /// Mean of the download rates, bit/s.
    package internal(set) var averageDownloadRate: Int64?
    /// Lowest of them, bit/s.
    package internal(set) var lowestDownloadRate: Int64?
    /// Highest of them, bit/s.
    package internal(set) var highestDownloadRate: Int64?
    /// Changes to a better rendition.
    package internal(set) var switchesUp: Int64 = 0
    /// Changes to a worse one.
    package internal(set) var switchesDown: Int64 = 0
    /// Paused, ms, without pauses for ads.
    package internal(set) var totalPauseTime: Int64 = 0
    /// Different sizes of the picture.
    package internal(set) var renditions: Int64 = 0

    /// What the agents for the platforms do not agree on is as the one for this has it.
    package let platform: Platform

    /// Figures of nothing.
    package init(_ platform: Platform) { self.platform = platform }

    /// Version of the vendor's definition of the figures.
    static let version: StaticString = "1.1.0"

    /// The value of an attribute, nil for one that is not known or no figure.
    ///
    /// Before the start, the agent for iOS leaves out what only playback can show, and that for Android says 0.
    package func value(of attribute: StandardAttribute) -> EventValue? {
        let isKnown = startupTime != nil || platform == .android
        return switch attribute {
        case .qoeAggregateVersion: .text(UTF8Text(Self.version))
        case .startupTime: isKnown ? .int(startupTime ?? 0) : nil
        case .peakBitrate: peakBitrate.map(EventValue.int)
        case .averageBitrate: averageBitrate.map(EventValue.int)
        case .totalRebufferingTime: isKnown ? .int(totalRebufferingTime) : nil
        case .rebufferingRatio: isKnown ? .double(rebufferingRatio) : nil
        case .hadStartupError: isKnown || hadStartupError ? .flag(hadStartupError) : nil
        case .hadPlaybackError: isKnown ? .flag(hadPlaybackError) : nil
        case .avgDownloadRate: averageDownloadRate.map(EventValue.int)
        case .minDownloadRate: lowestDownloadRate.map(EventValue.int)
        case .maxDownloadRate: highestDownloadRate.map(EventValue.int)
        case .totalSwitchUps: .int(switchesUp)
        case .totalSwitchDowns: .int(switchesDown)
        case .totalPauseTime: isKnown ? .int(totalPauseTime) : nil
        case .totalRenditions: .int(renditions)
        default: nil
        }
    }
}
