import ChildPrograms
import LoopbackServer
import Testing

/// Seeks to all places within a segment.
struct SeekPositionTests {
    private let folder = TemporaryFolder()

    @Test("Playback goes on at any place of a segment of four seconds", arguments: [5.5, 5.9, 6.1, 6.3])
    func withinSegment(seconds: Double) async throws {
        try StreamMedia.longSegments.copy(into: folder)
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run([
            server.url(of: "long.m3u8"), "--archive", archive, "--json", "--script",
            folder.write("script", "1 seek \(seconds)\n"),
        ])
        #expect(result.code == 0, "\(result.errors)")
        let run = try RecordedRun(archive)
        #expect(run.event("complete") != nil && run.event("seek_complete") != nil)
    }
}
