/// A stream that is written over parts of real media, and what becomes of a session with it.
struct StreamForm {
    /// The file that is opened.
    let entry: String
    /// What is written besides the media, by name; the entry is one of these, or media itself.
    var files: [String: String] = [:]
    /// Whether it is a file on this machine.
    var isLocal = false
    /// How much is played; nil when it is not played to its end.
    var playedMs: Int64?
    /// Whether pictures are shown; nil when that depends on how fast the machine is.
    var isShown: Bool? = true
    /// The errors in their order; the last one is fatal when the stream is not played to its end.
    var errors: [String] = []
    /// A part of what the last error says.
    var reason = ""
    /// A warning on standard error.
    var warning = ""
    /// What its servers are asked for and give, among others.
    var asked: [String] = []
    /// The events of breaks that it marks.
    var ads: [String] = []

    /// A media playlist over parts of half a second in fragmented MP4, with lines before some of them.
    init(
        _ entry: String,
        parts: [String] = ["part0-1", "part0-2", "part0-3", "part0-4"],
        head: String = "",
        before: [Int: String] = [:]
    ) {
        self.entry = entry
        files[entry] = Self.playlist(parts, head: head, before: before)
        playedMs = 2000
    }

    /// Anything else.
    init(_ entry: String, files: [String: String]) {
        self.entry = entry
        self.files = files
    }

    func with(_ change: (inout StreamForm) -> Void) -> StreamForm {
        var form = self
        change(&form)
        return form
    }

    /// The same stream, which ends with an error instead.
    func failing(_ code: String, _ reason: String, isShown: Bool? = false) -> StreamForm {
        with { form in
            form.playedMs = nil
            form.isShown = isShown
            form.errors = [code]
            form.reason = reason
        }
    }

    // MARK: - HLS

    static func playlist(
        _ parts: [String],
        initialization: String = "init0.mp4",
        head: String = "",
        before: [Int: String] = [:]
    ) -> String {
        let lines = parts.enumerated().map { (before[$0] ?? "") + "#EXTINF:0.5,\n\($1).m4s\n" }
        return "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n\(head)#EXT-X-MAP:URI=\"\(initialization)\"\n"
            + lines.joined() + "#EXT-X-ENDLIST\n"
    }

    /// A master playlist of variants: what each says besides size and bitrate, and its media playlist.
    static func master(_ head: String, _ variants: [(attributes: String, list: String)]) -> String {
        "#EXTM3U\n\(head)"
            + variants.map { "#EXT-X-STREAM-INF:BANDWIDTH=250000,RESOLUTION=320x180\($0)\n\($1)\n" }.joined()
    }

    // MARK: - DASH

    /// A manifest of periods of a second, with the beginning of each one's media and what it says besides.
    static func manifest(_ periods: [(prefix: String, head: String)]) -> String {
        let texts = periods.enumerated().map { index, period in
            "<Period id=\"\(index)\" start=\"PT\(index)S\" duration=\"PT1S\">\(period.head)"
                + [0, 1].map { set($0, template(period.prefix, $0, " duration=\"500000\"") + "/>") }.joined()
                + "</Period>"
        }
        return mpd("type=\"static\" mediaPresentationDuration=\"PT\(periods.count)S\"", texts.joined())
    }

    /// That of a live stream whose segments are timed one by one, and which began at a date.
    static func timeline(since date: String) -> String {
        let times = (0..<8).map { "<S t=\"\($0 * 500_000)\" d=\"500000\"/>" }.joined()
        let sets = [0, 1].map { number in
            set(number, template("", number, "") + "><SegmentTimeline>\(times)</SegmentTimeline></SegmentTemplate>")
        }
        return mpd(
            "type=\"dynamic\" availabilityStartTime=\"\(date)\" minimumUpdatePeriod=\"PT2S\"",
            "<Period id=\"0\" start=\"PT0S\">\(sets.joined())</Period>"
        )
    }

    private static func mpd(_ attributes: String, _ periods: String) -> String {
        "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" minBufferTime=\"PT0.5S\""
            + " profiles=\"urn:mpeg:dash:profile:isoff-live:2011\" \(attributes)>\(periods)</MPD>\n"
    }

    private static func template(_ prefix: String, _ number: Int, _ attributes: String) -> String {
        "<SegmentTemplate timescale=\"1000000\"\(attributes) initialization=\"\(prefix)init\(number).mp4\""
            + " media=\"\(prefix)part\(number)-$Number$.m4s\" startNumber=\"1\""
    }

    private static func set(_ number: Int, _ template: String) -> String {
        let form = [
            "mimeType=\"video/mp4\" codecs=\"avc1.42c00d\" bandwidth=\"200000\" width=\"320\" height=\"180\"",
            "mimeType=\"audio/mp4\" codecs=\"mp4a.40.2\" bandwidth=\"32000\" audioSamplingRate=\"48000\"",
        ]
        return "<AdaptationSet id=\"\(number)\"><Representation id=\"\(number)\" \(form[number])>\(template)"
            + "</Representation></AdaptationSet>"
    }
}
