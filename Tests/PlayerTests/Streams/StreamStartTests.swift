internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Places before the beginning and behind the end of real media, and more or less to be buffered than there is.
struct StreamStartTests {
    private let folder = TemporaryFolder()

    @Test(
        "A place outside of a file or of a stream in HLS or DASH is told, and playback begins at the beginning",
        arguments: [("-100", "lies before it", "100"), ("100", "lies at or behind the end", "0.1")]
    )
    func outside(start: String, reason: String, resumeSeconds: String) async throws {
        try StreamMedia.fragments.copy(into: folder)
        try StreamMedia.dashParts.copy(into: folder)
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        defer { server.stop() }
        let archive = folder.file("run.tally")
        let sources = [server.url(of: "all.m3u8"), server.url(of: "parts.mpd"), folder.file("ad.mp4")]
        let result = try await ChildProgram.run(
            sources + [
                "--start", start, "--archive", archive, "--set", "player.resumeSeconds=\(resumeSeconds)", "--script",
                folder.write("script", "0.3 next\n0.3 next\n0.3 next\n"),
            ]
        )
        #expect(result.code == 0, "\(result.errors)")
        let told = result.errors.split(separator: "\n").filter { $0.contains("playback begins at the beginning: ") }
        #expect(
            told.count == 3 && told.allSatisfy { $0.contains("warning: ") && $0.contains(reason) },
            "\(result.errors)"
        )
        for session in try RecordedRun(archive).sessions {
            let first = session.events("playhead_sample").first?.state("playhead_ms")?.int
            #expect((0..<3000).contains(first ?? -1) && session.event("seek_start") == nil, "\(session)")
        }
    }
}
