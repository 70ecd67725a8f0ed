internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// What servers do not have of a stream, with the real engine: playback goes on as long as there is more.
struct MissingPartTests {
    private let folder = TemporaryFolder()

    /// Plays sources one after another from a folder whose files have faults; those that wait do so for a second.
    private func play(
        _ entries: [String],
        _ faults: [(pattern: String, faults: Faults)],
        _ arguments: [String] = []
    ) async throws -> (sessions: [RecordedRun], result: ChildProgram.Outcome, requests: [RecordedRequest]) {
        var serving = ServerConfiguration(root: folder.path)
        serving.faults = faults.map { FaultRule(PathPattern($0.pattern), $0.faults) }
        let server = try LoopbackServer(serving)
        defer { server.stop() }
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run(
            entries.map { server.url(of: $0) } + ["--archive", archive, "--set", "player.resumeSeconds=1"] + arguments
        )
        let run = try RecordedRun(archive)
        #expect(run.end == "drained" && run.lines.allSatisfy { $0["flags"] == nil })
        try #require(run.sessions.count == entries.count, "\(result.errors)")
        return (run.sessions, result, server.requests)
    }

    private func errors(_ session: RecordedRun) -> [String] {
        session.events("player_error").map { event in
            let message = event.attribute("error_message")?.string ?? ""
            let part = message.matches(of: /part\d-\d\.m4s|\w+\.vtt|\w+\.m3u8 is/).last.map { String($0.output) } ?? ""
            return "\(event.attribute("error_id")?.string ?? "") \(part)"
        }
    }

    @Test(
        "Parts of a DASH stream are left out, the first, some in the middle and the last of one form, and each is told"
    )
    func dash() async throws {
        try StreamMedia.dashParts.copy(into: folder)
        let absent = Faults(status: 404)
        let (sessions, result, requests) = try await play(
            ["parts.mpd"],
            [("/part0-1.m4s", absent), ("/part?-[45].m4s", absent), ("/part0-8.m4s", absent)]
        )
        #expect(result.code == 65, "\(result.errors)")
        let session = try #require(sessions.first)
        #expect(session.event("complete") != nil, "\(result.errors)")
        let told = ["part0-1", "part0-4", "part0-5", "part0-8", "part1-4", "part1-5"]
        #expect(errors(session).sorted() == told.map { "segment_missing \($0).m4s" })
        // Each is a warning as it is found, up to a number.
        let lines = result.errors.split(separator: "\n")
        let end = lines.firstIndex { $0.hasSuffix("played to the end") } ?? 0
        let warnings = lines[..<end].filter { $0.contains("warning: ") && $0.contains("lacks a segment") }
        #expect(warnings.count == 5 && warnings.last?.contains("told by its events alone") == true, "\(lines)")
        #expect(session.events("player_error").allSatisfy { $0.attribute("error_fatal") == .bool(false) })
        #expect(requests.allSatisfy { request in requests.count { $0.path == request.path } <= 2 })
        // Where neither picture nor sound is there, nobody waits.
        let places = session.events("playhead_sample").compactMap { $0.state("playhead_ms")?.int }
        #expect(!places.contains { (1700...2350).contains($0) }, "\(places)")
        #expect(session.events("buffer_start").allSatisfy { $0.attribute("buffering_cause") != "frozen" })
    }

    @Test("A DASH stream of which too many parts or its last ones are missing ends with what its server answers")
    func dashGone() async throws {
        try StreamMedia.dashParts.copy(into: folder)
        try #require(
            unsafe system("cp -rl \(folder.path) \(folder.path)-end && mv \(folder.path)-end \(folder.file("end"))")
                == 0
        )
        let (sessions, result, requests) = try await play(
            ["parts.mpd", "end/parts.mpd"],
            [("/part?-[3-8].m4s", Faults(status: 404)), ("/end/part?-[78].m4s", Faults(status: 404))]
        )
        #expect(result.code == 66, "\(result.errors)")
        for session in sessions {
            let last = try #require(session.events("player_error").last)
            #expect(last.attribute("error_id") == "not_found" && last.attribute("error_fatal") == .bool(true))
            #expect(last.attribute("error_message")?.string?.contains("m4s is answered with status 404") == true)
            #expect(session.event("complete") == nil)
            // Three of each form, and the end.
            #expect(session.events("player_error").count <= 7)
        }
        #expect(requests.count < 60)
    }

    /// A transport stream with texts in segments, of which none is there, and one without their playlist.
    private func writeTexts() throws {
        try StreamMedia.transport.copy(into: folder)
        for name in ["segments", "nothing"] {
            _ = folder.write(
                "\(name).m3u8",
                "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"en\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,"
                    + "URI=\"\(name)-en.m3u8\"\n#EXT-X-STREAM-INF:BANDWIDTH=300000,SUBTITLES=\"s\"\nts.m3u8\n"
            )
        }
        let entries = (0..<16).map { "#EXTINF:0.25,\nen\($0).vtt\n" }.joined()
        _ = folder.write("segments-en.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n\(entries)#EXT-X-ENDLIST\n")
    }

    @Test(
        "Texts that are missing are told and end nothing, be they segments or their playlist",
        .enabled(if: TransportStreamTests.canBePlayed, "gstreamer1.0-plugins-bad is not installed"),
        arguments: [[], ["--no-decode"]]
    )
    func texts(arguments: [String]) async throws {
        try writeTexts()
        let (sessions, result, requests) = try await play(
            ["segments.m3u8", "nothing.m3u8"],
            [("/en*.vtt", Faults(status: 404))],
            ["--script", folder.write("script", "1 next\n1 next\n")] + arguments
        )
        #expect(result.code == 65, "\(result.errors)")
        #expect(
            sessions.map(errors) == [["segment_missing en0.vtt"], ["segment_missing en.m3u8 is"]],
            "\(result.errors)"
        )
        for session in sessions {
            #expect(session.event("first_frame") != nil && session.event("request_failed") != nil)
        }
        // Each is asked for once, and a playlist twice.
        let texts = requests.map(\.path).filter { $0.contains("en") }
        #expect(texts.contains("/en4.vtt") && texts.count <= 20, "\(texts)")
    }
}
