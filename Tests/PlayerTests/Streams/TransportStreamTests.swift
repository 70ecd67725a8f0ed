internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// HLS with segments in MPEG transport streams.
struct TransportStreamTests {
    private let folder = TemporaryFolder()

    /// Whether GStreamer's demuxer for them is installed, or in a folder that the environment names.
    static let canBePlayed: Bool = {
        let places = "/usr/lib/*/gstreamer-1.0 /usr/lib/gstreamer-1.0 ${GST_PLUGIN_PATH:-/nowhere}"
        return unsafe system("for f in \(places); do [ -e $f/libgstmpegtsdemux.so ] && exit 0; done; exit 1") == 0
    }()

    @Test(
        "A stream of transport stream segments is played to its end",
        .enabled(if: canBePlayed, "gstreamer1.0-plugins-bad is not installed")
    )
    func played() async throws {
        try StreamMedia.transport.copy(into: folder)
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run([
            server.url(of: "ts.m3u8"), "--archive", archive, "--duration", "60", "--json",
        ])
        #expect(result.code == 0, "\(result.errors)")
        let run = try RecordedRun(archive)
        #expect(run.event("complete") != nil)
        #expect(run.event("player_error") == nil)
        #expect(run.lines.contains { ($0.state("rendered_frames")?.int ?? 0) > 80 })
        let media = run.events("request_completed").compactMap { $0.attribute("request_url")?.string }
        #expect(media.filter { $0.hasSuffix(".ts") }.count == 4)
        // The timestamps of such a stream begin anywhere; its playhead begins at its beginning.
        let places = run.lines.compactMap { $0.state("playhead_ms")?.int }
        #expect((0..<500).contains(places.first ?? -1))
        #expect((3500..<4200).contains(places.max() ?? 0))
    }
}
