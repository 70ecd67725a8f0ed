internal import ChildPrograms
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// What comes of the engine's requests for segments, with a server that misbehaves.
struct RequestTests {
    private let folder = TemporaryFolder()

    /// What came of the requests for a segment, in their order.
    private func outcomes(_ run: RecordedRun, _ segment: String) -> [String] {
        run.lines.compactMap { line in
            guard let event = line["event"]?.string, event.hasPrefix("request_"),
                line.attribute("request_url")?.string?.hasSuffix("/\(segment).m4s") ?? false
            else { return nil }
            return String(event.dropFirst("request_".count))
        }
    }

    @Test("A segment that is refused or breaks off is asked for again; a seek cancels what stands still")
    func faults() async throws {
        try StreamMedia.fragments.copy(into: folder)
        StreamMedia.playlist("vod.m3u8", of: 8, in: folder)
        var configuration = ServerConfiguration(root: folder.path)
        configuration.faults = [
            FaultRule(PathPattern("/seg2.m4s"), Faults(status: 503), limit: 1),
            FaultRule(PathPattern("/seg4.m4s"), Faults(cutAfter: 5000), limit: 1),
            FaultRule(PathPattern("/seg6.m4s"), Faults(stallAfter: 1000), limit: 1),
        ]
        let server = try LoopbackServer(configuration)
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run([
            server.url(of: "vod.m3u8"), "--archive", archive, "--json", "--script",
            folder.write("script", "5 seek 7\n"), "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
        ])
        #expect(result.code == 0, "\(result.errors)")
        let run = try RecordedRun(archive)
        #expect(run.event("complete") != nil)
        #expect(outcomes(run, "seg2") == ["failed", "completed"])
        #expect(outcomes(run, "seg4") == ["failed", "completed"])
        #expect(outcomes(run, "seg6") == ["cancelled"])
        let failed = run.events("request_failed")
        try #require(failed.count == 2)
        #expect(failed[0].attribute("request_status") == .int(503))
        #expect(failed[0].attribute("error_domain") == "http")
        #expect(failed[0].attribute("error_code") == .int(503))
        #expect(failed[1].attribute("error_message") == "the answer broke off")
        #expect(run.event("request_cancelled")?.attribute("request_type") == "media")
        // What is given up is told at the seek.
        let seek = try #require(run.names.firstIndex(of: "seek_start"))
        let given = try #require(run.names.firstIndex(of: "request_cancelled"))
        #expect(seek < given)
    }
}
