internal import ChildPrograms
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// What comes of the engine's requests for segments, with a server that misbehaves.
struct RequestTests {
    private let folder = TemporaryFolder()

    /// Plays a recording of eight seconds from a server with a fault for the first request of a segment.
    private func play(_ segment: String, _ faults: Faults, _ arguments: [String] = []) async throws -> RecordedRun {
        try StreamMedia.fragments(into: folder)
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI=\"init.mp4\"\n"
        text += (0..<8).map { "#EXTINF:1.000,\nseg\($0).m4s\n" }.joined() + "#EXT-X-ENDLIST\n"
        _ = folder.write("vod.m3u8", text)
        var configuration = ServerConfiguration(root: folder.path)
        configuration.faults = [FaultRule(PathPattern("/\(segment).m4s"), faults, limit: 1)]
        let server = try LoopbackServer(configuration)
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run(
            [
                server.url(of: "vod.m3u8"), "--archive", archive, "--duration", "60", "--json",
                "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
            ] + arguments
        )
        #expect(result.code == 0, "\(result.errors)")
        return try RecordedRun(archive)
    }

    /// What came of the requests for a segment, in their order.
    private func outcomes(_ run: RecordedRun, _ segment: String) -> [String] {
        run.lines.compactMap { line in
            guard let event = line["event"]?.string, event.hasPrefix("request_"),
                line.attribute("request_url")?.string?.hasSuffix("/\(segment).m4s") ?? false
            else { return nil }
            return String(event.dropFirst("request_".count))
        }
    }

    @Test("A segment that the server refuses is a failed request with its status, and another request")
    func refused() async throws {
        var faults = Faults()
        faults.status = 503
        let run = try await play("seg3", faults)
        #expect(outcomes(run, "seg3") == ["failed", "completed"])
        let failed = try #require(run.event("request_failed"))
        #expect(failed.attribute("request_status") == .int(503))
        #expect(failed.attribute("error_domain") == "http")
        #expect(failed.attribute("error_code") == .int(503))
        #expect(run.event("complete") != nil)
    }

    @Test("A segment whose answer breaks off is a failed request, and another request")
    func brokenOff() async throws {
        var faults = Faults()
        faults.cutAfter = 5000
        let run = try await play("seg3", faults)
        #expect(outcomes(run, "seg3") == ["failed", "completed"])
        #expect(run.event("request_failed")?.attribute("error_message") == "the answer broke off")
        #expect(run.event("complete") != nil)
    }

    @Test("A segment that stands still as a seek leaves it is a cancelled request, told at the seek")
    func givenUp() async throws {
        var faults = Faults()
        faults.stallAfter = 1000
        let run = try await play("seg3", faults, ["--script", folder.write("script", "2 seek 6\n")])
        #expect(outcomes(run, "seg3") == ["cancelled"])
        #expect(run.events("request_failed").isEmpty)
        #expect(run.event("request_cancelled")?.attribute("request_type") == "media")
        let seek = try #require(run.names.firstIndex(of: "seek_start"))
        let given = try #require(run.names.firstIndex(of: "request_cancelled"))
        #expect(seek < given)
        #expect(run.event("complete") != nil)
    }

    @Test("Players that show the same stream at once have each their own requests")
    func parallel() async throws {
        try StreamMedia.fragments(into: folder)
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI=\"init.mp4\"\n"
        text += (0..<4).map { "#EXTINF:1.000,\nseg\($0).m4s\n" }.joined() + "#EXT-X-ENDLIST\n"
        _ = folder.write("short.m3u8", text)
        let result = try await ChildProgram.run([
            server.url(of: "short.m3u8"), "--players", "3", "--stagger", "300", "--no-decode", "--duration", "60",
            "--archive", folder.file("run.tally"), "--json",
        ])
        #expect(result.code == 0, "\(result.errors)")
        for number in 1...3 {
            let run = try RecordedRun(folder.file("run-\(number).tally"))
            let media = run.events("request_completed").filter { $0.attribute("request_type") == "media" }
            let names = media.compactMap { $0.attribute("request_url")?.string?.split(separator: "/").last }
            #expect(names == ["init.mp4", "seg0.m4s", "seg1.m4s", "seg2.m4s", "seg3.m4s"])
        }
    }
}
