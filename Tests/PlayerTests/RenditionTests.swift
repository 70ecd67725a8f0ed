import ChildPrograms
import LoopbackServer
import Testing
import TextEncoding

/// A stream with renditions, whose change a script forces.
struct RenditionTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("A ceiling by script is a change that is manual, decided first and visible later")
    func pinned() async throws {
        let server = try LoopbackServer(ServerConfiguration(root: media.folder))
        defer { server.stop() }
        let archive = folder.file("run.tally")
        let script = folder.write("script", "0.3 pin 150000\n")
        let result = try await ChildProgram.run([
            server.url(of: "hls/master.m3u8"), "--script", script, "--archive", archive, "--quiet",
            "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
        ])
        #expect(result.code == 0, "\(result.errors)")

        let run = try RecordedRun(archive)
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        #expect(run.event("video_load")?.attribute("video_id") == "/hls/master.m3u8")
        #expect(run.event("request_completed")?.attribute("request_type") == "manifest")
        let manual = run.events("rendition_change").filter { $0.attribute("rendition_cause") == "manual" }
        #expect(manual.map { $0.attribute("rendition_phase") } == ["decided", "visible"])
        for change in manual {
            #expect(change.attribute("rendition_shift") == "down")
            #expect(change.attribute("rendition_height") == .int(90))
        }
        let shown = try #require(manual.last)
        #expect(shown.state("bitrate_bps") == shown.attribute("rendition_bitrate_bps"))
        let names = run.lines.compactMap { $0["event"]?.string }
        let change = try #require(run.lines.firstIndex { $0["n"] == shown["n"] })
        #expect(run.lines[change + 1]["event"] == "quality_sample", "\(names)")
        #expect(run.event("complete") != nil)
    }
}
