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
        standard = StandardAction.all.first { name == $0.name }
    }
}

/// An action of the data model, as opposed to one that the application names.
package struct StandardAction: Hashable, Sendable {
    /// Place in ``all``.
    package let index: Int

    private init(index: Int) { self.index = index }

    /// The action of a sender, called on a content tracker or on an ad tracker.
    package init(_ sender: VideoSender, isAd: Bool) {
        let place = Self.senders.firstIndex(of: sender) ?? 0
        index = Self.playerReady + place + (isAd && sender != .playerReady ? Self.ofBoth : 0)
    }

    /// The tracker is at work.
    package static let trackerReady = StandardAction(index: 0)
    /// The content has started.
    package static let contentStart = StandardAction(.start, isAd: false)
    /// An ad break begins.
    package static let adBreakStart = StandardAction(.adBreakStart, isAd: true)
    /// The ad break is over.
    package static let adBreakEnd = StandardAction(.adBreakEnd, isAd: true)
    /// Figures of the view so far (generation B).
    package static let qualityAggregate = StandardAction(index: names.count - 1)

    /// Every action, in a fixed order.
    package static let all: [StandardAction] = names.indices.map { StandardAction(index: $0) }

    /// Whether it is one of the `AD_` actions.
    package var isOfAds: Bool { index > StandardAction(.error, isAd: false).index && self != .qualityAggregate }

    /// Whether it tells of an error.
    package var isError: Bool {
        self == StandardAction(.error, isAd: false) || self == StandardAction(.error, isAd: true)
    }

    /// The name.
    package var name: StaticString { Self.names[index] }

    private static let senders = VideoSender.allCases
    private static let playerReady = 1
    /// How many senders contents and ads have both, from `request` to `error`.
    private static let ofBoth = 12

    // Behind the first one in the order of the senders: those of contents, then those of ads.
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

/// The senders by name, as commands and custom trackers call them; each is a step of ``TrackerState``.
public enum VideoSender: String, CaseIterable, Sendable {
    // The order is that of the actions.
    case playerReady, request, start, end, pause, resume, seekStart, seekEnd, bufferStart, bufferEnd, heartbeat
    case renditionChange, error, adBreakStart, adBreakEnd, adQuartile, adClick
}

/// Generations of the vendor's mobile video agent, which differ in event types and attributes.
package enum Generation: String, CaseIterable, Sendable {
    /// The one that the vendor's guide describes (iOS up to 2.0.2).
    case a = "A"
    /// The later one (iOS from 3, Android from 3).
    case b = "B"

    /// The event type of an action.
    func eventType(of action: Action, isOwn: Bool) -> StaticString {
        guard self == .b else { return "MobileVideo" }
        guard !isOwn, let standard = action.standard else { return "VideoCustomAction" }
        if standard.isError { return "VideoErrorAction" }
        return standard.isOfAds ? "VideoAdAction" : "VideoAction"
    }
}

/// Which of the vendor's agents generation B names itself after.
package enum Platform: String, CaseIterable, Sendable {
    /// The agent for iOS.
    case ios
    /// The agent for Android.
    case android

    /// The value of `src`.
    var source: StaticString { self == .ios ? "IOS" : "ANDROID" }

    /// The value of `instrumentation.name`.
    var instrumentation: StaticString { self == .ios ? "Mobile/ios" : "Mobile/Android" }
}
