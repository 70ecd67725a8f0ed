internal import ChildPrograms
internal import Glibc
internal import SimulatedPlayback
internal import Testing
internal import TextEncoding

/// What the program makes of playback, with simulated engines; and that these are like the real one.
struct SimulatedPlaybackTests {
    private let player = SimulatedPlayer()

    @Test("The same course has the same events in the same order, whether it is played or simulated")
    func likeReal() async throws {
        let media = TestMedia.shared
        try #require(media.isComplete)
        let folder = TemporaryFolder()
        let script = """
            0.5  pause 0.3
            1    interrupt call
            1.1  interrupt end
            1.2  seek 3
            3.2  mute on
            3.3  volume 0.25
            3.4  rate 2
            3.6  seek 1
            """
        let archive = folder.file("run.tally")
        let real = try await ChildProgram.run([
            media.clip, media.garbage, media.clip, "--script", folder.write("script", script), "--archive", archive,
        ])
        let (run, simulated) = try player.record([player.clip, player.garbage, player.clip], script: script)
        #expect(real.code == simulated.code)
        #expect(try RecordedRun(archive).names == run.names)
    }

    @Test("The index that the player writes is that of tally-replay, for each player and for what is written anew")
    func index() async throws {
        let folder = TemporaryFolder()
        func play(_ arguments: [String], code: Int32 = 0) throws {
            let result = try player.run([player.clip, "--archive", folder.file("run.tally")] + arguments)
            #expect(result.code == code, "\(result.errors)")
        }
        func check(_ name: String) async throws {
            let index = folder.file(name + ".index")
            let written = try TestFile.text(index)
            #expect(written.split(separator: "\n").count == 2)
            #expect(written.contains(#""assets":{"1":[""#))
            #expect(try await ChildProgram.run(["index", folder.file(name)], program: "tally-replay").code == 0)
            #expect(try TestFile.text(index) == written)
        }
        try play(["--archive-index", "--duration", "1"])
        try await check("run.tally")
        try play(["--set", "player.archiveIndex=true"])
        try await check("run.tally")
        try play(["--archive-index", "--players", "2"])
        for name in ["run-1.tally", "run-2.tally"] { try await check(name) }
        #expect(unsafe unlink(folder.file("run.tally.index")) == 0)
        try play([])
        #expect(unsafe access(folder.file("run.tally.index"), F_OK) != 0)
        // What cannot be written is told, and costs nothing else.
        #expect(unsafe mkdir(folder.file("run.tally.index"), 0o700) == 0)
        try play(["--archive-index"], code: 74)
    }

    @Test("A stall is told from its beginning to its end, and the playhead stands meanwhile")
    func stall() throws {
        var late = SimulatedMedia.clip
        late.stalls = [(2000, 1500)]
        player.web.put(late, at: "http://media.example/late.mp4")
        let (run, result) = try player.record(["http://media.example/late.mp4", "--json"])
        #expect(result.code == 0, "\(result.errors)")
        let summary = try result.summary()
        #expect(summary["stalls"] == .int(1))
        #expect(summary["stalled_ms"] == .int(1500))
        #expect((3900...4100).contains(summary["played_ms"]?.int ?? 0))
        let stall = try #require(run.lines.firstIndex { $0.attribute("buffer_cause") == "stall" })
        let end = try #require(run.lines[stall...].firstIndex { $0["event"] == "buffer_complete" })
        let places = run.lines[stall...end].compactMap { $0.state("playhead_ms")?.int }
        #expect(places.allSatisfy { (1950...2020).contains($0) }, "\(places)")
    }

    @Test("A picture that stands is no start: that is when it moves, and both have their times")
    func stillPicture() throws {
        var late = SimulatedMedia.clip
        late.stillMs = 3000
        player.web.put(late, at: "http://media.example/late.mp4")
        let (run, result) = try player.record(["http://media.example/late.mp4", "--json"])
        #expect(result.code == 0, "\(result.errors)")
        let summary = try result.summary()
        #expect((100...200).contains(summary["first_picture_ms"]?.int ?? 0))
        #expect((3100...3200).contains(summary["startup_ms"]?.int ?? 0))
        #expect(summary["stalls"] == .int(0))
        let start = try #require(run.names.firstIndex(of: "first_frame"))
        #expect(run.names[..<start].last == "buffer_complete")
        let told = run.lines.compactMap { $0.attribute("first_picture_time_ms") }
        #expect(!told.isEmpty && told.allSatisfy { $0 == summary["first_picture_ms"] }, "\(told)")
        let times = ["play", "first_frame"].compactMap { run.event($0)?["t_us"]?.int }
        #expect(times.count == 2 && (3_050_000...3_200_000).contains(times[1] - times[0]), "\(times)")
    }

    @Test("The summary, the events' startup time and the metric of their times are one figure")
    func oneStartup() throws {
        var late = SimulatedMedia.clip
        late.processMs = 200
        player.web.put(late, at: "late.mp4")
        let (run, result) = try player.record(["late.mp4", "--json"])
        #expect(result.code == 0, "\(result.errors)")
        let startup = try #require(try result.summary()["startup_ms"]?.int)
        let times = ["play", "first_frame"].compactMap { run.event($0)?["t_us"]?.int }
        #expect(times.count == 2 && (times[1] - times[0]) / 1000 == startup, "\(times), \(startup)")
        let told = run.lines.compactMap { $0.attribute("startup_time_ms")?.int }
        #expect(!told.isEmpty && told.allSatisfy { $0 == startup }, "\(told)")
    }

    @Test("What libraries of the engine complain of is a warning with its source, each once and not without end")
    func complaints() throws {
        var odd = SimulatedMedia.clip
        odd.complaints = ["GStreamer: one", "GStreamer: one"] + (2...9).map { "GStreamer: \($0)" }
        player.web.put(odd, at: "odd.mp4")
        let result = try player.run(["odd.mp4"])
        let told = result.errors.split(separator: "\n").filter { $0.contains("within the media engine") }
        #expect(told.count == 5, "\(result.errors)")
        let first = "tally-player: warning: within the media engine, while odd.mp4 goes on: GStreamer: one"
        #expect(told.first.map(String.init) == first)
        #expect(told.last?.hasSuffix("; more complaints of this source are left out") == true)
        #expect(!(try player.run(["odd.mp4", "--quiet"])).errors.contains("GStreamer"))
    }

    @Test("A playhead that stands still though there is data is a stall with its own cause")
    func frozen() throws {
        var frozen = SimulatedMedia.clip
        frozen.freezes = [(2000, 3000)]
        player.web.put(frozen, at: "frozen.mp4")
        let (run, result) = try player.record(["frozen.mp4", "--json"])
        #expect(result.code == 0, "\(result.errors)")
        let summary = try result.summary()
        #expect(summary["stalls"] == .int(1))
        #expect((1900...2100).contains(summary["stalled_ms"]?.int ?? 0))
        let freeze = try #require(run.lines.firstIndex { $0.attribute("buffer_cause") == "frozen" })
        let end = try #require(run.lines[freeze...].firstIndex { $0["event"] == "buffer_complete" })
        #expect(run.lines[freeze..<end].allSatisfy { $0["event"] != "playhead_sample" })
        #expect(!run.names.contains("pause"))
    }

    @Test("A stall that lasts to the end counts with its time")
    func openStall() throws {
        var late = SimulatedMedia.clip
        late.faultAt = (2000, .silent)
        player.web.put(late, at: "http://media.example/late.mp4")
        let (run, result) = try player.record(["http://media.example/late.mp4", "--json"])
        #expect(result.code == 69)
        #expect(run.event("player_error")?.attribute("error_id") == "stalled")
        let summary = try result.summary()
        #expect(summary["stalls"] == .int(1))
        #expect((20_000..<20_100).contains(summary["stalled_ms"]?.int ?? 0))
    }

    @Test("Ten minutes of pause are ten minutes in the archive, and a moment here")
    func longPause() throws {
        let (run, result) = try player.record([player.clip, "--json", "-q"], script: "1 pause 600")
        #expect(result.code == 0, "\(result.errors)")
        let times = (run.events("pause") + run.events("play").suffix(1)).compactMap { $0["t_us"]?.int }
        #expect(times.count == 2 && (599_900_000..<600_100_000).contains(times[1] - times[0]), "\(times)")
        #expect(try result.summary()["played_ms"]?.int ?? .max < 4200)
    }

    @Test("One that fails does not keep the others from playing, and decides the exit code")
    func failure() throws {
        let result = try player.run([
            player.garbage, player.clip, "--players", "2", "--stagger", "0", "--duration", "3", "--expect",
            "items == 3",
        ])
        #expect(result.code == 65)
        #expect(result.errors.contains("player 2: '\(player.garbage)' contains no media"))
        #expect(result.errors.contains("player 1: expected items == 3, and it is 2"))
        #expect(result.errors.contains("2 failed"))
    }

    @Test("A stream that is declared live or linear has no length, and its playhead is told all the same")
    func declaredStreamType() throws {
        for type in ["live", "linear"] {
            let (run, result) = try player.record(
                [player.clip, "--stream-type", type, "-q"],
                script: "0.4 stop"
            )
            #expect(result.code == 0, "\(result.errors)")
            #expect(run.event("video_load")?.attribute("stream_type") == .string(type))
            #expect(run.event("first_frame")?.state("duration_ms") == .int(-1))
            #expect(run.event("first_frame")?.state("live") == .bool(true))
            #expect(run.event("complete") == nil)
            #expect(run.names.suffix(2) == ["video_unload", "application_terminated"])
        }
    }

    @Test("Notes and the summary go to standard error, and nothing of them with --quiet")
    func notes() throws {
        let loud = try player.record([player.clip], script: "0.4 stop").result
        #expect(loud.code == 0)
        for text in [
            "loading \(player.clip)", "first picture after", "playing after", "on screen: 180p", "Played Test card",
            "0 dropped",
        ] {
            #expect(loud.errors.contains(text), "\(loud.errors)")
        }
        let quiet = try player.record([player.clip, "--quiet"], script: "0.4 stop").result
        #expect(quiet.code == 0)
        #expect(quiet.errors.isEmpty)
    }

    @Test("What an event has no room for is told and counted, and the last status says that playback ended")
    func attributeAboveLimit() throws {
        let long = String(repeating: "x", count: 20_000)
        // An editor's mark stands in front.
        let script = "\u{FEFF}0.1 rate 2\n0.2 custom mark a=1 b=\(long)\n"
        let result = try player.record([player.clip, "--json"], script: script).result
        #expect(result.code == 0, "\(result.errors)")
        #expect(try result.summary()["lost_attributes"] == 1)
        #expect(result.errors.contains("left out of events, because they break a limit of docs/limits.md: 1"))
        let statuses = try result.errors.split(separator: "\n").filter { $0.hasPrefix("{") }.compactMap {
            try JSONParser().parse(String($0))["status"]?["activity"]?.string
        }
        #expect(statuses.contains("playing"))
        #expect(statuses.last == "ended")
    }
}
