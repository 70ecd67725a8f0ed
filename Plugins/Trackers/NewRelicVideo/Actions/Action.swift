package import PluginKit

/// What an event says: one of the standard actions, or one that the application names.
package struct Action {
    /// The name, lent as long as the event that it comes from.
    package let name: UTF8Text
    /// Which standard action it is, nil when it is none.
    package let standard: StandardAction?

    /// A standard action.
    package init(_ standard: StandardAction) {
        name = UTF8Text(standard.name)
        self.standard = standard
    }

    /// The action with a name, which may be that of a standard action.
    package init(named name: UTF8Text) {
        self.name = name
        standard = StandardAction(named: name)
    }
}

/// An action of the data model, as opposed to one that the application names.
package struct StandardAction: Hashable, Sendable {
    /// Place in ``all``.
    package let index: Int

    /// The action of a content tracker, or of an ad tracker.
    package init(_ action: PlaybackAction, isAd: Bool) {
        index = (isAd ? Self.firstAd : Self.firstContent) + Int(action.rawValue)
    }

    private init(index: Int) {
        self.index = index
    }

    /// The action with a name, nil for one of the application's.
    package init?(named name: UTF8Text) {
        guard let index = Self.names.firstIndex(where: { name == $0 }) else { return nil }
        self.index = index
    }

    /// The tracker is at work.
    package static let trackerReady = StandardAction(index: 0)
    /// The tracker has a player.
    package static let playerReady = StandardAction(index: 1)

    /// The content has started.
    package static let contentStart = StandardAction(.start, isAd: false)
    /// An ad break begins.
    package static let adBreakStart = StandardAction(index: firstOfAdsAlone)
    /// The ad break is over.
    package static let adBreakEnd = StandardAction(index: firstOfAdsAlone + 1)
    /// A quarter of the ad has been shown.
    package static let adQuartile = StandardAction(index: firstOfAdsAlone + 2)
    /// The viewer clicked on the ad.
    package static let adClick = StandardAction(index: firstOfAdsAlone + 3)
    /// Figures of the view so far (generation B).
    package static let qualityAggregate = StandardAction(index: firstOfAdsAlone + 4)

    /// Every action, in a fixed order.
    package static let all: [StandardAction] = names.indices.map { StandardAction(index: $0) }

    /// Whether it is one of the `AD_` actions.
    package var isOfAds: Bool { (Self.firstAd..<Self.qualityAggregate.index).contains(index) }

    /// Whether it tells of an error.
    package var isError: Bool {
        self == StandardAction(.error, isAd: false) || self == StandardAction(.error, isAd: true)
    }

    /// The name.
    package var name: StaticString { Self.names[index] }

    private static let firstContent = 2
    private static let firstAd = firstContent + PlaybackAction.allCases.count
    private static let firstOfAdsAlone = firstAd + PlaybackAction.allCases.count

    // In the order of PlaybackAction within the content and the ad part.
    private static let names: [StaticString] = [
        "TRACKER_READY", "PLAYER_READY",
        "CONTENT_REQUEST", "CONTENT_START", "CONTENT_END", "CONTENT_PAUSE", "CONTENT_RESUME", "CONTENT_SEEK_START",
        "CONTENT_SEEK_END", "CONTENT_BUFFER_START", "CONTENT_BUFFER_END", "CONTENT_HEARTBEAT",
        "CONTENT_RENDITION_CHANGE", "CONTENT_ERROR",
        "AD_REQUEST", "AD_START", "AD_END", "AD_PAUSE", "AD_RESUME", "AD_SEEK_START", "AD_SEEK_END", "AD_BUFFER_START",
        "AD_BUFFER_END", "AD_HEARTBEAT", "AD_RENDITION_CHANGE", "AD_ERROR",
        "AD_BREAK_START", "AD_BREAK_END", "AD_QUARTILE", "AD_CLICK", "QOE_AGGREGATE",
    ]
}

/// What a content tracker calls `CONTENT_...` and an ad tracker `AD_...`.
package enum PlaybackAction: UInt8, CaseIterable, Sendable {
    /// A stream is requested.
    case request
    /// It has started: the first frame is shown.
    case start
    /// It has ended.
    case end
    /// It was paused.
    case pause
    /// It goes on after a pause.
    case resume
    /// A seek has begun.
    case seekStart
    /// The seek is over.
    case seekEnd
    /// Playback waits for data.
    case bufferStart
    /// The data is there.
    case bufferEnd
    /// The tracker is at work.
    case heartbeat
    /// The quality of the stream changed.
    case renditionChange
    /// Something failed.
    case error
}
