public import EventModel
internal import PluginABI

/// Takes what a ``PlayerDelegate`` says of one subject.
///
/// Lent for the call that it is handed to. What is set twice keeps the last value.
@safe public struct InfoEncoder<Subject>: ~Copyable {
    private let encoder: UnsafeMutablePointer<TrackEncoder>

    init(_ encoder: UnsafeMutablePointer<TrackEncoder>) { unsafe self.encoder = unsafe encoder }

    /// An attribute of the application's own.
    public func custom(_ name: String, _ value: PlainValue) { unsafe encoder.pointee.set(custom: name, value) }

    /// Text under a name that is no Swift string.
    package func set(_ name: UTF8Text, text: UTF8Text) { unsafe encoder.pointee.set(name, text: text) }

    /// A number under such a name.
    package func set(_ name: UTF8Text, _ number: CanonicalNumber) { unsafe encoder.pointee.set(name, number) }

    /// True or false under such a name.
    package func set(_ name: UTF8Text, truth: Bool) { unsafe encoder.pointee.set(name, truth: truth) }

    /// Where playback stands, as far as it is known.
    package func place(_ reported: ReportedState) { unsafe reported.writePlace(to: state) }

    /// The quality of what is shown, as far as it is known.
    package func quality(_ reported: ReportedState) { unsafe reported.writeQuality(to: state) }

    func date(_ time: Int64) {
        let now = unsafe encoder.pointee.header.pointee.time_us
        unsafe encoder.pointee.header.pointee.time_us = min(max(time, 0), now)
    }

    var state: UnsafeMutablePointer<tally_state> { unsafe encoder.pointee.state }

    func set(_ key: AttributeKey, _ text: String) { unsafe encoder.pointee.set(key, text) }

    func set(_ key: AttributeKey, _ number: Int64) { unsafe encoder.pointee.set(key, number) }

    func set(_ key: AttributeKey, _ truth: Bool) { unsafe encoder.pointee.set(key, truth) }

    func set(_ key: AttributeKey, seconds: Double) { unsafe encoder.pointee.set(key, Canonical.milliseconds(seconds)) }
}

/// Takes what is known of the main asset (Adobe VHL 1.4, `ADB_VHB_VideoInfo`).
public typealias VideoInfoEncoder = InfoEncoder<VideoInfo>

/// The main asset, as what an ``InfoEncoder`` is about.
public enum VideoInfo {}

extension InfoEncoder where Subject == VideoInfo {
    /// Name of the player that shows the main content.
    public func playerName(_ text: String) { set(.playerName, text) }

    /// Version of that player.
    public func playerVersion(_ text: String) { set(.playerVersion, text) }

    /// Identifier of the asset.
    public func id(_ text: String) { set(.videoID, text) }

    /// Title for people.
    public func name(_ text: String) { set(.videoName, text) }

    /// Where the media comes from.
    public func url(_ text: String) { set(.videoURL, text) }

    /// Length, seconds; -1 for a live or linear stream without a known end.
    public func length(seconds: Double) { unsafe state.pointee.set(duration: Canonical.mediaTime(seconds)) }

    /// Place in the main content, without ads, seconds.
    public func playhead(seconds: Double) { unsafe state.pointee.set(playhead: Canonical.mediaTime(seconds)) }

    /// What kind of stream it is.
    public func streamType(_ type: AssetType) {
        set(.streamType, type.rawValue)
        unsafe state.pointee.set(live: type != .vod)
    }

    /// BCP 47 tag of the main audio.
    public func language(_ text: String) { set(.videoLanguage, text) }

    /// Media type.
    public func mimeType(_ text: String) { set(.videoMimeType, text) }

    /// Video codec, RFC 6381 where known.
    public func videoCodec(_ text: String) { set(.videoCodec, text) }

    /// Audio codec, RFC 6381 where known.
    public func audioCodec(_ text: String) { set(.audioCodec, text) }
    /// The BCP 47 tag of the subtitles that are on, `und` when that is not known, or `off`.
    public func subtitleLanguage(_ text: String) { set(.subtitleLanguage, text) }

    /// Name of the content delivery network.
    public func cdn(_ text: String) { set(.videoCDN, text) }

    /// Whether playback starts without the viewer asking.
    public func autoplay(_ truth: Bool) { set(.autoplay, truth) }

    /// Application around the player.
    public func applicationName(_ text: String) { set(.applicationName, text) }

    /// Its version.
    public func applicationVersion(_ text: String) { set(.applicationVersion, text) }

    /// Who watches, as the application names them.
    ///
    /// Personal.
    public func userID(_ text: String) { set(.userID, text) }

    /// BCP 47 tag of the player's user interface.
    public func playerLanguage(_ text: String) { set(.playerLanguage, text) }
}

/// What kind of stream the main asset is (Adobe VHL 1.4, `ADB_VHB_AssetType`).
public enum AssetType: String, Sendable {
    /// On demand: it has a length.
    case vod
    /// A live event.
    case live
    /// A channel that goes on for ever.
    case linear
}
