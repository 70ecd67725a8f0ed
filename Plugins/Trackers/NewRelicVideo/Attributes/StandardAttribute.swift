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
    package var name: StaticString {
        switch self {
        case .eventType: "eventType"
        case .actionName: "actionName"
        case .timestamp: "timestamp"
        case .trackerName: "trackerName"
        case .trackerVersion: "trackerVersion"
        case .coreVersion: "coreVersion"
        case .instrumentationProvider: "instrumentation.provider"
        case .instrumentationName: "instrumentation.name"
        case .instrumentationVersion: "instrumentation.version"
        case .src: "src"
        case .playerName: "playerName"
        case .playerVersion: "playerVersion"
        case .agentSession: "agentSession"
        case .viewSession: "viewSession"
        case .viewId: "viewId"
        case .isAd: "isAd"
        case .numberOfVideos: "numberOfVideos"
        case .numberOfAds: "numberOfAds"
        case .numberOfErrors: "numberOfErrors"
        case .playtimeSinceLastEvent: "playtimeSinceLastEvent"
        case .totalPlaytime: "totalPlaytime"
        case .totalAdPlaytime: "totalAdPlaytime"
        case .contentTitle: "contentTitle"
        case .contentId: "contentId"
        case .contentSrc: "contentSrc"
        case .contentLanguage: "contentLanguage"
        case .contentIsLive: "contentIsLive"
        case .contentDuration: "contentDuration"
        case .contentPlayhead: "contentPlayhead"
        case .contentPlayrate: "contentPlayrate"
        case .contentIsMuted: "contentIsMuted"
        case .contentBitrate: "contentBitrate"
        case .contentManifestBitrate: "contentManifestBitrate"
        case .contentNetworkDownloadBitrate: "contentNetworkDownloadBitrate"
        case .contentRenditionBitrate: "contentRenditionBitrate"
        case .contentRenditionWidth: "contentRenditionWidth"
        case .contentRenditionHeight: "contentRenditionHeight"
        case .contentFps: "contentFps"
        case .adTitle: "adTitle"
        case .adId: "adId"
        case .adSrc: "adSrc"
        case .adLanguage: "adLanguage"
        case .adIsLive: "adIsLive"
        case .adDuration: "adDuration"
        case .adPlayhead: "adPlayhead"
        case .adPlayrate: "adPlayrate"
        case .adIsMuted: "adIsMuted"
        case .adBitrate: "adBitrate"
        case .adRenditionBitrate: "adRenditionBitrate"
        case .adRenditionWidth: "adRenditionWidth"
        case .adRenditionHeight: "adRenditionHeight"
        case .adFps: "adFps"
        case .adCreativeId: "adCreativeId"
        case .adPartner: "adPartner"
        case .adBreakId: "adBreakId"
        case .adPosition: "adPosition"
        case .adQuartile: "adQuartile"
        case .adSkipped: "adSkipped"
        case .bufferType: "bufferType"
        case .shift: "shift"
        case .errorMessage: "errorMessage"
        case .errorDomain: "errorDomain"
        case .errorCode: "errorCode"
        case .elapsedTime: "elapsedTime"
        case .qoeAggregateVersion: "qoeAggregateVersion"
        case .startupTime: "startupTime"
        case .peakBitrate: "peakBitrate"
        case .averageBitrate: "averageBitrate"
        case .totalRebufferingTime: "totalRebufferingTime"
        case .rebufferingRatio: "rebufferingRatio"
        case .hadStartupError: "hadStartupError"
        case .hadPlaybackError: "hadPlaybackError"
        case .avgDownloadRate: "avgDownloadRate"
        case .minDownloadRate: "minDownloadRate"
        case .maxDownloadRate: "maxDownloadRate"
        case .totalSwitchUps: "totalSwitchUps"
        case .totalSwitchDowns: "totalSwitchDowns"
        case .totalPauseTime: "totalPauseTime"
        case .totalRenditions: "totalRenditions"
        }
    }

    /// Whether only some actions have it, so that a custom event may bring its own.
    var isOfOneAction: Bool {
        self == .totalAdPlaytime || rawValue >= Self.bufferType.rawValue
    }

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
