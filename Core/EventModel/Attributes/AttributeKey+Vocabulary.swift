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
    /// `initial`, `seek` or `stall`.
    @inlinable public static var bufferCause: AttributeKey { AttributeKey(rawValue: 98) }
    /// How much media is buffered ahead.
    @inlinable public static var bufferLengthMs: AttributeKey { AttributeKey(rawValue: 99) }
    /// From the wish to play to the first frame.
    @inlinable public static var startupTimeMs: AttributeKey { AttributeKey(rawValue: 100) }
    /// Live: wall clock of the newest media, since 1970.
    @inlinable public static var liveEdgeWallMs: AttributeKey { AttributeKey(rawValue: 101) }
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
    /// True on an unload that the core inserted before a load.
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
    /// `operator`, `file`, `configuration`, `time_budget` or `crash`.
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

extension AttributeDefinition {
    /// Every well-known attribute in the order of its number.
    // swift-format-ignore
    public static let all: [AttributeDefinition] = [
        // Video information, read at video_load and metadata_change.
        AttributeDefinition(.videoID, "video_id", .string, setBy: "video", "Identifier of the asset."),
        AttributeDefinition(.videoName, "video_name", .string, setBy: "video", "Title for people."),
        AttributeDefinition(.videoURL, "video_url", .string, setBy: "video", "Where the media comes from."),
        AttributeDefinition(.playerName, "player_name", .string, setBy: "video",
            "Name of the player that shows the main content."),
        AttributeDefinition(.playerVersion, "player_version", .string, setBy: "video", "Version of that player."),
        AttributeDefinition(.streamType, "stream_type", .string, setBy: "video", "`vod`, `live` or `linear`."),
        AttributeDefinition(.videoLanguage, "video_language", .string, setBy: "video", "BCP 47 tag of the main audio."),
        AttributeDefinition(.videoMimeType, "video_mime_type", .string, setBy: "video", "Media type."),
        AttributeDefinition(.videoCodec, "video_codec", .string, setBy: "video", "Video codec, RFC 6381 where known."),
        AttributeDefinition(.audioCodec, "audio_codec", .string, setBy: "video", "Audio codec, RFC 6381 where known."),
        AttributeDefinition(.videoCDN, "video_cdn", .string, setBy: "video", "Name of the content delivery network."),
        AttributeDefinition(.autoplay, "autoplay", .bool, setBy: "video",
            "Whether playback starts without the viewer asking."),
        AttributeDefinition(.applicationName, "application_name", .string, setBy: "video",
            "Application around the player."),
        AttributeDefinition(.applicationVersion, "application_version", .string, setBy: "video", "Its version."),
        AttributeDefinition(.userID, "user_id", .string, setBy: "video", personal: true,
            "Who watches, as the application names them."),
        AttributeDefinition(.playerLanguage, "player_language", .string, setBy: "video",
            "BCP 47 tag of the player's user interface."),
        // Ad break information, read at ad_break_start, ad_start and seek_complete.
        AttributeDefinition(.adBreakID, "ad_break_id", .string, setBy: "ad break", "Identifier of the break."),
        AttributeDefinition(.adBreakName, "ad_break_name", .string, setBy: "ad break", "Name of the break."),
        AttributeDefinition(.adBreakPosition, "ad_break_position", .int, setBy: "ad break",
            "Index of the break in the main content, from 1."),
        AttributeDefinition(.adBreakStartMs, "ad_break_start_ms", .int, unit: "ms", setBy: "ad break",
            "Where in the main content the break lies."),
        AttributeDefinition(.adBreakType, "ad_break_type", .string, setBy: "ad break", "`pre`, `mid` or `post`."),
        AttributeDefinition(.adBreakPlayerName, "ad_break_player_name", .string, setBy: "ad break",
            "Name of the player that shows the break."),
        // Ad information, read at ad_start and seek_complete.
        AttributeDefinition(.adID, "ad_id", .string, setBy: "ad", "Identifier of the ad."),
        AttributeDefinition(.adName, "ad_name", .string, setBy: "ad", "Title for people."),
        AttributeDefinition(.adDurationMs, "ad_duration_ms", .int, unit: "ms", setBy: "ad", "Length of the ad."),
        AttributeDefinition(.adPosition, "ad_position", .int, setBy: "ad", "Index of the ad in its break, from 1."),
        AttributeDefinition(.adCPM, "ad_cpm", .string, setBy: "ad", "Price per thousand, as the ad server gives it."),
        AttributeDefinition(.adURL, "ad_url", .string, setBy: "ad", "Where the creative comes from."),
        AttributeDefinition(.adLanguage, "ad_language", .string, setBy: "ad", "BCP 47 tag."),
        AttributeDefinition(.adCreativeID, "ad_creative_id", .string, setBy: "ad", "Identifier of the creative."),
        AttributeDefinition(.adUniversalID, "ad_universal_id", .string, setBy: "ad", "Universal ad identifier."),
        AttributeDefinition(.adPartner, "ad_partner", .string, setBy: "ad", "Ad system or partner."),
        AttributeDefinition(.adTagURL, "ad_tag_url", .string, setBy: "ad", "Address that the ad was requested from."),
        AttributeDefinition(.adClickURL, "ad_click_url", .string, setBy: "ad", "Where a click leads."),
        AttributeDefinition(.adSkipAfterMs, "ad_skip_after_ms", .int, unit: "ms", setBy: "ad",
            "When the ad may be skipped; absent when never."),
        AttributeDefinition(.adQuartile, "ad_quartile", .int, setBy: "call", "1, 2 or 3: on ad_quartile."),
        // Chapter information, read at chapter_start and seek_complete.
        AttributeDefinition(.chapterName, "chapter_name", .string, setBy: "chapter", "Title for people."),
        AttributeDefinition(.chapterPosition, "chapter_position", .int, setBy: "chapter",
            "Index in the main content, from 1."),
        AttributeDefinition(.chapterStartMs, "chapter_start_ms", .int, unit: "ms", setBy: "chapter",
            "Where in the main content the chapter begins."),
        AttributeDefinition(.chapterDurationMs, "chapter_duration_ms", .int, unit: "ms", setBy: "chapter",
            "Length of the chapter."),
        // Rendition change.
        AttributeDefinition(.renditionPhase, "rendition_phase", .string, setBy: "call",
            "`decided` when the player chose it, `visible` when it is on screen."),
        AttributeDefinition(.renditionCause, "rendition_cause", .string, setBy: "call", "`automatic` or `manual`."),
        AttributeDefinition(.renditionShift, "rendition_shift", .string, setBy: "call",
            "`up`, `down` or `same`, against the one before."),
        AttributeDefinition(.renditionName, "rendition_name", .string, setBy: "call", "Name of the rendition."),
        AttributeDefinition(.renditionBitrateBps, "rendition_bitrate_bps", .int, unit: "bit/s", setBy: "call",
            "Advertised bitrate."),
        AttributeDefinition(.renditionWidth, "rendition_width", .int, unit: "px", setBy: "call",
            "Width of the picture."),
        AttributeDefinition(.renditionHeight, "rendition_height", .int, unit: "px", setBy: "call",
            "Height of the picture."),
        AttributeDefinition(.renditionFpsMilli, "rendition_fps_milli", .int, unit: "1/1000 frame/s", setBy: "call",
            "Frames per second in thousandths."),
        AttributeDefinition(.renditionCodec, "rendition_codec", .string, setBy: "call", "Codecs of the rendition."),
        // Seek, buffering and quality.
        AttributeDefinition(.seekFromMs, "seek_from_ms", .int, unit: "ms", setBy: "call",
            "Where the seek starts from."),
        AttributeDefinition(.seekToMs, "seek_to_ms", .int, unit: "ms", setBy: "call", "Where the seek goes to."),
        AttributeDefinition(.bufferCause, "buffer_cause", .string, setBy: "call", "`initial`, `seek` or `stall`."),
        AttributeDefinition(.bufferLengthMs, "buffer_length_ms", .int, unit: "ms", setBy: "quality",
            "How much media is buffered ahead."),
        AttributeDefinition(.startupTimeMs, "startup_time_ms", .int, unit: "ms", setBy: "quality",
            "From the wish to play to the first frame."),
        AttributeDefinition(.liveEdgeWallMs, "live_edge_wall_ms", .int, unit: "ms", setBy: "quality",
            "Live: wall clock of the newest media, since 1970."),
        // Network requests.
        AttributeDefinition(.requestURL, "request_url", .string, setBy: "call", "What was asked for."),
        AttributeDefinition(.requestHost, "request_host", .string, setBy: "call", "Host that was asked."),
        AttributeDefinition(.requestType, "request_type", .string, setBy: "call",
            "`manifest`, `video`, `audio`, `video_init`, `audio_init`, `media`, `subtitle`, `encryption` or `api`."),
        AttributeDefinition(.requestID, "request_id", .string, setBy: "call", "Identifier that the server gave."),
        AttributeDefinition(.requestStatus, "request_status", .int, setBy: "call", "HTTP status."),
        AttributeDefinition(.requestBytes, "request_bytes", .int, unit: "B", setBy: "call",
            "Bytes of the answer's body."),
        AttributeDefinition(.requestDurationMs, "request_duration_ms", .int, unit: "ms", setBy: "call",
            "From asking to the last byte."),
        AttributeDefinition(.requestFirstByteMs, "request_first_byte_ms", .int, unit: "ms", setBy: "call",
            "From asking to the first byte."),
        AttributeDefinition(.requestMediaStartMs, "request_media_start_ms", .int, unit: "ms", setBy: "call",
            "Where in the media the segment begins."),
        AttributeDefinition(.requestMediaDurationMs, "request_media_duration_ms", .int, unit: "ms", setBy: "call",
            "How much media the segment holds."),
        AttributeDefinition(.requestBitrateBps, "request_bitrate_bps", .int, unit: "bit/s", setBy: "call",
            "Advertised bitrate of what was asked for."),
        AttributeDefinition(.requestWidth, "request_width", .int, unit: "px", setBy: "call",
            "Width of what was asked for."),
        AttributeDefinition(.requestHeight, "request_height", .int, unit: "px", setBy: "call",
            "Height of what was asked for."),
        // Errors.
        AttributeDefinition(.errorID, "error_id", .string, setBy: "call", "Unique identifier of the error."),
        AttributeDefinition(.errorMessage, "error_message", .string, setBy: "call", "Text for people."),
        AttributeDefinition(.errorDomain, "error_domain", .string, setBy: "call",
            "Part of the software that the code belongs to."),
        AttributeDefinition(.errorCode, "error_code", .int, setBy: "call", "The engine's or server's number."),
        AttributeDefinition(.errorFatal, "error_fatal", .bool, setBy: "call", "Whether playback ends with it."),
        AttributeDefinition(.errorContext, "error_context", .string, setBy: "call",
            "Segment, stack trace or the like."),
        // Application, interruption, consent and unload.
        AttributeDefinition(.customName, "custom_name", .string, setBy: "call", "Name of a custom event."),
        AttributeDefinition(.runningTimeMs, "running_time_ms", .int, unit: "ms", setBy: "call",
            "How long the application ran: on application_terminated."),
        AttributeDefinition(.interruptionReason, "interruption_reason", .string, setBy: "call",
            "`network`, `call`, `alarm`, `lock`, `background`, `channel_change`, `headphones` or another word."),
        AttributeDefinition(.consentScope, "consent_scope", .string, setBy: "call",
            "`all`, or the instance name of one tracker."),
        AttributeDefinition(.consentState, "consent_state", .string, setBy: "call", "`in`, `out` or `pending`."),
        AttributeDefinition(.implicit, "implicit", .bool, setBy: "core",
            "True on an unload that the core inserted before a load."),
        // Added by the core.
        AttributeDefinition(.gapSamples, "gap_samples", .int, setBy: "core",
            "Playhead samples refused before this event."),
        AttributeDefinition(.gapQualitySamples, "gap_quality_samples", .int, setBy: "core",
            "Quality samples refused before this event."),
        AttributeDefinition(.gapEvents, "gap_events", .int, setBy: "core", "Other events refused before this event."),
        AttributeDefinition(.joined, "joined", .bool, setBy: "core",
            "On a snapshot: the session was going on already."),
        AttributeDefinition(.loadedAtMicroseconds, "loaded_at_us", .int, unit: "us", setBy: "core",
            "On a snapshot: run time of the load."),
        AttributeDefinition(.firstPlayAtMicroseconds, "first_play_at_us", .int, unit: "us", setBy: "core",
            "On a snapshot: run time of the session's first play."),
        AttributeDefinition(.plugin, "plugin", .string, setBy: "core", "Instance name, on control events."),
        AttributeDefinition(.pluginVersion, "plugin_version", .string, setBy: "core", "Its version."),
        AttributeDefinition(.pluginSha256, "plugin_sha256", .string, setBy: "core", "Hash of its file."),
        AttributeDefinition(.cause, "cause", .string, setBy: "core",
            "`operator`, `file`, `configuration`, `time_budget` or `crash`."),
        AttributeDefinition(.configuration, "configuration", .string, setBy: "core",
            "JSON text of a new configuration."),
        AttributeDefinition(.stepMicroseconds, "step_us", .int, unit: "us", setBy: "core",
            "By how much the wall clock was set, or how long the machine slept."),
        AttributeDefinition(.pluginID, "plugin_id", .string, setBy: "core",
            "Id of a plugin that joined or took another's place."),
        AttributeDefinition(.pluginEnabled, "plugin_enabled", .bool, setBy: "core",
            "Whether a plugin that joined is enabled."),
        AttributeDefinition(.pluginStored, "plugin_stored", .string, setBy: "core",
            "Persistent values that a plugin began with, JSON text."),
        AttributeDefinition(.pluginCommand, "plugin_command", .string, setBy: "core", "Name of a command."),
        AttributeDefinition(.pluginArguments, "plugin_arguments", .string, setBy: "core",
            "JSON text of a command's arguments."),
        AttributeDefinition(.pluginReplacement, "plugin_replacement", .string, setBy: "core",
            "`replayed` or `joined`: how a tracker took another's place."),
    ]
}
