/// Takes what is known of an ad (Adobe VHL 1.4, `ADB_VHB_AdInfo`).
public typealias AdInfoEncoder = InfoEncoder<AdInfo>

/// An ad, as what an ``InfoEncoder`` is about.
public enum AdInfo {}

extension InfoEncoder where Subject == AdInfo {
    /// Identifier of the ad.
    public func id(_ text: String) { set(.adID, text) }

    /// Title for people.
    public func name(_ text: String) { set(.adName, text) }

    /// Length of the ad, seconds; kept in whole milliseconds.
    public func length(seconds: Double) { set(.adDurationMs, seconds: seconds) }

    /// Index of the ad in its break, from 1.
    public func position(_ number: Int) { set(.adPosition, Int64(number)) }

    /// Place in the ad, seconds (Adobe VHL 1.3.1 only).
    public func playhead(seconds: Double) { unsafe state.pointee.set(adPlayhead: Canonical.milliseconds(seconds)) }

    /// Price per thousand, as the ad server gives it.
    public func cpm(_ text: String) { set(.adCPM, text) }

    /// Where the creative comes from.
    public func url(_ text: String) { set(.adURL, text) }

    /// BCP 47 tag.
    public func language(_ text: String) { set(.adLanguage, text) }

    /// Identifier of the creative.
    public func creativeID(_ text: String) { set(.adCreativeID, text) }

    /// Universal ad identifier.
    public func universalID(_ text: String) { set(.adUniversalID, text) }

    /// Ad system or partner.
    public func partner(_ text: String) { set(.adPartner, text) }

    /// Address that the ad was requested from.
    public func tagURL(_ text: String) { set(.adTagURL, text) }

    /// Where a click leads.
    public func clickURL(_ text: String) { set(.adClickURL, text) }

    /// When the ad may be skipped, seconds; kept in whole milliseconds.
    public func skipAfter(seconds: Double) { set(.adSkipAfterMs, seconds: seconds) }
}

/// Takes what is known of a pod of ads (Adobe VHL 1.4, `ADB_VHB_AdBreakInfo`).
public typealias AdBreakInfoEncoder = InfoEncoder<AdBreakInfo>

/// A pod of ads, as what an ``InfoEncoder`` is about.
public enum AdBreakInfo {}

extension InfoEncoder where Subject == AdBreakInfo {
    /// Name of the player that shows the break.
    public func playerName(_ text: String) { set(.adBreakPlayerName, text) }

    /// Identifier of the break.
    public func id(_ text: String) { set(.adBreakID, text) }

    /// Name of the break.
    public func name(_ text: String) { set(.adBreakName, text) }

    /// Index of the break in the main content, from 1.
    public func position(_ number: Int) { set(.adBreakPosition, Int64(number)) }

    /// Where in the main content the break lies, seconds; kept in whole milliseconds.
    public func startTime(seconds: Double) { set(.adBreakStartMs, seconds: seconds) }

    /// `pre`, `mid` or `post`.
    public func type(_ text: String) { set(.adBreakType, text) }
}

/// Takes what is known of a chapter (Adobe VHL 1.4, `ADB_VHB_ChapterInfo`).
public typealias ChapterInfoEncoder = InfoEncoder<ChapterInfo>

/// A chapter, as what an ``InfoEncoder`` is about.
public enum ChapterInfo {}

extension InfoEncoder where Subject == ChapterInfo {
    /// Title for people.
    public func name(_ text: String) { set(.chapterName, text) }

    /// Length of the chapter, seconds; kept in whole milliseconds.
    public func length(seconds: Double) { set(.chapterDurationMs, seconds: seconds) }

    /// Index in the main content, from 1.
    public func position(_ number: Int) { set(.chapterPosition, Int64(number)) }

    /// Where in the main content the chapter begins, seconds; kept in whole milliseconds.
    public func startTime(seconds: Double) { set(.chapterStartMs, seconds: seconds) }
}
