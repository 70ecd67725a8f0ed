extension AttributeDefinition {
    /// Rendition change.
    static let rendition: [AttributeDefinition] = [
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
    ]

    /// Seek, buffering and quality.
    static let playback: [AttributeDefinition] = [
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
        AttributeDefinition(
            .liveEdgeWallMs,
            "live_edge_wall_ms",
            .int,
            unit: "ms",
            setBy: "quality",
            "Live: wall clock of the newest media, since 1970."
        ),
    ]

    /// Network requests.
    static let network: [AttributeDefinition] = [
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
    ]
}
