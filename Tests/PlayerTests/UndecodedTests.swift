internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Playback without decoding.
struct UndecodedTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("What is not decoded has the same events, its frames counted, in real time, and fails as it does decoded")
    func undecoded() async throws {
        let server = try LoopbackServer(ServerConfiguration(root: media.folder))
        defer { server.stop() }
        let archive = folder.file("run.tally")
        let script = folder.write("script", "1 pause 0.4\n2 seek 0.5\n3 mute on\n3.1 volume 0.5\n3.2 rate 2")
        let result = try await ChildProgram.run([
            media.clip, media.truncated, server.url(of: "hls/master.m3u8"), "--no-decode", "--archive", archive,
            "--script", script, "--json", "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
        ])
        #expect(result.code == 65, "\(result.errors)")
        let run = try RecordedRun(archive)
        try #require(run.sessions.count == 3)
        let (file, truncated, stream) = (run.sessions[0], run.sessions[1], run.sessions[2])
        let content: Set = ["video_load", "play", "first_frame", "pause", "seek_start", "seek_complete", "complete"]
        #expect(
            file.names.filter(content.contains) == [
                "video_load", "play", "first_frame", "pause", "play", "seek_start", "seek_complete", "complete",
            ]
        )
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        #expect(file.lines.contains { $0.state("muted") == true && $0.state("volume_milli") == .int(500) })
        #expect(file.lines.contains { $0.state("rate_milli") == .int(2000) })
        #expect(file.lines.contains { $0.state("width") == .int(320) && $0.state("fps_milli") == .int(25_000) })
        #expect(file.lines.compactMap { $0.state("rendered_frames")?.int }.max() ?? 0 > 80)
        #expect(truncated.event("player_error")?.attribute("error_id") == "truncated")
        // Renditions change without a decoder too.
        #expect(stream.events("rendition_change").contains { $0.attribute("rendition_phase") == "visible" })
        #expect(stream.event("complete") != nil)
        #expect(try result.summary()["played_ms"]?.int ?? 0 > 8000)
    }

    @Test("What is not decoded begins in its midst, begins with texts beside it, and is led over a hole, as decoded")
    func begins() async throws {
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nen.vtt\n#EXT-X-ENDLIST\n"
        let texts = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"t\",NAME=\"en\",LANGUAGE=\"en\",URI=\"en.m3u8\"\n"
        let master = "#EXTM3U\n\(texts)#EXT-X-STREAM-INF:BANDWIDTH=100000,SUBTITLES=\"t\"\nv0.m3u8\n"
        _ = (
            folder.write("master.m3u8", master), folder.write("en.m3u8", list),
            folder.write("en.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nA\n")
        )
        // Pictures before the first one that is shown are those of a file with pictures that look ahead.
        let isMade = unsafe system(
            "cd \(folder.path) && cp -n \(media.folder)/hls/* . && rm v02.m4s"
                + " && ffmpeg -v error -y -f lavfi -i testsrc2=s=160x90:r=25 -t 4 -c:v libx264 -g 250 -bf 3"
                + " -pix_fmt yuv420p film.mp4"
        )
        try #require(isMade == 0)
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        defer { server.stop() }
        for (item, options) in [(folder.file("film.mp4"), ["--start", "2.5"]), (server.url(of: "master.m3u8"), [])] {
            let archive = folder.file("begins.tally")
            let result = try await ChildProgram.run([item, "--no-decode", "--archive", archive, "--json"] + options)
            #expect(result.code == (options.isEmpty ? 65 : 0), "\(result.errors)")
            let session = try #require(RecordedRun(archive).sessions.first)
            #expect(session.event("first_frame") != nil, "\(item)")
            #expect(session.event("complete") != nil)
            let playedMs = try result.summary()["played_ms"]?.int ?? 0
            #expect(options.isEmpty ? 4500..<5700 ~= playedMs : 1000..<2000 ~= playedMs, "\(playedMs)")
            unsafe unlink(archive)
        }
    }
}
