internal import EventModel

/// What of a session a span is of.
package enum SpanKind: String, Sendable, CaseIterable {
    case session
    case adBreak = "ad_break"
    case ad
    case chapter
    case stall
    case seek
    case request

    /// The span's name.
    package var name: String { "media.\(rawValue)" }

    /// Which events begin one and end it, as the page says it.
    package var course: String {
        switch self {
        case .session: "From `video_load` to the session's end."
        case .adBreak: "From `ad_break_start` to `ad_break_complete`."
        case .ad: "From `ad_start` to `ad_complete` or `ad_skip`, or to an `ad_error` that ends the ad."
        case .chapter: "From `chapter_start` to `chapter_complete` or `chapter_skip`."
        case .stall: "From `buffer_start` to `buffer_complete`, whatever the wait's cause."
        case .seek: "From the first `seek_start` to `seek_complete`; seeks in between are part of it."
        case .request:
            "Ends at `request_completed`, `request_failed` or `request_cancelled`, and begins `request_duration_ms` "
                + "before."
        }
    }
}

/// An attribute that says something of media, said once: what is sent, the page and the tests are made of this.
package struct MediaAttribute: Sendable {
    /// What a value is.
    package enum Kind: String, Sendable {
        case text = "string"
        case integer = "int"
        case truth = "boolean"
    }

    /// How sure a receiver can be of it.
    package enum Level: String, Sendable {
        case required = "Required"
        /// Whenever the player says it.
        case recommended = "Recommended"
        case optIn = "Opt-In"
    }

    /// Its name.
    package let name: String
    /// What its values are.
    package let kind: Kind
    /// Its unit, as UCUM writes it; empty where it has none.
    package let unit: String
    /// How sure a receiver can be of it.
    package let level: Level
    /// The spans that have it; empty for what others have alone.
    package let spans: [SpanKind]
    /// What it means, in a sentence.
    package let meaning: String
    /// What of Tally's it comes from, as the page names it.
    package let source: String
    /// The attribute of events that it is; empty for what is made.
    package let attribute: String
    let key: AttributeKey

    private init(
        _ name: String,
        _ kind: Kind,
        unit: String = "",
        level: Level = .recommended,
        on spans: [SpanKind] = [],
        from source: String,
        attribute: StaticString = "",
        meaning: String
    ) {
        (self.name, self.kind, self.unit, self.level) = (name, kind, unit, level)
        (self.spans, self.source, self.attribute, self.meaning) = (spans, source, "\(attribute)", meaning)
        key = AttributeNames.key(named: UTF8Text(attribute))
        assert(self.attribute.isEmpty || key != .none, "the vocabulary has no \(attribute)")
    }

    static let session = made(
        "media.session.id",
        .text,
        on: [.session],
        "Session: its run's id, a slash and its number.",
        "`run/session`"
    )
    static let number = made(
        "media.session.number",
        .integer,
        on: [.session],
        "Number of the session in its run, from 1.",
        "`session`"
    )
    static let incomplete = MediaAttribute(
        "media.span.incomplete",
        .truth,
        on: SpanKind.allCases.filter { $0 != .request },
        from: "no event",
        meaning: "True where no event began or ended it: it was under way, or what it is part of ended."
    )
    static let recordID = made("media.record.id", .text, "What names a record for ever: run, instance, number.", "`n`")
    static let recordKind = made(
        "media.record.kind",
        .text,
        "What kind of record it is, in the tracker's words.",
        "`kind`"
    )
    static let instance = made("media.tracker.name", .text, "Configured name of the tracker.", "`instance`")
    static let eventNumber = made("media.event.number", .integer, "Number of the event in its run.", "`n`")
    static let endReason = MediaAttribute(
        "media.session.end_reason",
        .text,
        level: .required,
        on: [.session],
        from: "metric `end_reason`",
        meaning: "How the session ended, in a word."
    )
    static let outcome = MediaAttribute(
        "media.outcome",
        .text,
        on: [.ad, .chapter, .request],
        from: "the event that ends it",
        meaning: "`completed`, `skipped`, `failed` or `cancelled`."
    )
    static let seekCount = MediaAttribute(
        "media.seek.count",
        .integer,
        on: [.seek],
        from: "`seek_start`",
        meaning: "How many seeks began before one was complete."
    )

    private static func made(
        _ name: String,
        _ kind: Kind,
        on spans: [SpanKind] = [],
        _ meaning: String,
        _ source: String
    ) -> MediaAttribute {
        MediaAttribute(name, kind, level: .required, on: spans, from: source, meaning: meaning)
    }

    /// Attributes that are one of the video information: on the session's span, and with metrics if they are asked for.
    private static let video = [
        video("media.asset.id", "video_id", "Identifier of the asset."),
        video("media.asset.title", "video_name", "Title for people."),
        video("media.stream.type", "stream_type", "`vod`, `live` or `linear`."),
        video("media.cdn.name", "video_cdn", "Name of the content delivery network."),
        video("media.player.name", "player_name", "Name of the player that shows the main content."),
        video("media.player.version", "player_version", "Version of that player."),
        video("media.application.name", "application_name", "Application around the player."),
        video("media.application.version", "application_version", "Its version."),
        video("media.asset.language", "video_language", "BCP 47 tag of the main audio."),
        video("media.asset.mime_type", "video_mime_type", "Media type."),
        video("media.video.codec", "video_codec", "Video codec, RFC 6381 where known."),
        video("media.audio.codec", "audio_codec", "Audio codec, RFC 6381 where known."),
    ]

    private static func video(_ name: String, _ key: StaticString, _ meaning: String) -> MediaAttribute {
        MediaAttribute(name, .text, on: [.session], from: "`\(key)`", attribute: key, meaning: meaning)
    }

    private static func event(
        _ name: String,
        _ kind: Kind,
        _ unit: String = "",
        on span: SpanKind,
        _ key: StaticString,
        _ meaning: String
    ) -> MediaAttribute {
        MediaAttribute(name, kind, unit: unit, on: [span], from: "`\(key)`", attribute: key, meaning: meaning)
    }

    private static let spanned = [
        event("media.ad_break.id", .text, on: .adBreak, "ad_break_id", "Identifier of the break."),
        event("media.ad_break.type", .text, on: .adBreak, "ad_break_type", "`pre`, `mid` or `post`."),
        event("media.ad_break.position", .integer, on: .adBreak, "ad_break_position", "Index of the break, from 1."),
        event("media.ad.id", .text, on: .ad, "ad_id", "Identifier of the ad."),
        event("media.ad.title", .text, on: .ad, "ad_name", "Title for people."),
        event("media.ad.position", .integer, on: .ad, "ad_position", "Index of the ad in its break, from 1."),
        event("media.ad.length", .integer, "ms", on: .ad, "ad_duration_ms", "Length of the ad."),
        event("media.ad.creative.id", .text, on: .ad, "ad_creative_id", "Identifier of the creative."),
        event("media.chapter.title", .text, on: .chapter, "chapter_name", "Title for people."),
        event("media.chapter.position", .integer, on: .chapter, "chapter_position", "Index in the content, from 1."),
        event(
            "media.chapter.start",
            .integer,
            "ms",
            on: .chapter,
            "chapter_start_ms",
            "Where in the content it begins."
        ),
        event("media.chapter.length", .integer, "ms", on: .chapter, "chapter_duration_ms", "Length of the chapter."),
        event("media.stall.cause", .text, on: .stall, "buffer_cause", "`initial`, `seek`, `stall` or `frozen`."),
        event("media.seek.from", .integer, "ms", on: .seek, "seek_from_ms", "Where the first seek starts from."),
        event("media.seek.to", .integer, "ms", on: .seek, "seek_to_ms", "Where the last seek goes to."),
        event("media.request.type", .text, on: .request, "request_type", "What was asked for, such as `manifest`."),
        event("media.request.host", .text, on: .request, "request_host", "Host that was asked."),
        event("media.request.status", .integer, on: .request, "request_status", "HTTP status."),
        event("media.request.bytes", .integer, "By", on: .request, "request_bytes", "Bytes of the answer's body."),
        event("media.request.first_byte", .integer, "ms", on: .request, "request_first_byte_ms", "To the first byte."),
        event("media.request.bitrate", .integer, "bit/s", on: .request, "request_bitrate_bps", "Advertised bitrate."),
    ]

    /// All attributes, in the order of the page.
    package static let all =
        [session, number, endReason] + video + spanned
        + [outcome, seekCount, incomplete, recordID, recordKind, instance, eventNumber]

    /// What an attribute without a name here is called.
    static func custom(_ name: String) -> String { "media.custom.\(name)" }

    /// What a dimension of metrics is called: an attribute of the video information, or the rendition.
    static func name(ofDimension dimension: String) -> String {
        if dimension == "rendition" { return "media.rendition.name" }
        return video.first { $0.attribute == dimension }?.name ?? custom(dimension)
    }

    /// Those that a span has of the event that begins or ends it.
    static func read(on span: SpanKind) -> [MediaAttribute] { bySpan[span] ?? [] }

    private static let bySpan = Dictionary(
        uniqueKeysWithValues: SpanKind.allCases.map { span in
            (span, all.filter { !$0.attribute.isEmpty && $0.spans.contains(span) })
        }
    )
}
