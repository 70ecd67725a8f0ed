/// Takes what is known of the main asset (Adobe VHL 1.4, `ADB_VHB_VideoInfo`).
///
/// Lent for the call that it is handed to. What is set twice keeps the last value.
@safe public struct VideoInfoEncoder: ~Copyable {
    private let encoder: UnsafeMutablePointer<TrackEncoder>

    init(_ encoder: UnsafeMutablePointer<TrackEncoder>) { unsafe self.encoder = unsafe encoder }

    /// Name of the player that shows the main content.
    public func playerName(_ text: String) { unsafe encoder.pointee.set(.playerName, text) }

    /// Version of that player.
    public func playerVersion(_ text: String) { unsafe encoder.pointee.set(.playerVersion, text) }

    /// Identifier of the asset.
    public func id(_ text: String) { unsafe encoder.pointee.set(.videoID, text) }

    /// Title for people.
    public func name(_ text: String) { unsafe encoder.pointee.set(.videoName, text) }

    /// Where the media comes from.
    public func url(_ text: String) { unsafe encoder.pointee.set(.videoURL, text) }

    /// Length, seconds; -1 for a live or linear stream without a known end.
    public func length(seconds: Double) { unsafe encoder.pointee.state.set(duration: Canonical.mediaTime(seconds)) }

    /// Place in the main content, without ads, seconds.
    public func playhead(seconds: Double) { unsafe encoder.pointee.state.set(playhead: Canonical.mediaTime(seconds)) }

    /// What kind of stream it is.
    public func streamType(_ type: AssetType) {
        unsafe encoder.pointee.set(.streamType, type.rawValue)
        unsafe encoder.pointee.state.set(live: type != .vod)
    }

    /// BCP 47 tag of the main audio.
    public func language(_ text: String) { unsafe encoder.pointee.set(.videoLanguage, text) }

    /// Media type.
    public func mimeType(_ text: String) { unsafe encoder.pointee.set(.videoMimeType, text) }

    /// Video codec, RFC 6381 where known.
    public func videoCodec(_ text: String) { unsafe encoder.pointee.set(.videoCodec, text) }

    /// Audio codec, RFC 6381 where known.
    public func audioCodec(_ text: String) { unsafe encoder.pointee.set(.audioCodec, text) }

    /// Name of the content delivery network.
    public func cdn(_ text: String) { unsafe encoder.pointee.set(.videoCDN, text) }

    /// Whether playback starts without the viewer asking.
    public func autoplay(_ truth: Bool) { unsafe encoder.pointee.set(.autoplay, truth) }

    /// Application around the player.
    public func applicationName(_ text: String) { unsafe encoder.pointee.set(.applicationName, text) }

    /// Its version.
    public func applicationVersion(_ text: String) { unsafe encoder.pointee.set(.applicationVersion, text) }

    /// Who watches, as the application names them.
    ///
    /// Personal.
    public func userID(_ text: String) { unsafe encoder.pointee.set(.userID, text) }

    /// BCP 47 tag of the player's user interface.
    public func playerLanguage(_ text: String) { unsafe encoder.pointee.set(.playerLanguage, text) }

    /// An attribute of the application's own.
    public func custom(_ name: String, _ value: PlainValue) { unsafe encoder.pointee.set(custom: name, value) }
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
