internal import AdDocuments
internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// One run with all that a viewer may meet, from real playback of an adaptive stream.
struct ScenarioTests {
    private let folder = TemporaryFolder()

    /// How often in a row; the environment's `TALLY_SCENARIO_RUNS`, otherwise once.
    private static let runs: Int = {
        guard let text = unsafe getenv("TALLY_SCENARIO_RUNS") else { return 1 }
        return unsafe Int(String(cString: text)) ?? 1
    }()

    /// Where the archives are kept, as `run-1.tally` and so on; the environment's `TALLY_SCENARIO_FOLDER`.
    private static let kept: String? = {
        guard let text = unsafe getenv("TALLY_SCENARIO_FOLDER") else { return nil }
        return unsafe String(cString: text)
    }()

    private static let script = """
        3   pin 150000
        4   pause 0.5
        12  pin auto
        17  seek 20
        21  seek 19
        """

    private static let chapters = """
        WEBVTT

        00:00.000 --> 00:10.000
        One

        00:10.000 --> 00:18.000
        Two

        00:18.000 --> 00:26.000
        Three
        """

    private static let schedule = AdDocuments.vmap([
        AdDocuments.adBreak("start", id: "before", AdDocuments.data(AdDocuments.inline("pre"))),
        AdDocuments.adBreak("00:00:11", id: "between", AdDocuments.tag("pod.xml")),
        AdDocuments.adBreak("end", id: "behind", AdDocuments.tag("wrapper.xml")),
    ])

    private func makeStream() throws {
        try #require(
            unsafe system(
                "mkdir -p \(folder.path)/hls && cd \(folder.path)/hls && ffmpeg -v error -y"
                    + " -f lavfi -i testsrc2=s=320x180:r=25 -f lavfi -i sine=f=440:r=48000 -t 26"
                    + " -filter_complex '[0:v]split=2[a][b];[a]scale=160:90[v0];[b]copy[v1]'"
                    + " -map '[v0]' -map 1:a -map '[v1]' -map 1:a -c:v libx264 -preset ultrafast -g 25 -keyint_min 25"
                    + " -sc_threshold 0 -pix_fmt yuv420p -b:v:0 60k -b:v:1 400k -c:a aac -b:a 32k"
                    + " -f hls -hls_time 1 -hls_playlist_type vod -hls_segment_type fmp4"
                    + " -var_stream_map 'v:0,a:0 v:1,a:1' -master_pl_name master.m3u8 v%v.m3u8"
            ) == 0
        )
    }

    @Test("Ads, chapters, seeks, a pause, renditions and a stall give the expected events in each lane")
    func everything() async throws {
        try makeStream()
        let media = LoopbackRoot(folder.path)
        let ads = try AdServer()
        ads.write("schedule.xml", Self.schedule)
        let chapters = folder.write("chapters.vtt", Self.chapters)
        let script = folder.write("script", Self.script)
        for round in 1...Self.runs {
            // Each round anew, since the fault strikes once.
            let server = try media.server(faults: [
                FaultRule(PathPattern("/hls/v08.m4s"), Faults(latencyMilliseconds: 5000), limit: 1)
            ])
            let archive = Self.kept.map { "\($0)/run-\(round).tally" } ?? folder.file("run.tally")
            let result = try await ChildProgram.run([
                server.url(of: "hls/master.m3u8"), "--ads", ads.url("schedule.xml"), "--vast-tracking",
                "--chapters", chapters, "--script", script, "--archive", archive, "--quiet",
                "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
                "--set", "player.adTimeoutSeconds=600", "--plugins", "new-relic-video,jsonlines",
                "--set", "plugins.jsonlines.config.path=\(folder.file("said.jsonl"))",
            ])
            #expect(result.code == 0, "round \(round): \(result.errors)")
            let run = try RecordedRun(archive)
            #expect(run.lines.allSatisfy { $0["flags"] == nil }, "round \(round)")
            checkLanes(run, round)
            try checkOrder(run, round)
            try checkValues(run)
            try NewRelicActions(folder.file("said.jsonl")).check(against: run, round)
            server.stop()
        }
    }

    /// The exact order within each lane; waits for data other than the stall depend on the machine.
    private func checkLanes(_ run: RecordedRun, _ round: Int) {
        let names = run.names
        let content: Set = [
            "video_load", "play", "pause", "first_frame", "seek_start", "seek_complete", "complete", "video_unload",
        ]
        #expect(
            names.filter(content.contains) == [
                "video_load", "play", "first_frame", "pause", "play", "seek_start", "seek_complete", "seek_start",
                "seek_complete", "complete", "video_unload",
            ],
            "round \(round)"
        )
        let ad = ["ad_start", "ad_quartile", "ad_quartile", "ad_quartile", "ad_complete"]
        #expect(
            names.filter { $0.hasPrefix("ad_") }
                == ["ad_break_start"] + ad + ["ad_break_complete", "ad_break_start"] + ad + ad
                + ["ad_break_complete", "ad_break_start"] + ad + ["ad_break_complete"],
            "round \(round)"
        )
        #expect(
            names.filter { $0.hasPrefix("chapter_") } == [
                "chapter_start", "chapter_complete", "chapter_start", "chapter_skip", "chapter_start",
                "chapter_complete",
            ],
            "round \(round)"
        )
        #expect(run.events("buffer_start").contains(where: isForcedStall), "round \(round)")
        let forced = Array(run.events("rendition_change").drop { $0.attribute("rendition_cause") != "manual" })
        func shifts(_ phase: String) -> [String?] {
            forced.filter { $0.attribute("rendition_phase")?.string == phase }
                .map { $0.attribute("rendition_shift")?.string }
        }
        // Down for the stall and up after it; a busy machine can bring about others in between.
        let shown = shifts("visible")
        #expect(shown.first == "down" && shown.last == "up" && shown == shifts("decided"), "round \(round): \(shown)")
        let documents = run.events("request_completed").filter { $0.attribute("request_type") == "api" }
        #expect(documents.count == 4, "round \(round)")
        #expect(run.events("request_failed").isEmpty, "round \(round)")
        // A seek gives up what is on its way.
        let seeks = run.lines.filter { ["seek_start", "request_cancelled"].contains($0["event"]?.string) }
        #expect(seeks.isEmpty || seeks[0]["event"] == "seek_start", "round \(round)")
        #expect(run.events("request_cancelled").allSatisfy { $0.attribute("request_type") == "media" })
    }

    /// Where the segment comes late; a busy machine can make others late too.
    private func isForcedStall(_ line: JSONValue) -> Bool {
        line.attribute("buffer_cause") == "stall" && (7000..<8500).contains(line.state("playhead_ms")?.int ?? 0)
    }

    /// What comes before what across lanes.
    private func checkOrder(_ run: RecordedRun, _ round: Int) throws {
        func place(_ name: String, _ number: Int = 0) throws -> Int {
            let places = run.lines.indices.filter { run.lines[$0]["event"]?.string == name }
            try #require(number < places.count)
            return places[number]
        }
        #expect(try place("play") < place("ad_break_start"))
        #expect(try place("ad_break_complete") < place("first_frame"))
        #expect(try place("first_frame") < place("chapter_start"))
        let stalled = run.lines.firstIndex { $0["event"] == "buffer_start" && isForcedStall($0) }
        let stall = try #require(stalled)
        #expect(try place("play", 1) < stall)
        #expect(try stall < place("chapter_complete"))
        #expect(try place("chapter_start", 1) < place("ad_break_start", 1))
        #expect(try place("ad_break_complete", 1) < place("seek_start"))
        #expect(try place("seek_start") < place("chapter_skip"))
        #expect(try place("chapter_skip") < place("seek_complete"))
        #expect(try place("seek_complete") < place("chapter_start", 2))
        #expect(try place("seek_complete", 1) < place("ad_break_start", 2))
        #expect(try place("ad_break_complete", 2) < place("complete"))
    }

    private func checkValues(_ run: RecordedRun) throws {
        let breaks = run.events("ad_break_start").map { $0.state("playhead_ms")?.int ?? -1 }
        try #require(breaks.count > 1)
        // The picture before the place is shown until the one of the place comes, which is 40 ms later.
        #expect((10_960..<11_300).contains(breaks[1]))
        #expect(run.event("video_load")?.attribute("video_id") == "/hls/master.m3u8")
        let manifest = run.events("request_completed").first { $0.attribute("request_type") != "api" }
        #expect(manifest?.attribute("request_type") == "manifest")
        let manual = run.events("rendition_change").filter { $0.attribute("rendition_cause") == "manual" }
        #expect(manual.map { $0.attribute("rendition_height")?.int } == [90, 90])
        let shown = try #require(manual.last)
        #expect(shown.state("bitrate_bps") == shown.attribute("rendition_bitrate_bps"))
        let change = try #require(run.lines.firstIndex { $0["n"] == shown["n"] })
        #expect(run.lines[change + 1]["event"] == "quality_sample")
        let begin = try #require(run.event("first_frame")?["t_us"]?.int)
        let load = try #require(run.event("video_load")?["t_us"]?.int)
        // The startup time has no ads in it.
        let told = run.lines.compactMap { $0.attribute("startup_time_ms")?.int }
        let startup = try #require(told.first)
        #expect(startup * 1000 < begin - load - 1_000_000)
    }
}

/// A folder that is served anew for each round.
private struct LoopbackRoot {
    let path: String

    init(_ path: String) {
        self.path = path
    }

    func server(faults: [FaultRule]) throws -> LoopbackServer {
        var configuration = ServerConfiguration(root: path)
        configuration.faults = faults
        return try LoopbackServer(configuration)
    }
}
