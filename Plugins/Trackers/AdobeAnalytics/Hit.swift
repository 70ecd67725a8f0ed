/// One call to the Analytics server: variables, and context data under `a.`.
struct Hit {
    /// What it opens.
    enum Kind {
        /// The viewing of a video.
        case videoStart
        /// The viewing of an ad.
        case adStart

        /// The record's kind.
        var name: StaticString { self == .videoStart ? "video_start" : "ad_start" }
        /// The variable `pe`.
        var event: StaticString { self == .videoStart ? "ms_s" : "msa_s" }
        /// The variable `pev3`, which is also `a.contentType`.
        var content: StaticString { self == .videoStart ? "video" : "videoAd" }
    }

    /// A value of the context data.
    enum Value {
        case text(String)
        case number(Int64)
    }

    let kind: Kind
    /// When it happened, s since 1970.
    let epochSeconds: Int64
    /// Who watches, as the application names them.
    let viewer: String
    /// Context data under `a.media.`.
    let media: [(name: String, value: Value)]
    /// Context data under `a.media.ad.`.
    let ad: [(name: String, value: Value)]
}
