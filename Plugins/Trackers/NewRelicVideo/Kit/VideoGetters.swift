internal import PluginKit

/// The getters of a custom tracker: one for each standard attribute that a player knows.
///
/// Each gives what the player's events have told; a subclass overrides those that it knows better. Nil leaves the
/// attribute out. An attribute of the content and its counterpart of the ad have one getter.
open class VideoGetters {
    // Only the custom tracker is a subclass outside of tests' reach; others have no use for the getters alone.
    init() {}

    /// What the player's events have told.
    func known(_ content: StandardAttribute?, _ ad: StandardAttribute?) -> PlainValue? { nil }

    /// Title of the video or ad.
    open func getTitle() -> String? { text(.contentTitle, .adTitle) }

    /// Where it comes from.
    open func getSrc() -> String? { text(.contentSrc, .adSrc) }

    /// BCP 47 tag of its language.
    open func getLanguage() -> String? { text(.contentLanguage, .adLanguage) }

    /// Whether it is live.
    open func getIsLive() -> Bool? { flag(.contentIsLive, .adIsLive) }

    /// Its length, ms.
    open func getDuration() -> Int64? { int(.contentDuration, .adDuration) }

    /// Where playback stands in it, ms.
    open func getPlayhead() -> Int64? { int(.contentPlayhead, .adPlayhead) }

    /// Playback rate; 1 is normal speed.
    open func getPlayrate() -> Double? { number(.contentPlayrate, .adPlayrate) }

    /// Whether the sound is off.
    open func getIsMuted() -> Bool? { flag(.contentIsMuted, .adIsMuted) }

    /// Bitrate of what is shown, bit/s.
    open func getBitrate() -> Int64? { int(.contentBitrate, .adBitrate) }

    /// Advertised bitrate of the rendition, bit/s.
    open func getRenditionBitrate() -> Int64? { int(.contentRenditionBitrate, .adRenditionBitrate) }

    /// Width of the picture, px.
    open func getRenditionWidth() -> Int64? { int(.contentRenditionWidth, .adRenditionWidth) }

    /// Height of the picture, px.
    open func getRenditionHeight() -> Int64? { int(.contentRenditionHeight, .adRenditionHeight) }

    /// Frames a second.
    open func getFps() -> Double? { number(.contentFps, .adFps) }

    /// Name of the player.
    open func getPlayerName() -> String? { text(.playerName, nil) }

    /// Version of the player.
    open func getPlayerVersion() -> String? { text(.playerVersion, nil) }

    /// Name of the tracker.
    open func getTrackerName() -> String? { text(.trackerName, nil) }

    /// Version of the tracker.
    open func getTrackerVersion() -> String? { text(.trackerVersion, nil) }

    /// The ad's creative.
    open func getAdCreativeId() -> String? { text(nil, .adCreativeId) }

    /// Ad system or partner.
    open func getAdPartner() -> String? { text(nil, .adPartner) }

    /// `pre`, `mid` or `post`.
    open func getAdPosition() -> String? { text(nil, .adPosition) }

    /// Quarters of the ad that have been shown.
    open func getAdQuartile() -> Int64? { int(nil, .adQuartile) }

    // MARK: - Between the getters and events

    private func text(_ content: StandardAttribute?, _ ad: StandardAttribute?) -> String? {
        if case .string(let text)? = known(content, ad) { text } else { nil }
    }

    private func int(_ content: StandardAttribute?, _ ad: StandardAttribute?) -> Int64? {
        if case .int(let number)? = known(content, ad) { number } else { nil }
    }

    private func flag(_ content: StandardAttribute?, _ ad: StandardAttribute?) -> Bool? {
        int(content, ad).map { $0 != 0 }
    }

    private func number(_ content: StandardAttribute?, _ ad: StandardAttribute?) -> Double? {
        switch known(content, ad) {
        case .int(let number)?: Double(number)
        case .double(let number)?: number
        default: nil
        }
    }

    /// The value of an attribute that has a getter; `standard` for every other one.
    package final func value(of attribute: StandardAttribute, standard: EventValue?, in texts: TextPool) -> EventValue?
    {
        switch attribute {
        case .contentTitle, .adTitle: getTitle().map { .text(texts.keep($0)) }
        case .contentSrc, .adSrc: getSrc().map { .text(texts.keep($0)) }
        case .contentLanguage, .adLanguage: getLanguage().map { .text(texts.keep($0)) }
        case .contentIsLive, .adIsLive: getIsLive().map(EventValue.flag)
        case .contentDuration, .adDuration: getDuration().map(EventValue.int)
        case .contentPlayhead, .adPlayhead: getPlayhead().map(EventValue.int)
        case .contentPlayrate, .adPlayrate: getPlayrate().map(EventValue.decimal)
        case .contentIsMuted, .adIsMuted: getIsMuted().map(EventValue.flag)
        case .contentBitrate, .adBitrate: getBitrate().map(EventValue.int)
        case .contentRenditionBitrate, .adRenditionBitrate: getRenditionBitrate().map(EventValue.int)
        case .contentRenditionWidth, .adRenditionWidth: getRenditionWidth().map(EventValue.int)
        case .contentRenditionHeight, .adRenditionHeight: getRenditionHeight().map(EventValue.int)
        case .contentFps, .adFps: getFps().map(EventValue.decimal)
        case .playerName: getPlayerName().map { .text(texts.keep($0)) }
        case .playerVersion: getPlayerVersion().map { .text(texts.keep($0)) }
        case .trackerName: getTrackerName().map { .text(texts.keep($0)) }
        case .trackerVersion: getTrackerVersion().map { .text(texts.keep($0)) }
        case .adCreativeId: getAdCreativeId().map { .text(texts.keep($0)) }
        case .adPartner: getAdPartner().map { .text(texts.keep($0)) }
        case .adPosition: getAdPosition().map { .text(texts.keep($0)) }
        case .adQuartile: getAdQuartile().map(EventValue.int)
        default: standard
        }
    }
}
