extension AttributeDefinition {
    /// Every well-known attribute in the order of its number.
    public static let all: [AttributeDefinition] = [
        // Video information, read at video_load and metadata_change.
        AttributeDefinition(
            .videoID,
            "video_id",
            .string,
            setBy: "video",
            "Identifier of the asset."
        ),
        AttributeDefinition(
            .videoName,
            "video_name",
            .string,
            setBy: "video",
            "Title for people."
        ),
        AttributeDefinition(
            .videoURL,
            "video_url",
            .string,
            setBy: "video",
            "Where the media comes from."
        ),
        AttributeDefinition(
            .playerName,
            "player_name",
            .string,
            setBy: "video",
            "Name of the player that shows the main content."
        ),
        AttributeDefinition(
            .playerVersion,
            "player_version",
            .string,
            setBy: "video",
            "Version of that player."
        ),
        AttributeDefinition(
            .streamType,
            "stream_type",
            .string,
            setBy: "video",
            "`vod`, `live` or `linear`."
        ),
        AttributeDefinition(
            .videoLanguage,
            "video_language",
            .string,
            setBy: "video",
            "BCP 47 tag of the main audio."
        ),
        AttributeDefinition(
            .videoMimeType,
            "video_mime_type",
            .string,
            setBy: "video",
            "Media type."
        ),
        AttributeDefinition(
            .videoCodec,
            "video_codec",
            .string,
            setBy: "video",
            "Video codec, RFC 6381 where known."
        ),
        AttributeDefinition(
            .audioCodec,
            "audio_codec",
            .string,
            setBy: "video",
            "Audio codec, RFC 6381 where known."
        ),
        AttributeDefinition(
            .videoCDN,
            "video_cdn",
            .string,
            setBy: "video",
            "Name of the content delivery network."
        ),
        AttributeDefinition(
            .autoplay,
            "autoplay",
            .bool,
            setBy: "video",
            "Whether playback starts without the viewer asking."
        ),
        AttributeDefinition(
            .applicationName,
            "application_name",
            .string,
            setBy: "video",
            "Application around the player."
        ),
        AttributeDefinition(
            .applicationVersion,
            "application_version",
            .string,
            setBy: "video",
            "Its version."
        ),
        AttributeDefinition(
            .userID,
            "user_id",
            .string,
            setBy: "video",
            personal: true,
            "Who watches, as the application names them."
        ),
        AttributeDefinition(
            .playerLanguage,
            "player_language",
            .string,
            setBy: "video",
            "BCP 47 tag of the player's user interface."
        ),
        // Ad break information, read at ad_break_start, ad_start and seek_complete.
        AttributeDefinition(
            .adBreakID,
            "ad_break_id",
            .string,
            setBy: "ad break",
            "Identifier of the break."
        ),
        AttributeDefinition(
            .adBreakName,
            "ad_break_name",
            .string,
            setBy: "ad break",
            "Name of the break."
        ),
        AttributeDefinition(
            .adBreakPosition,
            "ad_break_position",
            .int,
            setBy: "ad break",
            "Index of the break in the main content, from 1."
        ),
        AttributeDefinition(
            .adBreakStartMs,
            "ad_break_start_ms",
            .int,
            unit: "ms",
            setBy: "ad break",
            "Where in the main content the break lies."
        ),
        AttributeDefinition(
            .adBreakType,
            "ad_break_type",
            .string,
            setBy: "ad break",
            "`pre`, `mid` or `post`."
        ),
        AttributeDefinition(
            .adBreakPlayerName,
            "ad_break_player_name",
            .string,
            setBy: "ad break",
            "Name of the player that shows the break."
        ),
        // Ad information, read at ad_start and seek_complete.
        AttributeDefinition(
            .adID,
            "ad_id",
            .string,
            setBy: "ad",
            "Identifier of the ad."
        ),
        AttributeDefinition(
            .adName,
            "ad_name",
            .string,
            setBy: "ad",
            "Title for people."
        ),
        AttributeDefinition(
            .adDurationMs,
            "ad_duration_ms",
            .int,
            unit: "ms",
            setBy: "ad",
            "Length of the ad."
        ),
        AttributeDefinition(
            .adPosition,
            "ad_position",
            .int,
            setBy: "ad",
            "Index of the ad in its break, from 1."
        ),
        AttributeDefinition(
            .adCPM,
            "ad_cpm",
            .string,
            setBy: "ad",
            "Price per thousand, as the ad server gives it."
        ),
        AttributeDefinition(
            .adURL,
            "ad_url",
            .string,
            setBy: "ad",
            "Where the creative comes from."
        ),
        AttributeDefinition(
            .adLanguage,
            "ad_language",
            .string,
            setBy: "ad",
            "BCP 47 tag."
        ),
        AttributeDefinition(
            .adCreativeID,
            "ad_creative_id",
            .string,
            setBy: "ad",
            "Identifier of the creative."
        ),
        AttributeDefinition(
            .adUniversalID,
            "ad_universal_id",
            .string,
            setBy: "ad",
            "Universal ad identifier."
        ),
        AttributeDefinition(
            .adPartner,
            "ad_partner",
            .string,
            setBy: "ad",
            "Ad system or partner."
        ),
        AttributeDefinition(
            .adTagURL,
            "ad_tag_url",
            .string,
            setBy: "ad",
            "Address that the ad was requested from."
        ),
        AttributeDefinition(
            .adClickURL,
            "ad_click_url",
            .string,
            setBy: "ad",
            "Where a click leads."
        ),
        AttributeDefinition(
            .adSkipAfterMs,
            "ad_skip_after_ms",
            .int,
            unit: "ms",
            setBy: "ad",
            "When the ad may be skipped; absent when never."
        ),
        AttributeDefinition(
            .adQuartile,
            "ad_quartile",
            .int,
            setBy: "call",
            "1, 2 or 3: on ad_quartile."
        ),
        // Chapter information, read at chapter_start and seek_complete.
        AttributeDefinition(
            .chapterName,
            "chapter_name",
            .string,
            setBy: "chapter",
            "Title for people."
        ),
        AttributeDefinition(
            .chapterPosition,
            "chapter_position",
            .int,
            setBy: "chapter",
            "Index in the main content, from 1."
        ),
        AttributeDefinition(
            .chapterStartMs,
            "chapter_start_ms",
            .int,
            unit: "ms",
            setBy: "chapter",
            "Where in the main content the chapter begins."
        ),
        AttributeDefinition(
            .chapterDurationMs,
            "chapter_duration_ms",
            .int,
            unit: "ms",
            setBy: "chapter",
            "Length of the chapter."
        ),
        // Rendition change.
        AttributeDefinition(
            .renditionPhase,
            "rendition_phase",
            .string,
            setBy: "call",
            "`decided` when the player chose it, `visible` when it is on screen."
        ),
        AttributeDefinition(
            .renditionCause,
            "rendition_cause",
            .string,
            setBy: "call",
            "`automatic` or `manual`."
        ),
        AttributeDefinition(
            .renditionShift,
            "rendition_shift",
            .string,
            setBy: "call",
            "`up`, `down` or `same`, against the one before."
        ),
        AttributeDefinition(
            .renditionName,
            "rendition_name",
            .string,
            setBy: "call",
            "Name of the rendition."
        ),
        AttributeDefinition(
            .renditionBitrateBps,
            "rendition_bitrate_bps",
            .int,
            unit: "bit/s",
            setBy: "call",
            "Advertised bitrate."
        ),
        AttributeDefinition(
            .renditionWidth,
            "rendition_width",
            .int,
            unit: "px",
            setBy: "call",
            "Width of the picture."
        ),
        AttributeDefinition(
            .renditionHeight,
            "rendition_height",
            .int,
            unit: "px",
            setBy: "call",
            "Height of the picture."
        ),
        AttributeDefinition(
            .renditionFpsMilli,
            "rendition_fps_milli",
            .int,
            unit: "1/1000 frame/s",
            setBy: "call",
            "Frames per second in thousandths."
        ),
        AttributeDefinition(
            .renditionCodec,
            "rendition_codec",
            .string,
            setBy: "call",
            "Codecs of the rendition."
        ),
        // Seek, buffering and quality.
        AttributeDefinition(
            .seekFromMs,
            "seek_from_ms",
            .int,
            unit: "ms",
            setBy: "call",
            "Where the seek starts from."
        ),
        AttributeDefinition(
            .seekToMs,
            "seek_to_ms",
            .int,
            unit: "ms",
            setBy: "call",
            "Where the seek goes to."
        ),
        AttributeDefinition(
            .bufferCause,
            "buffer_cause",
            .string,
            setBy: "call",
            "`initial`, `seek` or `stall`."
        ),
        AttributeDefinition(
            .bufferLengthMs,
            "buffer_length_ms",
            .int,
            unit: "ms",
            setBy: "quality",
            "How much media is buffered ahead."
        ),
        AttributeDefinition(
            .startupTimeMs,
            "startup_time_ms",
            .int,
            unit: "ms",
            setBy: "quality",
            "From the wish to play to the first frame."
        ),
        // Network requests.
        AttributeDefinition(
            .requestURL,
            "request_url",
            .string,
            setBy: "call",
            "What was asked for."
        ),
        AttributeDefinition(
            .requestHost,
            "request_host",
            .string,
            setBy: "call",
            "Host that was asked."
        ),
        AttributeDefinition(
            .requestType,
            "request_type",
            .string,
            setBy: "call",
            "`manifest`, `video`, `audio`, `video_init`, `audio_init`, `media`, `subtitle`, `encryption` or `api`."
        ),
        AttributeDefinition(
            .requestID,
            "request_id",
            .string,
            setBy: "call",
            "Identifier that the server gave."
        ),
        AttributeDefinition(
            .requestStatus,
            "request_status",
            .int,
            setBy: "call",
            "HTTP status."
        ),
        AttributeDefinition(
            .requestBytes,
            "request_bytes",
            .int,
            unit: "B",
            setBy: "call",
            "Bytes of the answer's body."
        ),
        AttributeDefinition(
            .requestDurationMs,
            "request_duration_ms",
            .int,
            unit: "ms",
            setBy: "call",
            "From asking to the last byte."
        ),
        AttributeDefinition(
            .requestFirstByteMs,
            "request_first_byte_ms",
            .int,
            unit: "ms",
            setBy: "call",
            "From asking to the first byte."
        ),
        AttributeDefinition(
            .requestMediaStartMs,
            "request_media_start_ms",
            .int,
            unit: "ms",
            setBy: "call",
            "Where in the media the segment begins."
        ),
        AttributeDefinition(
            .requestMediaDurationMs,
            "request_media_duration_ms",
            .int,
            unit: "ms",
            setBy: "call",
            "How much media the segment holds."
        ),
        AttributeDefinition(
            .requestBitrateBps,
            "request_bitrate_bps",
            .int,
            unit: "bit/s",
            setBy: "call",
            "Advertised bitrate of what was asked for."
        ),
        AttributeDefinition(
            .requestWidth,
            "request_width",
            .int,
            unit: "px",
            setBy: "call",
            "Width of what was asked for."
        ),
        AttributeDefinition(
            .requestHeight,
            "request_height",
            .int,
            unit: "px",
            setBy: "call",
            "Height of what was asked for."
        ),
        // Errors.
        AttributeDefinition(
            .errorID,
            "error_id",
            .string,
            setBy: "call",
            "Unique identifier of the error."
        ),
        AttributeDefinition(
            .errorMessage,
            "error_message",
            .string,
            setBy: "call",
            "Text for people."
        ),
        AttributeDefinition(
            .errorDomain,
            "error_domain",
            .string,
            setBy: "call",
            "Part of the software that the code belongs to."
        ),
        AttributeDefinition(
            .errorCode,
            "error_code",
            .int,
            setBy: "call",
            "The engine's or server's number."
        ),
        AttributeDefinition(
            .errorFatal,
            "error_fatal",
            .bool,
            setBy: "call",
            "Whether playback ends with it."
        ),
        AttributeDefinition(
            .errorContext,
            "error_context",
            .string,
            setBy: "call",
            "Segment, stack trace or the like."
        ),
        // Application, interruption, consent and unload.
        AttributeDefinition(
            .customName,
            "custom_name",
            .string,
            setBy: "call",
            "Name of a custom event."
        ),
        AttributeDefinition(
            .runningTimeMs,
            "running_time_ms",
            .int,
            unit: "ms",
            setBy: "call",
            "How long the application ran: on application_terminated."
        ),
        AttributeDefinition(
            .interruptionReason,
            "interruption_reason",
            .string,
            setBy: "call",
            "`network`, `call`, `alarm`, `lock`, `background`, `channel_change`, `headphones` or another word."
        ),
        AttributeDefinition(
            .consentScope,
            "consent_scope",
            .string,
            setBy: "call",
            "`all`, or the instance name of one tracker."
        ),
        AttributeDefinition(
            .consentState,
            "consent_state",
            .string,
            setBy: "call",
            "`in`, `out` or `pending`."
        ),
        AttributeDefinition(
            .implicit,
            "implicit",
            .bool,
            setBy: "core",
            "True on an unload that the core inserted before a load."
        ),
        // Added by the core.
        AttributeDefinition(
            .gapSamples,
            "gap_samples",
            .int,
            setBy: "core",
            "Playhead samples refused before this event."
        ),
        AttributeDefinition(
            .gapQualitySamples,
            "gap_quality_samples",
            .int,
            setBy: "core",
            "Quality samples refused before this event."
        ),
        AttributeDefinition(
            .gapEvents,
            "gap_events",
            .int,
            setBy: "core",
            "Other events refused before this event."
        ),
        AttributeDefinition(
            .joined,
            "joined",
            .bool,
            setBy: "core",
            "On a snapshot: the session was going on already."
        ),
        AttributeDefinition(
            .loadedAtMicroseconds,
            "loaded_at_us",
            .int,
            unit: "us",
            setBy: "core",
            "On a snapshot: run time of the load."
        ),
        AttributeDefinition(
            .firstPlayAtMicroseconds,
            "first_play_at_us",
            .int,
            unit: "us",
            setBy: "core",
            "On a snapshot: run time of the session's first play."
        ),
        AttributeDefinition(
            .plugin,
            "plugin",
            .string,
            setBy: "core",
            "Instance name, on control events."
        ),
        AttributeDefinition(
            .pluginVersion,
            "plugin_version",
            .string,
            setBy: "core",
            "Its version."
        ),
        AttributeDefinition(
            .pluginSha256,
            "plugin_sha256",
            .string,
            setBy: "core",
            "Hash of its file."
        ),
        AttributeDefinition(
            .cause,
            "cause",
            .string,
            setBy: "core",
            "`operator`, `file`, `configuration`, `time_budget` or `crash`."
        ),
        AttributeDefinition(
            .configuration,
            "configuration",
            .string,
            setBy: "core",
            "JSON text of a new configuration."
        ),
        AttributeDefinition(
            .stepMicroseconds,
            "step_us",
            .int,
            unit: "us",
            setBy: "core",
            "By how much the wall clock was set, or how long the machine slept."
        ),
        AttributeDefinition(
            .pluginID,
            "plugin_id",
            .string,
            setBy: "core",
            "Id of a plugin that joined or took another's place."
        ),
        AttributeDefinition(
            .pluginEnabled,
            "plugin_enabled",
            .bool,
            setBy: "core",
            "Whether a plugin that joined is enabled."
        ),
        AttributeDefinition(
            .pluginStored,
            "plugin_stored",
            .string,
            setBy: "core",
            "Persistent values that a plugin began with, JSON text."
        ),
        AttributeDefinition(
            .pluginCommand,
            "plugin_command",
            .string,
            setBy: "core",
            "Name of a command."
        ),
        AttributeDefinition(
            .pluginArguments,
            "plugin_arguments",
            .string,
            setBy: "core",
            "JSON text of a command's arguments."
        ),
    ]
}
