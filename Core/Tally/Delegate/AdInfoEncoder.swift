/// Takes what is known of an ad (Adobe VHL 1.4, `ADB_VHB_AdInfo`).
///
/// Lent for the call that it is handed to. What is set twice keeps the last value.
@safe public struct AdInfoEncoder: ~Copyable {
    private let encoder: UnsafeMutablePointer<TrackEncoder>

    init(_ encoder: UnsafeMutablePointer<TrackEncoder>) { unsafe self.encoder = unsafe encoder }

    /// Identifier of the ad.
    public func id(_ text: String) { unsafe encoder.pointee.set(.adID, text) }

    /// Title for people.
    public func name(_ text: String) { unsafe encoder.pointee.set(.adName, text) }

    /// Length of the ad, seconds; kept in whole milliseconds.
    public func length(seconds: Double) { unsafe encoder.pointee.set(.adDurationMs, Canonical.milliseconds(seconds)) }

    /// Index of the ad in its break, from 1.
    public func position(_ number: Int) { unsafe encoder.pointee.set(.adPosition, Int64(number)) }

    /// Place in the ad, seconds (Adobe VHL 1.3.1 only).
    public func playhead(seconds: Double) {
        unsafe encoder.pointee.state.set(adPlayhead: Canonical.milliseconds(seconds))
    }

    /// Price per thousand, as the ad server gives it.
    public func cpm(_ text: String) { unsafe encoder.pointee.set(.adCPM, text) }

    /// Where the creative comes from.
    public func url(_ text: String) { unsafe encoder.pointee.set(.adURL, text) }

    /// BCP 47 tag.
    public func language(_ text: String) { unsafe encoder.pointee.set(.adLanguage, text) }

    /// Identifier of the creative.
    public func creativeID(_ text: String) { unsafe encoder.pointee.set(.adCreativeID, text) }

    /// Universal ad identifier.
    public func universalID(_ text: String) { unsafe encoder.pointee.set(.adUniversalID, text) }

    /// Ad system or partner.
    public func partner(_ text: String) { unsafe encoder.pointee.set(.adPartner, text) }

    /// Address that the ad was requested from.
    public func tagURL(_ text: String) { unsafe encoder.pointee.set(.adTagURL, text) }

    /// Where a click leads.
    public func clickURL(_ text: String) { unsafe encoder.pointee.set(.adClickURL, text) }

    /// When the ad may be skipped, seconds; kept in whole milliseconds.
    public func skipAfter(seconds: Double) {
        unsafe encoder.pointee.set(.adSkipAfterMs, Canonical.milliseconds(seconds))
    }

    /// An attribute of the application's own.
    public func custom(_ name: String, _ value: PlainValue) { unsafe encoder.pointee.set(custom: name, value) }
}

/// Takes what is known of a pod of ads (Adobe VHL 1.4, `ADB_VHB_AdBreakInfo`).
///
/// Lent for the call that it is handed to. What is set twice keeps the last value.
@safe public struct AdBreakInfoEncoder: ~Copyable {
    private let encoder: UnsafeMutablePointer<TrackEncoder>

    init(_ encoder: UnsafeMutablePointer<TrackEncoder>) { unsafe self.encoder = unsafe encoder }

    /// Name of the player that shows the break.
    public func playerName(_ text: String) { unsafe encoder.pointee.set(.adBreakPlayerName, text) }

    /// Identifier of the break.
    public func id(_ text: String) { unsafe encoder.pointee.set(.adBreakID, text) }

    /// Name of the break.
    public func name(_ text: String) { unsafe encoder.pointee.set(.adBreakName, text) }

    /// Index of the break in the main content, from 1.
    public func position(_ number: Int) { unsafe encoder.pointee.set(.adBreakPosition, Int64(number)) }

    /// Where in the main content the break lies, seconds; kept in whole milliseconds.
    public func startTime(seconds: Double) {
        unsafe encoder.pointee.set(.adBreakStartMs, Canonical.milliseconds(seconds))
    }

    /// `pre`, `mid` or `post`.
    public func type(_ text: String) { unsafe encoder.pointee.set(.adBreakType, text) }

    /// An attribute of the application's own.
    public func custom(_ name: String, _ value: PlainValue) { unsafe encoder.pointee.set(custom: name, value) }
}
