/// Every attribute that the tracker itself sets, besides those of the time-since table.
///
/// The order of the cases is the order in an event. Behind them come the time-since attributes in the order of their
/// table, then the attributes of a custom event, then those of the configuration.
package enum StandardAttribute: UInt8, CaseIterable, Sendable {
    // Which event it is.
    case eventType, actionName, timestamp
    // Who says it.
    case trackerName, trackerVersion, coreVersion, instrumentationProvider, instrumentationName
    case instrumentationVersion, src, playerName, playerVersion
    // Which view it belongs to.
    case agentSession, viewSession, viewId
    // What the tracker has counted.
    case isAd, numberOfVideos, numberOfAds, numberOfErrors, playtimeSinceLastEvent, totalPlaytime, totalAdPlaytime
    // The content.
    case contentTitle, contentId, contentSrc, contentLanguage, contentIsLive, contentDuration, contentPlayhead
    case contentPlayrate, contentIsMuted, contentBitrate, contentManifestBitrate, contentNetworkDownloadBitrate
    case contentRenditionBitrate, contentRenditionWidth, contentRenditionHeight, contentFps
    // The ad.
    case adTitle, adId, adSrc, adLanguage, adIsLive, adDuration, adPlayhead, adPlayrate, adIsMuted, adBitrate
    case adRenditionBitrate, adRenditionWidth, adRenditionHeight, adFps, adCreativeId, adPartner, adBreakId
    case adPosition, adQuartile, adSkipped
    // What belongs to one action only.
    case bufferType, shift, errorMessage, errorDomain, errorCode, elapsedTime
    // The figures of a view.
    case qoeAggregateVersion, startupTime, peakBitrate, averageBitrate, totalRebufferingTime, rebufferingRatio
    case hadStartupError, hadPlaybackError, avgDownloadRate, minDownloadRate, maxDownloadRate, totalSwitchUps
    case totalSwitchDowns, totalPauseTime, totalRenditions

    /// The name.
    package var name: StaticString { Self.names[Int(rawValue)] }

    // In the order of the cases.
    private static let names: [StaticString] = [
        "eventType", "actionName", "timestamp", "trackerName", "trackerVersion", "coreVersion",
        "instrumentation.provider", "instrumentation.name", "instrumentation.version", "src", "playerName",
        "playerVersion", "agentSession", "viewSession", "viewId", "isAd", "numberOfVideos", "numberOfAds",
        "numberOfErrors", "playtimeSinceLastEvent", "totalPlaytime", "totalAdPlaytime", "contentTitle", "contentId",
        "contentSrc", "contentLanguage", "contentIsLive", "contentDuration", "contentPlayhead", "contentPlayrate",
        "contentIsMuted", "contentBitrate", "contentManifestBitrate", "contentNetworkDownloadBitrate",
        "contentRenditionBitrate", "contentRenditionWidth", "contentRenditionHeight", "contentFps", "adTitle", "adId",
        "adSrc", "adLanguage", "adIsLive", "adDuration", "adPlayhead", "adPlayrate", "adIsMuted", "adBitrate",
        "adRenditionBitrate", "adRenditionWidth", "adRenditionHeight", "adFps", "adCreativeId", "adPartner",
        "adBreakId", "adPosition", "adQuartile", "adSkipped", "bufferType", "shift", "errorMessage", "errorDomain",
        "errorCode", "elapsedTime", "qoeAggregateVersion", "startupTime", "peakBitrate", "averageBitrate",
        "totalRebufferingTime", "rebufferingRatio", "hadStartupError", "hadPlaybackError", "avgDownloadRate",
        "minDownloadRate", "maxDownloadRate", "totalSwitchUps", "totalSwitchDowns", "totalPauseTime",
        "totalRenditions",
    ]

    /// Whether only some actions have it, so that a custom event may bring its own.
    var isOfOneAction: Bool { self == .totalAdPlaytime || isOfDetail }

    /// Whether its value comes with the event.
    var isOfDetail: Bool { rawValue >= Self.bufferType.rawValue }

    /// Those that a tracker's events can have, in order; `figures` adds those of a view, which one action has.
    static func order(isAd: Bool, _ generation: Generation, figures: Bool = false) -> [StandardAttribute] {
        allCases.filter { attribute in
            if attribute.isFigure { return figures }
            if attribute.isOfContent { return !isAd && (generation == .b || !attribute.isNew) }
            if attribute.isOfAds { return isAd && (generation == .b || attribute != .adSkipped) }
            switch attribute {
            case .coreVersion, .isAd, .playtimeSinceLastEvent: return generation == .a
            case .instrumentationProvider, .instrumentationName, .instrumentationVersion, .src, .elapsedTime:
                return generation == .b
            case .totalPlaytime: return generation == .a || !isAd
            default: return true
            }
        }
    }

    /// Whether it can be asked for apart from an event.
    var isGetter: Bool { rawValue >= Self.trackerName.rawValue && rawValue <= Self.adSkipped.rawValue }

    /// Whether it is about the content or the ad.
    var isOfMedia: Bool { isOfContent || isOfAds }

    private var isOfContent: Bool { (Self.contentTitle.rawValue...Self.contentFps.rawValue).contains(rawValue) }
    /// Whether it is about the ad.
    var isOfAds: Bool { (Self.adTitle.rawValue...Self.adSkipped.rawValue).contains(rawValue) }
    private var isFigure: Bool { rawValue >= Self.qoeAggregateVersion.rawValue }
    private var isNew: Bool { self == .contentManifestBitrate || self == .contentNetworkDownloadBitrate }
}
