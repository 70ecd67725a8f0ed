internal import ChildPrograms
internal import SimulatedPlayback
internal import Testing
internal import TextEncoding

/// What the program makes of failures that the engine reports; `PlaybackEngineTests` has these from real media.
struct SimulatedFailureTests {
    private let player = SimulatedPlayer()
    private let address = "http://media.example/clip.mp4"

    /// Plays a source that fails, and checks that the failure is told to people, in the exit code and in the archive.
    private func expectFailure(
        of source: String,
        _ code: String,
        exits exitCode: Int32,
        says text: String,
        _ options: [String] = []
    ) throws {
        let (run, result) = try player.record([source, "--quiet"] + options)
        #expect(result.code == exitCode, "\(result.errors)")
        let line = result.errors.split(separator: "\n").first { $0.hasPrefix("tally-player: error: '\(source)' ") }
        #expect(line?.contains(text) == true, "\(result.errors)")
        let error = try #require(run.event("player_error"))
        #expect(error.attribute("error_id") == .string(code))
        #expect(error.attribute("error_fatal") == true)
        #expect(error.attribute("error_message")?.string?.contains(source) == true)
        #expect(run.names.suffix(3) == ["player_error", "video_unload", "application_terminated"])
        #expect(run.end == "drained")
    }

    @Test("A missing file and a 404 are not found")
    func missing() throws {
        let text = "was not found (Resource not found); check the path"
        try expectFailure(of: TemporaryFolder().file("clip.mp4"), "not_found", exits: 66, says: text)
        try expectFailure(of: address, "not_found", exits: 66, says: "was not found")
    }

    @Test("A server error tells its status")
    func serverError() throws {
        player.web.put(SimulatedMedia(.status(503)), at: address)
        try expectFailure(of: address, "http_error", exits: 69, says: "answered with status 503")
        player.web.put(SimulatedMedia(.status(403)), at: address)
        try expectFailure(of: address, "forbidden", exits: 66, says: "answered with status 403")
    }

    @Test("A server that sends nothing is a time-out, whose limit is configurable")
    func silent() throws {
        player.web.put(SimulatedMedia(.silent), at: address)
        let text = "did not start in time (nothing was decoded within"
        try expectFailure(of: address, "load_timeout", exits: 69, says: text + " 20000 ms)")
        let limit = ["--set", "player.loadTimeoutSeconds=0.7"]
        try expectFailure(of: address, "load_timeout", exits: 69, says: text + " 700 ms)", limit)
    }

    @Test("Live DASH with a segment timeline, which GStreamer 1.22 does not play, ends with an error that says so")
    func timeline() throws {
        let manifest = "http://media.example/live.mpd"
        player.web.put(.init("<MPD type=\"dynamic\"><SegmentTimeline/></MPD>"), at: manifest)
        var live = SimulatedMedia.stream(durationMs: 0)
        live.fault = .silent
        player.web.put(live, at: manifest)
        try expectFailure(of: manifest, "load_timeout", exits: 69, says: "does not play live DASH with SegmentTimeline")
    }

    @Test("Garbage, and a file that is cut off in its index, are no media")
    func noMedia() throws {
        try expectFailure(of: player.garbage, "not_media", exits: 65, says: "contains no media")
        let headless = TemporaryFolder().file("headless.mp4")
        player.web.put(SimulatedMedia(.silent), at: headless)
        try expectFailure(of: headless, "corrupt", exits: 65, says: "is damaged")
    }

    @Test("A truncated file is played as far as it goes, and is not complete")
    func truncated() throws {
        player.web.put(.truncated(atMs: 1500), at: address)
        let text = "ends before its announced duration (it ended at 1500 of 4000 ms)"
        try expectFailure(of: address, "truncated", exits: 65, says: text)
    }

    @Test("A connection that is lost in the middle ends what was begun")
    func lost() throws {
        var clip = SimulatedMedia.clip
        clip.faultAt = (1500, .connectionLost)
        player.web.put(clip, at: address)
        try expectFailure(of: address, "connection_lost", exits: 69, says: "the connection was lost")
    }
}
