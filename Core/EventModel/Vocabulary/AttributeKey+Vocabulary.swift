// Made from Core/vocabulary.txt by Scripts/vocabulary: change it there.

// Video information, read at video_load and metadata_change.
extension AttributeKey {
    /// Identifier of the asset.
    @inlinable public static var videoID: AttributeKey { AttributeKey(rawValue: 1) }
    /// Title for people.
    @inlinable public static var videoName: AttributeKey { AttributeKey(rawValue: 2) }
    /// Where the media comes from.
    @inlinable public static var videoURL: AttributeKey { AttributeKey(rawValue: 3) }
    /// Name of the player that shows the main content.
    @inlinable public static var playerName: AttributeKey { AttributeKey(rawValue: 4) }
    /// Version of that player.
    @inlinable public static var playerVersion: AttributeKey { AttributeKey(rawValue: 5) }
    /// `vod`, `live` or `linear`.
    @inlinable public static var streamType: AttributeKey { AttributeKey(rawValue: 6) }
    /// BCP 47 tag of the main audio.
    @inlinable public static var videoLanguage: AttributeKey { AttributeKey(rawValue: 7) }
    /// Media type.
    @inlinable public static var videoMimeType: AttributeKey { AttributeKey(rawValue: 8) }
    /// Video codec, RFC 6381 where known.
    @inlinable public static var videoCodec: AttributeKey { AttributeKey(rawValue: 9) }
    /// Audio codec, RFC 6381 where known.
    @inlinable public static var audioCodec: AttributeKey { AttributeKey(rawValue: 10) }
    /// Name of the content delivery network.
    @inlinable public static var videoCDN: AttributeKey { AttributeKey(rawValue: 11) }
    /// Whether playback starts without the viewer asking.
    @inlinable public static var autoplay: AttributeKey { AttributeKey(rawValue: 12) }
    /// Application around the player.
    @inlinable public static var applicationName: AttributeKey { AttributeKey(rawValue: 13) }
    /// Its version.
    @inlinable public static var applicationVersion: AttributeKey { AttributeKey(rawValue: 14) }
    /// Who watches, as the application names them.
    @inlinable public static var userID: AttributeKey { AttributeKey(rawValue: 15) }
    /// BCP 47 tag of the player's user interface.
    @inlinable public static var playerLanguage: AttributeKey { AttributeKey(rawValue: 16) }
    /// BCP 47 tag of the subtitles that are on, `und` when that is not known, or `off`.
    @inlinable public static var subtitleLanguage: AttributeKey { AttributeKey(rawValue: 17) }
}

// Ad break information, read at ad_break_start, ad_start and seek_complete.
extension AttributeKey {
    /// Identifier of the break.
    @inlinable public static var adBreakID: AttributeKey { AttributeKey(rawValue: 32) }
    /// Name of the break.
    @inlinable public static var adBreakName: AttributeKey { AttributeKey(rawValue: 33) }
    /// Index of the break in the main content, from 1.
    @inlinable public static var adBreakPosition: AttributeKey { AttributeKey(rawValue: 34) }
    /// Where in the main content the break lies.
    @inlinable public static var adBreakStartMs: AttributeKey { AttributeKey(rawValue: 35) }
    /// `pre`, `mid` or `post`.
    @inlinable public static var adBreakType: AttributeKey { AttributeKey(rawValue: 36) }
    /// Name of the player that shows the break.
    @inlinable public static var adBreakPlayerName: AttributeKey { AttributeKey(rawValue: 37) }
}

// Ad information, read at ad_start and seek_complete.
extension AttributeKey {
    /// Identifier of the ad.
    @inlinable public static var adID: AttributeKey { AttributeKey(rawValue: 48) }
    /// Title for people.
    @inlinable public static var adName: AttributeKey { AttributeKey(rawValue: 49) }
    /// Length of the ad.
    @inlinable public static var adDurationMs: AttributeKey { AttributeKey(rawValue: 50) }
    /// Index of the ad in its break, from 1.
    @inlinable public static var adPosition: AttributeKey { AttributeKey(rawValue: 51) }
    /// Price per thousand, as the ad server gives it.
    @inlinable public static var adCPM: AttributeKey { AttributeKey(rawValue: 52) }
    /// Where the creative comes from.
    @inlinable public static var adURL: AttributeKey { AttributeKey(rawValue: 53) }
    /// BCP 47 tag.
    @inlinable public static var adLanguage: AttributeKey { AttributeKey(rawValue: 54) }
    /// Identifier of the creative.
    @inlinable public static var adCreativeID: AttributeKey { AttributeKey(rawValue: 55) }
    /// Universal ad identifier.
    @inlinable public static var adUniversalID: AttributeKey { AttributeKey(rawValue: 56) }
    /// Ad system or partner.
    @inlinable public static var adPartner: AttributeKey { AttributeKey(rawValue: 57) }
    /// Address that the ad was requested from.
    @inlinable public static var adTagURL: AttributeKey { AttributeKey(rawValue: 58) }
    /// Where a click leads.
    @inlinable public static var adClickURL: AttributeKey { AttributeKey(rawValue: 59) }
    /// When the ad may be skipped; absent when never.
    @inlinable public static var adSkipAfterMs: AttributeKey { AttributeKey(rawValue: 60) }
    /// 1, 2 or 3: on ad_quartile.
    @inlinable public static var adQuartile: AttributeKey { AttributeKey(rawValue: 61) }
}

// Chapter information, read at chapter_start and seek_complete.
extension AttributeKey {
    /// Title for people.
    @inlinable public static var chapterName: AttributeKey { AttributeKey(rawValue: 64) }
    /// Index in the main content, from 1.
    @inlinable public static var chapterPosition: AttributeKey { AttributeKey(rawValue: 65) }
    /// Where in the main content the chapter begins.
    @inlinable public static var chapterStartMs: AttributeKey { AttributeKey(rawValue: 66) }
    /// Length of the chapter.
    @inlinable public static var chapterDurationMs: AttributeKey { AttributeKey(rawValue: 67) }
}

// Rendition change.
extension AttributeKey {
    /// `decided` when the player chose it, `visible` when it is on screen.
    @inlinable public static var renditionPhase: AttributeKey { AttributeKey(rawValue: 80) }
    /// `automatic` or `manual`.
    @inlinable public static var renditionCause: AttributeKey { AttributeKey(rawValue: 81) }
    /// `up`, `down` or `same`, against the one before.
    @inlinable public static var renditionShift: AttributeKey { AttributeKey(rawValue: 82) }
    /// Name of the rendition.
    @inlinable public static var renditionName: AttributeKey { AttributeKey(rawValue: 83) }
    /// Advertised bitrate.
    @inlinable public static var renditionBitrateBps: AttributeKey { AttributeKey(rawValue: 84) }
    /// Width of the picture.
    @inlinable public static var renditionWidth: AttributeKey { AttributeKey(rawValue: 85) }
    /// Height of the picture.
    @inlinable public static var renditionHeight: AttributeKey { AttributeKey(rawValue: 86) }
    /// Frames per second in thousandths.
    @inlinable public static var renditionFpsMilli: AttributeKey { AttributeKey(rawValue: 87) }
    /// Codecs of the rendition.
    @inlinable public static var renditionCodec: AttributeKey { AttributeKey(rawValue: 88) }
}

// Seek, buffering and quality.
extension AttributeKey {
    /// Where the seek starts from.
    @inlinable public static var seekFromMs: AttributeKey { AttributeKey(rawValue: 96) }
    /// Where the seek goes to.
    @inlinable public static var seekToMs: AttributeKey { AttributeKey(rawValue: 97) }
    /// `initial`, `seek`, `stall`, or `frozen`: a stall that is no want of data.
    @inlinable public static var bufferCause: AttributeKey { AttributeKey(rawValue: 98) }
    /// How much media is buffered ahead.
    @inlinable public static var bufferLengthMs: AttributeKey { AttributeKey(rawValue: 99) }
    /// From the wish to play to the first frame that moves.
    @inlinable public static var startupTimeMs: AttributeKey { AttributeKey(rawValue: 100) }
    /// Live: wall clock of the newest media, since 1970.
    @inlinable public static var liveEdgeWallMs: AttributeKey { AttributeKey(rawValue: 101) }
    /// From the wish to play to the first picture, be it a still one.
    @inlinable public static var firstPictureTimeMs: AttributeKey { AttributeKey(rawValue: 102) }
}

// Network requests.
extension AttributeKey {
    /// What was asked for.
    @inlinable public static var requestURL: AttributeKey { AttributeKey(rawValue: 112) }
    /// Host that was asked.
    @inlinable public static var requestHost: AttributeKey { AttributeKey(rawValue: 113) }
    /// `manifest`, `video`, `audio`, `video_init`, `audio_init`, `media`, `subtitle`, `encryption` or `api`.
    @inlinable public static var requestType: AttributeKey { AttributeKey(rawValue: 114) }
    /// Identifier that the server gave.
    @inlinable public static var requestID: AttributeKey { AttributeKey(rawValue: 115) }
    /// HTTP status.
    @inlinable public static var requestStatus: AttributeKey { AttributeKey(rawValue: 116) }
    /// Bytes of the answer's body.
    @inlinable public static var requestBytes: AttributeKey { AttributeKey(rawValue: 117) }
    /// From asking to the last byte.
    @inlinable public static var requestDurationMs: AttributeKey { AttributeKey(rawValue: 118) }
    /// From asking to the first byte.
    @inlinable public static var requestFirstByteMs: AttributeKey { AttributeKey(rawValue: 119) }
    /// Where in the media the segment begins.
    @inlinable public static var requestMediaStartMs: AttributeKey { AttributeKey(rawValue: 120) }
    /// How much media the segment holds.
    @inlinable public static var requestMediaDurationMs: AttributeKey { AttributeKey(rawValue: 121) }
    /// Advertised bitrate of what was asked for.
    @inlinable public static var requestBitrateBps: AttributeKey { AttributeKey(rawValue: 122) }
    /// Width of what was asked for.
    @inlinable public static var requestWidth: AttributeKey { AttributeKey(rawValue: 123) }
    /// Height of what was asked for.
    @inlinable public static var requestHeight: AttributeKey { AttributeKey(rawValue: 124) }
}

// Errors.
extension AttributeKey {
    /// Unique identifier of the error.
    @inlinable public static var errorID: AttributeKey { AttributeKey(rawValue: 128) }
    /// Text for people.
    @inlinable public static var errorMessage: AttributeKey { AttributeKey(rawValue: 129) }
    /// Part of the software that the code belongs to.
    @inlinable public static var errorDomain: AttributeKey { AttributeKey(rawValue: 130) }
    /// The engine's or server's number.
    @inlinable public static var errorCode: AttributeKey { AttributeKey(rawValue: 131) }
    /// Whether playback ends with it.
    @inlinable public static var errorFatal: AttributeKey { AttributeKey(rawValue: 132) }
    /// Segment, stack trace or the like.
    @inlinable public static var errorContext: AttributeKey { AttributeKey(rawValue: 133) }
}

// Application, interruption, consent and unload.
extension AttributeKey {
    /// Name of a custom event.
    @inlinable public static var customName: AttributeKey { AttributeKey(rawValue: 144) }
    /// How long the application ran: on application_terminated.
    @inlinable public static var runningTimeMs: AttributeKey { AttributeKey(rawValue: 145) }
    /// `network`, `call`, `alarm`, `lock`, `background`, `channel_change`, `headphones` or another word.
    @inlinable public static var interruptionReason: AttributeKey { AttributeKey(rawValue: 146) }
    /// `all`, or the instance name of one tracker.
    @inlinable public static var consentScope: AttributeKey { AttributeKey(rawValue: 147) }
    /// `in`, `out` or `pending`.
    @inlinable public static var consentState: AttributeKey { AttributeKey(rawValue: 148) }
    /// True on what the core inserted: an unload, a pause or play that the playback rate says.
    @inlinable public static var implicit: AttributeKey { AttributeKey(rawValue: 149) }
}

// Added by the core.
extension AttributeKey {
    /// Playhead samples refused before this event.
    @inlinable public static var gapSamples: AttributeKey { AttributeKey(rawValue: 160) }
    /// Quality samples refused before this event.
    @inlinable public static var gapQualitySamples: AttributeKey { AttributeKey(rawValue: 161) }
    /// Other events refused before this event.
    @inlinable public static var gapEvents: AttributeKey { AttributeKey(rawValue: 162) }
    /// On a snapshot: the session was going on already.
    @inlinable public static var joined: AttributeKey { AttributeKey(rawValue: 163) }
    /// On a snapshot: run time of the load.
    @inlinable public static var loadedAtMicroseconds: AttributeKey { AttributeKey(rawValue: 164) }
    /// On a snapshot: run time of the session's first play.
    @inlinable public static var firstPlayAtMicroseconds: AttributeKey { AttributeKey(rawValue: 165) }
    /// Instance name, on control events.
    @inlinable public static var plugin: AttributeKey { AttributeKey(rawValue: 166) }
    /// Its version.
    @inlinable public static var pluginVersion: AttributeKey { AttributeKey(rawValue: 167) }
    /// Hash of its file.
    @inlinable public static var pluginSha256: AttributeKey { AttributeKey(rawValue: 168) }
    /// `operator`, `file`, `configuration`, `time_budget`, `crash`; of an unload `silence`, `idle`, and others.
    @inlinable public static var cause: AttributeKey { AttributeKey(rawValue: 169) }
    /// JSON text of a new configuration.
    @inlinable public static var configuration: AttributeKey { AttributeKey(rawValue: 170) }
    /// By how much the wall clock was set, or how long the machine slept.
    @inlinable public static var stepMicroseconds: AttributeKey { AttributeKey(rawValue: 171) }
    /// Id of a plugin that joined or took another's place.
    @inlinable public static var pluginID: AttributeKey { AttributeKey(rawValue: 172) }
    /// Whether a plugin that joined is enabled.
    @inlinable public static var pluginEnabled: AttributeKey { AttributeKey(rawValue: 173) }
    /// Persistent values that a plugin began with, JSON text.
    @inlinable public static var pluginStored: AttributeKey { AttributeKey(rawValue: 174) }
    /// Name of a command.
    @inlinable public static var pluginCommand: AttributeKey { AttributeKey(rawValue: 175) }
    /// JSON text of a command's arguments.
    @inlinable public static var pluginArguments: AttributeKey { AttributeKey(rawValue: 176) }
    /// `replayed` or `joined`: how a tracker took another's place.
    @inlinable public static var pluginReplacement: AttributeKey { AttributeKey(rawValue: 177) }
}

extension AttributeKey {
    /// Every well-known attribute with its name and whether it may tell who the viewer is, in the order of the numbers.
    package static let wellKnown: [(key: AttributeKey, name: StaticString, isPersonal: Bool)] = [
        (.videoID, "video_id", false),
        (.videoName, "video_name", false),
        (.videoURL, "video_url", false),
        (.playerName, "player_name", false),
        (.playerVersion, "player_version", false),
        (.streamType, "stream_type", false),
        (.videoLanguage, "video_language", false),
        (.videoMimeType, "video_mime_type", false),
        (.videoCodec, "video_codec", false),
        (.audioCodec, "audio_codec", false),
        (.videoCDN, "video_cdn", false),
        (.autoplay, "autoplay", false),
        (.applicationName, "application_name", false),
        (.applicationVersion, "application_version", false),
        (.userID, "user_id", true),
        (.playerLanguage, "player_language", false),
        (.subtitleLanguage, "subtitle_language", false),
        (.adBreakID, "ad_break_id", false),
        (.adBreakName, "ad_break_name", false),
        (.adBreakPosition, "ad_break_position", false),
        (.adBreakStartMs, "ad_break_start_ms", false),
        (.adBreakType, "ad_break_type", false),
        (.adBreakPlayerName, "ad_break_player_name", false),
        (.adID, "ad_id", false),
        (.adName, "ad_name", false),
        (.adDurationMs, "ad_duration_ms", false),
        (.adPosition, "ad_position", false),
        (.adCPM, "ad_cpm", false),
        (.adURL, "ad_url", false),
        (.adLanguage, "ad_language", false),
        (.adCreativeID, "ad_creative_id", false),
        (.adUniversalID, "ad_universal_id", false),
        (.adPartner, "ad_partner", false),
        (.adTagURL, "ad_tag_url", false),
        (.adClickURL, "ad_click_url", false),
        (.adSkipAfterMs, "ad_skip_after_ms", false),
        (.adQuartile, "ad_quartile", false),
        (.chapterName, "chapter_name", false),
        (.chapterPosition, "chapter_position", false),
        (.chapterStartMs, "chapter_start_ms", false),
        (.chapterDurationMs, "chapter_duration_ms", false),
        (.renditionPhase, "rendition_phase", false),
        (.renditionCause, "rendition_cause", false),
        (.renditionShift, "rendition_shift", false),
        (.renditionName, "rendition_name", false),
        (.renditionBitrateBps, "rendition_bitrate_bps", false),
        (.renditionWidth, "rendition_width", false),
        (.renditionHeight, "rendition_height", false),
        (.renditionFpsMilli, "rendition_fps_milli", false),
        (.renditionCodec, "rendition_codec", false),
        (.seekFromMs, "seek_from_ms", false),
        (.seekToMs, "seek_to_ms", false),
        (.bufferCause, "buffer_cause", false),
        (.bufferLengthMs, "buffer_length_ms", false),
        (.startupTimeMs, "startup_time_ms", false),
        (.liveEdgeWallMs, "live_edge_wall_ms", false),
        (.firstPictureTimeMs, "first_picture_time_ms", false),
        (.requestURL, "request_url", false),
        (.requestHost, "request_host", false),
        (.requestType, "request_type", false),
        (.requestID, "request_id", false),
        (.requestStatus, "request_status", false),
        (.requestBytes, "request_bytes", false),
        (.requestDurationMs, "request_duration_ms", false),
        (.requestFirstByteMs, "request_first_byte_ms", false),
        (.requestMediaStartMs, "request_media_start_ms", false),
        (.requestMediaDurationMs, "request_media_duration_ms", false),
        (.requestBitrateBps, "request_bitrate_bps", false),
        (.requestWidth, "request_width", false),
        (.requestHeight, "request_height", false),
        (.errorID, "error_id", false),
        (.errorMessage, "error_message", false),
        (.errorDomain, "error_domain", false),
        (.errorCode, "error_code", false),
        (.errorFatal, "error_fatal", false),
        (.errorContext, "error_context", false),
        (.customName, "custom_name", false),
        (.runningTimeMs, "running_time_ms", false),
        (.interruptionReason, "interruption_reason", false),
        (.consentScope, "consent_scope", false),
        (.consentState, "consent_state", false),
        (.implicit, "implicit", false),
        (.gapSamples, "gap_samples", false),
        (.gapQualitySamples, "gap_quality_samples", false),
        (.gapEvents, "gap_events", false),
        (.joined, "joined", false),
        (.loadedAtMicroseconds, "loaded_at_us", false),
        (.firstPlayAtMicroseconds, "first_play_at_us", false),
        (.plugin, "plugin", false),
        (.pluginVersion, "plugin_version", false),
        (.pluginSha256, "plugin_sha256", false),
        (.cause, "cause", false),
        (.configuration, "configuration", false),
        (.stepMicroseconds, "step_us", false),
        (.pluginID, "plugin_id", false),
        (.pluginEnabled, "plugin_enabled", false),
        (.pluginStored, "plugin_stored", false),
        (.pluginCommand, "plugin_command", false),
        (.pluginArguments, "plugin_arguments", false),
        (.pluginReplacement, "plugin_replacement", false),
    ]
}
