internal import ChildPrograms
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Forms in which streams are published, each with real media: how a session with it ends, and what is told.
struct StreamFormTests {
    /// A stream that a player plays, or several of which none lasts, one after another.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let forms: [StreamForm]
        var arguments: [String] = []
    }

    private let folder = TemporaryFolder()

    @Test("A stream that is published in such a form is played, or ends with what is the matter", arguments: rows)
    func forms(row: Row) async throws {
        for media in [StreamMedia.dashParts, .transport, .protected] { try media.copy(into: folder) }
        for (name, text) in row.forms.flatMap(\.files) { _ = folder.write(name, text) }
        var serving = ServerConfiguration(root: folder.path)
        serving.faults = [FaultRule(PathPattern("/busy*"), Faults(status: 503))]
        let server = try LoopbackServer(serving)
        defer { server.stop() }
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run(
            row.forms.map { $0.isLocal ? folder.file($0.entry) : server.url(of: $0.entry) }
                + ["--archive", archive, "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1"]
                + row.arguments
        )
        let run = try RecordedRun(archive)
        #expect(run.end == "drained" && run.lines.allSatisfy { $0["flags"] == nil })
        try #require(run.sessions.count == row.forms.count, "\(result.errors)")
        for (session, form) in zip(run.sessions, row.forms) { check(session, form, result) }
        // Playlists are looked at once more, and so is what is looked for before it is asked for.
        for (path, requests) in Dictionary(grouping: server.requests, by: \.path) {
            #expect(requests.count <= 3 * row.forms.count, "\(path) is asked for \(requests.count) times")
        }
    }

    private func check(_ session: RecordedRun, _ form: StreamForm, _ result: ChildProgram.Outcome) {
        let errors = session.events("player_error")
        #expect(errors.map { $0.attribute("error_id")?.string } == form.errors, "\(form.entry): \(result.errors)")
        #expect(
            errors.last?.attribute("error_message")?.string?.contains(form.reason) ?? form.reason.isEmpty,
            "\(form.entry): \(result.errors)"
        )
        #expect(errors.last?.attribute("error_fatal") != .bool(form.playedMs != nil), "\(form.entry)")
        #expect(form.isShown.map { $0 == (session.event("first_frame") != nil) } ?? true, "\(form.entry)")
        #expect(session.names.filter { $0.hasPrefix("ad_") } == form.ads, "\(form.entry)")
        let answered = session.events("request_completed").compactMap { $0.attribute("request_url")?.string }
        #expect(form.asked.allSatisfy { name in answered.contains { $0.hasSuffix("/\(name).m4s") } }, "\(form.entry)")
        #expect(form.warning.isEmpty || result.errors.contains("warning: " + form.warning), "\(result.errors)")
        #expect((session.event("complete") != nil) == (form.playedMs != nil), "\(form.entry): \(session)")
        guard let playedMs = form.playedMs else { return }
        let place = session.lines.compactMap { $0.state("playhead_ms")?.int }.max() ?? -1
        let duration = session.lines.compactMap { $0.state("duration_ms")?.int }.last ?? -1
        // Durations of manifests are rounded.
        let isKnown = place <= duration + 100
        #expect((playedMs - 100...playedMs + 100).contains(place) && isKnown, "\(form.entry): \(place) of \(duration)")
    }
}

// MARK: - What is published

extension StreamFormTests {
    private static let parts = ["part0-1", "part0-2", "part0-3", "part0-4"]

    private static func media(_ group: String) -> String {
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\(group)\",NAME=\"en\",LANGUAGE=\"en\",DEFAULT=YES,URI=\"\(group).m3u8\"\n"
    }

    private static func key(_ attributes: String) -> String { "#EXT-X-KEY:METHOD=\(attributes)\n" }

    private static let fairPlay = key(
        "SAMPLE-AES,URI=\"skd://key\",KEYFORMAT=\"com.apple.streamingkeydelivery\",KEYFORMATVERSIONS=\"1\""
    )
    private static let protection =
        "<ContentProtection schemeIdUri=\"urn:mpeg:dash:mp4protection:2011\" value=\"cenc\"/>"
    private static let events =
        "<EventStream schemeIdUri=\"urn:scte:scte35:2013:xml\"><Event presentationTime=\"1\" duration=\"1\"/></EventStream>"

    private static let groups = StreamForm(
        "groups.m3u8",
        files: [
            "groups.m3u8": StreamForm.master(
                media("low") + media("high"),
                [(",AUDIO=\"low\"", "a.m3u8"), (",FRAME-RATE=25,AUDIO=\"high\"", "b.m3u8")]
            ), "a.m3u8": StreamForm.playlist(parts), "b.m3u8": StreamForm.playlist(parts),
            "low.m3u8": sound, "high.m3u8": sound,
        ]
    ).with {
        $0.playedMs = 2000
        $0.asked = ["part0-1", "part1-1", "part1-4"]
    }
    private static let sound = StreamForm.playlist(
        ["part1-1", "part1-2", "part1-3", "part1-4"],
        initialization: "init1.mp4"
    )

    private static let shown: [StreamForm] = [
        groups,
        StreamForm("twice.m3u8", parts: ["part0-1", "part0-2", "part0-2", "part0-3", "part0-4"]),
        StreamForm("gap.m3u8", parts: ["part0-1", "gap", "part0-3", "part0-4"], before: [1: "#EXT-X-GAP\n"]).with {
            $0.errors = ["segment_missing"]
            $0.reason = "gap.m4s is marked as a gap"
        },
    ]

    /// The first of two variants that are the same lacks segments, the last one too, or its playlist.
    private static let redundant: [StreamForm] = [
        StreamForm("parts.m3u8", parts: ["part0-1", "busy0-2", "gone0-3", "gone0-4"]),
        StreamForm("busy.m3u8", parts: parts), StreamForm("none.m3u8", parts: parts),
    ].map { first in
        first.with { form in
            let entry = "master-" + form.entry
            if form.entry == "none.m3u8" { form.files = [:] }
            form.files["other.m3u8"] = StreamForm.playlist(parts)
            form.files[entry] = StreamForm.master("", [("", form.entry), ("", "other.m3u8")])
            form = StreamForm(entry, files: form.files).with {
                $0.playedMs = 2000
                $0.asked = parts
            }
        }
    }

    private static let marked: [StreamForm] = [
        StreamForm("cues.m3u8", before: [1: "#EXT-X-CUE-OUT:1\n", 3: "#EXT-X-CUE-IN\n"]).with {
            $0.ads =
                ["ad_break_start", "ad_start", "ad_quartile", "ad_quartile", "ad_quartile", "ad_complete"]
                + ["ad_break_complete"]
        },
        StreamForm("events.mpd", files: ["events.mpd": StreamForm.manifest([("", events)])]).with {
            $0.playedMs = 1000
            $0.warning = "ads that the DASH manifest marks (urn:scte:scte35:2013:xml)"
        },
        // Its head knows of the first fragment alone.
        StreamForm("grown.mp4", files: [:]).with {
            $0.isLocal = true
            $0.playedMs = 2000
        },
    ]

    private static let encrypted: [StreamForm] = [
        StreamForm("aes-256.m3u8", head: key("AES-256,URI=\"init0.mp4\"")).failing("encrypted", "METHOD=AES-256"),
        StreamForm("aes-mp4.m3u8", head: key("AES-128,URI=\"init0.mp4\"")).failing("encrypted", "fragmented MP4"),
        StreamForm("sample-aes.m3u8", head: key("SAMPLE-AES,URI=\"init0.mp4\"")).failing("encrypted", "SAMPLE-AES"),
        StreamForm("fairplay.m3u8", head: fairPlay).failing("encrypted", "its key is for another player"),
        StreamForm("cenc.mpd", files: ["cenc.mpd": StreamForm.manifest([("enc", protection)])])
            .failing("encrypted", ""),
        StreamForm("later.mpd", files: ["later.mpd": StreamForm.manifest([("", ""), ("enc", protection)])])
            .failing("encrypted", "", isShown: true),
        StreamForm(
            "no-key.m3u8",
            files: [
                "no-key.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + key("AES-128,URI=\"none.key\"")
                    + "#EXTINF:1,\nts0.ts\n#EXT-X-ENDLIST\n"
            ]
        ).failing("key_unavailable", "none.key is answered with status 404"),
    ]

    /// What is played to its end takes as long as it lasts, each in a player of its own.
    private static let played = (shown + redundant + marked).map { Row(testDescription: $0.entry, forms: [$0]) }

    static let rows = played + ended

    private static let ended: [Row] = [
        Row(testDescription: "what is encrypted", forms: Array(encrypted.prefix(4))),
        Row(testDescription: "what is encrypted, and a key that is missing", forms: Array(encrypted.dropFirst(4))),
        // GStreamer says nothing of these, so that the limits have to be over.
        Row(
            testDescription: "a key for another player later on",
            forms: [
                StreamForm("lead.m3u8", before: [2: fairPlay])
                    .failing("encrypted", "no progress for 3000 ms", isShown: nil)
            ],
            arguments: ["--set", "player.stallTimeoutSeconds=3"]
        ),
        Row(
            testDescription: "live DASH with a timeline",
            forms: [
                StreamForm("live.mpd", files: ["live.mpd": StreamForm.timeline(since: "2026-01-17T12:00:00Z")])
                    .failing("load_timeout", "GStreamer 1.22 does not play live DASH with SegmentTimeline")
            ],
            arguments: ["--set", "player.loadTimeoutSeconds=2"]
        ),
    ]
}
