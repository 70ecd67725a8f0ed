internal import AdDocuments
internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// A media engine that crashes, in the real player: the item has failed, and the telemetry goes on.
struct EngineCrashTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    private var archive: String { folder.file("run.tally") }

    /// Ends the engine that a player has made last, once the player has said something.
    private func crash(_ player: ChildProgram, after text: String) async throws {
        #expect(await player.says(text))
        let engine = try #require(player.children.last)
        #expect(kill(engine, SIGSEGV) == 0)
    }

    @Test("It is told as an error to all trackers, the next source is played, and a replay says the same")
    func content() async throws {
        let live = folder.file("live.jsonl")
        let plugins = ["--plugins", "new-relic-video,mux-data,jsonlines"]
        let key = ["--set", "plugins.mux-data.config.environmentKey=abc123"]
        let player = try ChildProgram.player(
            [
                media.clip, media.clip, "--archive", archive, "--script", folder.write("script", "0.2 pause"), "--set",
                "plugins.jsonlines.config.path=\(live)",
            ] + plugins
                + key
        )
        try await crash(player, after: "paused")
        let result = try await player.outcome()
        #expect(result.code == 70, "\(result.errors)")
        let reason = "the media engine crashed (its process was ended by signal 11 (Segmentation fault))"
        #expect(result.errors.contains(reason))

        let run = try RecordedRun(archive)
        #expect(run.end == "drained")
        let sessions = run.sessions
        try #require(sessions.count == 2)
        let error = try #require(sessions[0].event("player_error"))
        #expect(error.attribute("error_id") == "engine_crashed")
        #expect(error.attribute("error_fatal") == true)
        #expect(sessions[0].names.last == "video_unload")
        #expect(sessions[1].event("player_error") == nil && sessions[1].event("complete") != nil)
        #expect(try !TrackerRecords(live, of: "new-relic-video").named("CONTENT_ERROR").isEmpty)
        #expect(try !TrackerRecords(live, of: "mux-data").named("error").isEmpty)

        let replayed = folder.file("replayed.jsonl")
        let replay = try await ChildProgram.run(
            [archive, "--set", "plugins.jsonlines.config.path=\(replayed)"] + plugins + key,
            program: "tally-replay"
        )
        #expect(replay.code == 0, "\(replay.errors)")
        #expect(try TestFile.text(replayed) == TestFile.text(live))
    }

    @Test("That of an ad ends the ad, and the main content is played")
    func advertisement() async throws {
        let server = try AdServer()
        // The ad goes on until its engine is gone, which is the last one: however busy the machine is.
        let endless = "<MediaFile type=\"video/mp4\">endless.mp4</MediaFile>"
        server.write("endless.xml", AdDocuments.vast(AdDocuments.inline("endless", media: endless)))
        let player = try ChildProgram.player([
            media.clip, "--ads", server.url("endless.xml"), "--archive", archive,
            "--set", "player.adTimeoutSeconds=600",
        ])
        try await crash(player, after: "ad 1 of")
        let result = try await player.outcome()
        #expect(result.code == 0, "\(result.errors)")
        let run = try RecordedRun(archive)
        #expect(run.events("ad_error").count == 1)
        #expect(run.event("player_error") == nil && run.event("complete") != nil)
        #expect(run.events("ad_start").count == 1 && run.event("ad_complete") == nil)
    }

    @Test("A playlist that would crash GStreamer does not come to it, also behind a master playlist")
    func playlist() async throws {
        try StreamMedia.transport.copy(into: folder)
        let playlist = try TestFile.text(folder.file("ts.m3u8"))
        _ = folder.write("zero.m3u8", playlist.replacing(/#EXTINF:[0-9.]+/, with: "#EXTINF:0"))
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        defer { server.stop() }
        _ = folder.write("master.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000\nzero.m3u8\n")
        _ = folder.write("empty.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000\nnothing.m3u8\n")
        _ = folder.write("nothing.m3u8", "")
        let sources = ["zero.m3u8", "master.m3u8", "empty.m3u8"].map { server.url(of: $0) }
        let result = try await ChildProgram.run(sources + [media.clip, "--archive", archive])
        #expect(result.code == 65, "\(result.errors)")
        let sessions = try RecordedRun(archive).sessions
        try #require(sessions.count == 4)
        for session in sessions.prefix(3) {
            #expect(session.event("player_error")?.attribute("error_id") == "invalid_manifest")
            #expect(session.events("player_error").count == 1)
        }
        #expect(sessions[3].event("complete") != nil)
    }

    @Test("The process of an engine ends with the player, however that ends")
    func orphan() async throws {
        let player = try ChildProgram.player([media.clip, "--repeat", "100", "--archive", archive])
        #expect(await eventually { (try? RecordedRun(archive))?.event("first_frame") != nil })
        let engine = try #require(player.children.last)
        player.send(SIGKILL)
        #expect(await eventually { kill(engine, 0) != 0 && errno == ESRCH })
    }
}
