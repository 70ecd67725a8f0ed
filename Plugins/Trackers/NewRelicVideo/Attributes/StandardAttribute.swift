/// Every attribute that the tracker itself sets, besides those of the time-since table.
///
/// The order of the cases is the order in an event. Behind them come the time-since attributes in the order of their
/// table, then the attributes of a custom event, then those of the configuration.
package enum StandardAttribute: CaseIterable, Sendable {
    // Which event it is.
    case eventType, actionName, timestamp
    // Who says it.
    case trackerName, trackerVersion, coreVersion, playerName, playerVersion
    // Which view it belongs to.
    case agentSession, viewSession, viewId
    // What the tracker has counted.
    case isAd, numberOfVideos, numberOfAds, numberOfErrors
    case playtimeSinceLastEvent, totalPlaytime, totalAdPlaytime
    // The content.
    case contentTitle, contentId, contentSrc, contentLanguage, contentIsLive, contentDuration, contentPlayhead
    case contentPlayrate, contentIsMuted, contentBitrate, contentRenditionBitrate, contentRenditionWidth
    case contentRenditionHeight, contentFps
    // What belongs to one action only.
    case bufferType, shift, errorMessage, errorDomain, errorCode

    /// The name.
    package var name: StaticString {
        switch self {
        case .eventType: "eventType"
        case .actionName: "actionName"
        case .timestamp: "timestamp"
        case .trackerName: "trackerName"
        case .trackerVersion: "trackerVersion"
        case .coreVersion: "coreVersion"
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
        case .contentRenditionBitrate: "contentRenditionBitrate"
        case .contentRenditionWidth: "contentRenditionWidth"
        case .contentRenditionHeight: "contentRenditionHeight"
        case .contentFps: "contentFps"
        case .bufferType: "bufferType"
        case .shift: "shift"
        case .errorMessage: "errorMessage"
        case .errorDomain: "errorDomain"
        case .errorCode: "errorCode"
        }
    }

    /// Whether only some actions have it, so that a custom event may bring its own.
    var isOfOneAction: Bool {
        switch self {
        case .totalAdPlaytime, .bufferType, .shift, .errorMessage, .errorDomain, .errorCode: true
        default: false
        }
    }

    /// All of them, in order.
    static let order: [StandardAttribute] = allCases
}
