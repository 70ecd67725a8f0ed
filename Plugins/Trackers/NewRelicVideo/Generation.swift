/// Generations of the vendor's mobile video agent, which differ in event types and attributes.
package enum Generation: String, Sendable {
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
package enum Platform: String, Sendable {
    /// The agent for iOS.
    case ios
    /// The agent for Android.
    case android

    /// The value of `src`.
    var source: StaticString { self == .ios ? "IOS" : "ANDROID" }

    /// The value of `instrumentation.name`.
    var instrumentation: StaticString { self == .ios ? "Mobile/ios" : "Mobile/Android" }
}
