extension AttributeDefinition {
    /// Video information, read at video_load and metadata_change.
    static let video: [AttributeDefinition] = [
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
    ]

    /// Ad break information, read at ad_break_start, ad_start and seek_complete.
    static let adBreak: [AttributeDefinition] = [
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
    ]

    /// Ad information, read at ad_start and seek_complete.
    static let ad: [AttributeDefinition] = [
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
    ]

    /// Chapter information, read at chapter_start and seek_complete.
    static let chapter: [AttributeDefinition] = [
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
    ]
}
