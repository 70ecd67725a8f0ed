internal import ChildPrograms
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// What goes wrong on the way to the media: an error event with its code, the exit code, and a complete archive.
struct FaultTests {
    /// A fault, and what becomes of it.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The file that is played.
        let file: String
        /// What the server does wrong.
        let rules: [FaultRule]
        let code: String
        let exitCode: Int32
        /// Whether pictures were shown before.
        var isShown = true
    }

    private static let media = "hls/master.m3u8"
    private static let late = PathPattern("/hls/v*3.m4s")

    private static let faults: [Fault] = [
        Fault(
            testDescription: "a connection that breaks off in the middle of a file",
            file: "clip.mp4",
            rules: [FaultRule(PathPattern("*"), Faults(cutAfter: 60_000))],
            code: "connection_lost",
            exitCode: 69,
            isShown: false
        ),
        Fault(
            testDescription: "a file that comes no further",
            file: "clip.mp4",
            rules: [FaultRule(PathPattern("*"), Faults(stallAfter: 100_000))],
            code: "stalled",
            exitCode: 69
        ),
        Fault(
            testDescription: "a segment that is cut short",
            file: media,
            rules: [FaultRule(late, Faults(cutAfter: 1000))],
            code: "connection_lost",
            exitCode: 69
        ),
        Fault(
            testDescription: "a segment whose connection is refused",
            file: media,
            rules: [FaultRule(late, Faults(refuses: true))],
            code: "connection_lost",
            exitCode: 69
        ),
        Fault(
            testDescription: "a segment that is not there",
            file: media,
            rules: [FaultRule(late, Faults(status: 404))],
            code: "not_found",
            exitCode: 66
        ),
        Fault(
            testDescription: "a segment that the server fails to give, again and again",
            file: media,
            rules: [FaultRule(late, Faults(status: 503))],
            code: "stalled",
            exitCode: 69
        ),
        Fault(
            testDescription: "a playlist that is not there",
            file: media,
            rules: [FaultRule(PathPattern("/hls/v?.m3u8"), Faults(status: 404))],
            code: "invalid_manifest",
            exitCode: 65,
            isShown: false
        ),
    ]

    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    /// The limits are short: what a fault does is told after them.
    private func play(_ source: String, _ more: [String] = []) async throws -> (RecordedRun, ChildProgram.Outcome) {
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run(
            [
                source, "--archive", archive, "--quiet", "--duration", "90", "--set", "player.stallTimeoutSeconds=3",
                "--set", "player.bufferSeconds=2", "--set", "player.resumeSeconds=1",
            ] + more
        )
        return (try RecordedRun(archive), result)
    }

    private func check(_ run: RecordedRun, _ result: ChildProgram.Outcome, _ code: String, _ exitCode: Int32) throws {
        #expect(result.code == exitCode, "\(result.errors)")
        let error = try #require(run.event("player_error"), "\(result.errors)")
        #expect(error.attribute("error_id") == .string(code))
        #expect(error.attribute("error_fatal") == true)
        #expect(run.names.suffix(3) == ["player_error", "video_unload", "application_terminated"])
        #expect(run.end == "drained")
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
    }

    @Test("A fault on the way has its error, its exit code and a complete archive", arguments: faults)
    func fault(_ fault: Fault) async throws {
        var serving = ServerConfiguration(root: media.folder)
        serving.faults = fault.rules
        let server = try LoopbackServer(serving)
        defer { server.stop() }
        let (run, result) = try await play(server.url(of: fault.file))
        try check(run, result, fault.code, fault.exitCode)
        #expect((run.event("first_frame") != nil) == fault.isShown, "\(result.errors)")
    }

    @Test("A stall that lasts to the end counts with its time")
    func openStall() async throws {
        var serving = ServerConfiguration(root: media.folder)
        serving.faults = [FaultRule(Self.late, Faults(stallAfter: 1000))]
        let server = try LoopbackServer(serving)
        defer { server.stop() }
        let (run, result) = try await play(server.url(of: Self.media), ["--json"])
        try check(run, result, "stalled", 69)
        let summary = try result.summary()
        #expect(summary["error"]?["code"] == "stalled")
        #expect(summary["stalls"] == .int(1))
        // The limit of the stall is three seconds.
        #expect(summary["stalled_ms"]?.int ?? 0 > 2500)
    }

    @Test("A media playlist without a byte is an invalid manifest, and does not end the process")
    func emptyPlaylist() async throws {
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=160x90\nempty.m3u8\n"
        _ = folder.write("master.m3u8", master)
        _ = folder.write("empty.m3u8", "")
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        defer { server.stop() }
        let (run, result) = try await play(server.url(of: "master.m3u8"))
        try check(run, result, "invalid_manifest", 65)
        let told = run.events("request_completed").map { $0.attribute("request_url")?.string ?? "" }
        #expect(told.contains(server.url(of: "empty.m3u8")))
    }

    @Test("A server that dies in the middle of a segment is a lost connection")
    func dyingServer() async throws {
        var serving = ServerConfiguration(root: media.folder)
        serving.throttle = ThrottleSchedule(bitsPerSecond: 700_000)
        let server = try LoopbackServer(serving)
        let archive = folder.file("run.tally")
        let player = try ChildProgram.player([
            server.url(of: Self.media), "--archive", archive, "--set", "player.bufferSeconds=2",
            "--set", "player.resumeSeconds=1",
        ])
        #expect(await player.says(": playing"))
        server.stop()
        let result = try await player.outcome()
        try check(try RecordedRun(archive), result, "connection_lost", 69)
    }

    @Test("A host that nobody knows is not found")
    func unknownHost() async throws {
        let (run, result) = try await play("http://host.invalid/clip.mp4")
        try check(run, result, "host_not_found", 69)
    }

    @Test("Media of Common Encryption is called encrypted")
    func encrypted() async throws {
        let file = folder.file("encrypted.mp4")
        let made = try await ChildProgram.run(
            [
                "ffmpeg", "-v", "error", "-y", "-i", media.clip, "-c", "copy", "-encryption_scheme", "cenc-aes-ctr",
                "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
                "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", file,
            ],
            program: "/usr/bin/env"
        )
        try #require(made.code == 0, "\(made.errors)")
        let (run, result) = try await play(file)
        try check(run, result, "encrypted", 65)
    }
}
