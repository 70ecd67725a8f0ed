internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// What goes wrong on the way to real media: an error event with its code in each session, and a complete archive.
///
/// What the program makes of each code is in `SimulatedFailureTests`.
struct FaultTests {
    /// A source, and what becomes of its session.
    private struct Source {
        let location: String
        /// The error's code; nil when there is none.
        let code: String?
        /// A part of the error's text.
        var text = ""
        var isFatal = true
        /// Whether pictures were shown before; nil when that depends on how fast the machine is.
        var isShown: Bool? = true
    }

    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    /// Plays one source after another.
    ///
    /// Only what has no other end than the limit is played with a short one: a busy machine may take seconds to try a
    /// segment again, and what is refused until the limit is told by the refusal.
    private func play(
        _ sources: [Source],
        stallTimeoutSeconds: Int = 20
    ) async throws -> (sessions: [RecordedRun], result: ChildProgram.Outcome) {
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run(
            sources.map(\.location) + [
                "--archive", archive, "--set", "player.stallTimeoutSeconds=\(stallTimeoutSeconds)",
                "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
            ]
        )
        let run = try RecordedRun(archive)
        #expect(run.end == "drained")
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        try #require(run.sessions.count == sources.count, "\(result.errors)")
        return (run.sessions, result)
    }

    private func check(_ session: RecordedRun, of source: Source) throws {
        if let isShown = source.isShown {
            #expect((session.event("first_frame") != nil) == isShown, "\(source.location)")
        }
        let errors = session.events("player_error")
        // A segment may be left out before the next one that is missing too ends the source.
        let before = errors.dropLast().filter { $0.attribute("error_id") != "segment_missing" }
        let end =
            before.map { _ in "player_error" } + errors.suffix(1).map { _ in "player_error" }
            + session.names.filter { ["complete", "video_unload"].contains($0) }
        guard let code = source.code else { return #expect(end == ["complete", "video_unload"], "\(source.location)") }
        #expect(end == ["player_error"] + (source.isFatal ? [] : ["complete"]) + ["video_unload"], "\(source.location)")
        let error = try #require(errors.last, "\(source.location)")
        #expect(error.attribute("error_id") == .string(code), "\(source.location)")
        #expect(error.attribute("error_fatal") == .bool(source.isFatal))
        let message = error.attribute("error_message")?.string ?? ""
        #expect(message.contains(source.location) && message.contains(source.text), "\(message)")
    }

    @Test("Files that lack something are played as far as they go, and each failure has its code")
    func files() async throws {
        for (name, options) in [("silent", "-t 1.5 -an"), ("blind", "-t 1.5 -vn")] {
            try ffmpeg("-i \(media.clip) \(options) -c copy \(folder.file(name)).mp4")
        }
        try ffmpeg(
            "-i \(media.clip) -c copy -encryption_scheme cenc-aes-ctr -encryption_key 76a6c65c5ea762046bd749a2e632ccbb"
                + " -encryption_kid a7e61c373e219033c21091fa607bf3b8 \(folder.file("encrypted.mp4"))"
        )
        for name in ["cut.mp4", "stuck.mp4"] { try folder.copy(media.clip, as: name) }
        try folder.copy(media.page, as: "page.html")
        var serving = ServerConfiguration(root: folder.path)
        serving.faults = [
            FaultRule(PathPattern("/cut.mp4"), Faults(cutAfter: 60_000)),
            FaultRule(PathPattern("/stuck.mp4"), Faults(stallAfter: 100_000)),
        ]
        let server = try LoopbackServer(serving)
        defer { server.stop() }
        let sources = [
            Source(location: folder.file("silent.mp4"), code: nil),
            Source(location: folder.file("blind.mp4"), code: nil),
            Source(location: folder.write("empty.mp4", ""), code: "not_media", isShown: false),
            Source(location: server.url(of: "page.html"), code: "not_media", text: "it is text/html", isShown: false),
            Source(location: media.damaged, code: "corrupt", text: "pictures could not be decoded", isFatal: false),
            Source(location: folder.file("encrypted.mp4"), code: "encrypted", isShown: false),
            Source(location: "http://host.invalid/clip.mp4", code: "host_not_found", isShown: false),
            Source(location: server.url(of: "cut.mp4"), code: "connection_lost", isShown: nil),
        ]
        let stuck = Source(location: server.url(of: "stuck.mp4"), code: "stalled", isShown: nil)
        let (sessions, result) = try await play(sources)
        for (session, source) in zip(sessions, sources) { try check(session, of: source) }
        // The first failure decides, and is told.
        #expect(result.code == 65, "\(result.errors)")
        #expect(result.errors.contains("error: '\(sources[2].location)' contains no media"), "\(result.errors)")
        #expect(sessions[1].lines.contains { $0.state("audio_only") == .bool(true) })
        #expect(sessions[1].events("playhead_sample").count >= 2)
        try check(try #require(try await play([stuck], stallTimeoutSeconds: 4).sessions.first), of: stuck)
    }

    private func ffmpeg(_ arguments: String) throws {
        try #require(unsafe system("ffmpeg -v error -y \(arguments)") == 0)
    }

    @Test("Each fault of an adaptive stream has its code, and the next source is played")
    func streams() async throws {
        let faults: [(name: String, part: String, faults: Faults, code: String)] = [
            // A segment that is cut short, refused, not there, and not given again and again; lists that are not there.
            ("cut", "v*2.m4s", Faults(cutAfter: 1000), "connection_lost"),
            ("refused", "v*2.m4s", Faults(refuses: true), "connection_lost"),
            ("absent", "v*2.m4s", Faults(status: 404), "segment_missing"),
            ("failing", "v*[2-5].m4s", Faults(status: 503), "http_error"),
            ("listless", "v?.m3u8", Faults(status: 404), "invalid_manifest"),
        ]
        let serving = try self.serving(faults.map { ($0.name, $0.part, $0.faults) })
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=160x90\nempty.m3u8\n"
        _ = folder.write("master.m3u8", master)
        _ = folder.write("empty.m3u8", "")
        let server = try LoopbackServer(serving)
        defer { server.stop() }
        var slow = ServerConfiguration(root: media.folder)
        slow.throttle = ThrottleSchedule(bitsPerSecond: 700_000)
        let mortal = try LoopbackServer(slow)
        // A media playlist without a byte does not end the process.
        let sources =
            faults.map { fault in
                Source(
                    location: server.url(of: fault.name + "/master.m3u8"),
                    code: fault.code,
                    isFatal: fault.code != "segment_missing",
                    isShown: fault.code != "invalid_manifest"
                )
            } + [
                Source(location: server.url(of: "master.m3u8"), code: "invalid_manifest", isShown: false),
                // A server that dies in the middle of a segment is a lost connection.
                Source(location: mortal.url(of: "hls/master.m3u8"), code: "connection_lost"),
            ]
        // Most of it is shown by then, and two segments are still to come.
        mortal.stop { $0.contains { $0.path.hasSuffix("3.m4s") } }
        let (sessions, result) = try await play(sources)
        for (session, source) in zip(sessions, sources) { try check(session, of: source) }
        #expect(result.code == 69, "\(result.errors)")
        let told = sessions[5].events("request_completed").map { $0.attribute("request_url")?.string ?? "" }
        #expect(told.contains(server.url(of: "empty.m3u8")))
    }

    @Test("A segment that comes no further is a stall that lasts to the end")
    func stuckSegment() async throws {
        let server = try LoopbackServer(serving([("stuck", "v*2.m4s", Faults(stallAfter: 1000))]))
        defer { server.stop() }
        let source = Source(location: server.url(of: "stuck/master.m3u8"), code: "stalled")
        let (sessions, result) = try await play([source], stallTimeoutSeconds: 6)
        let session = try #require(sessions.first)
        try check(session, of: source)
        #expect(result.code == 69, "\(result.errors)")
        #expect(session.names.last { $0.hasPrefix("buffer_") } == "buffer_start")
    }

    /// A folder of the stream for each fault, with the fault in a part of it.
    private func serving(_ faults: [(name: String, part: String, faults: Faults)]) throws -> ServerConfiguration {
        var serving = ServerConfiguration(root: folder.path)
        for fault in faults {
            // Hard links, because a symbolic one would lead out of the folder.
            try #require(unsafe system("cp -rl \(media.folder)/hls \(folder.file(fault.name))") == 0)
            serving.faults.append(FaultRule(PathPattern("/\(fault.name)/\(fault.part)"), fault.faults))
        }
        return serving
    }
}
