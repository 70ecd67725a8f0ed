internal import ChildPrograms
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Sources that are opened again when their server fails.
struct RetryTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    private func server(_ faults: Faults, limit: Int? = nil) throws -> LoopbackServer {
        var serving = ServerConfiguration(root: media.folder)
        serving.faults = [FaultRule(PathPattern("*"), faults, limit: limit)]
        return try LoopbackServer(serving)
    }

    private func play(_ source: String, _ options: [String]) async throws -> (RecordedRun, ChildProgram.Outcome) {
        let archive = folder.file("run.tally")
        let result = try await ChildProgram.run(
            [source, "--archive", archive, "--quiet", "--json", "--set", "player.networkRetries=0"] + options
        )
        return (try RecordedRun(archive), result)
    }

    @Test("A source that fails is opened again as a session of its own, and what becomes of that decides")
    func success() async throws {
        let server = try server(Faults(status: 503), limit: 2)
        defer { server.stop() }
        let (run, result) = try await play(server.url(of: "clip.mp4"), ["--retry", "5", "--retry-delay", "0.2"])
        #expect(result.code == 0, "\(result.errors)")
        let course = run.names.filter { ["video_load", "player_error", "video_unload", "complete"].contains($0) }
        let failed = ["video_load", "player_error", "video_unload"]
        #expect(course == failed + failed + ["video_load", "complete", "video_unload"])
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        #expect(try result.summary()["retries"] == .int(2))
        #expect(try result.summary()["error"] == .null)
        let starts = run.events("video_load").compactMap { $0["t_us"]?.int }
        let ends = run.events("video_unload").compactMap { $0["t_us"]?.int }
        #expect(zip(starts.dropFirst(), ends).allSatisfy { $0 - $1 >= 200_000 })
    }

    @Test("After the last try the error stands")
    func failure() async throws {
        let server = try server(Faults(status: 503))
        defer { server.stop() }
        let (run, result) = try await play(
            server.url(of: "clip.mp4"),
            ["--set", "player.retries=2", "--set", "player.retryDelaySeconds=0.1"]
        )
        #expect(result.code == 69)
        #expect(run.events("player_error").count == 3)
        #expect(run.end == "drained")
        #expect(try result.summary()["retries"] == .int(2))
        #expect(try result.summary()["error"]?["code"] == "http_error")
    }

    @Test("What no try can change is not tried again")
    func pointless() async throws {
        let (run, result) = try await play(media.garbage, ["--retry", "5"])
        #expect(result.code == 65)
        #expect(run.events("video_load").count == 1)
    }

    @Test("The script's lines by the clock are carried out while the player waits for the next try")
    func script() async throws {
        let server = try server(Faults(status: 503))
        defer { server.stop() }
        let script = folder.write("script", "0 pause\n@3 pause\n@3.2 stop\n")
        let (run, result) = try await play(
            server.url(of: "clip.mp4"),
            ["--script", script, "--retry", "1", "--retry-delay", "3600"]
        )
        #expect(result.code == 69, "\(result.errors)")
        #expect(result.errors.contains("is opened again in a moment"), "\(result.errors)")
        #expect(run.events("video_load").count == 1)
        #expect(try result.summary()["error"]?["code"] == "http_error")
        #expect(try result.summary()["unreached_lines"] == [.string("\(script):1")])
        let next = folder.write("next", "@3 next\n")
        let (second, ended) = try await play(
            server.url(of: "clip.mp4"),
            [media.clip, "--script", next, "--retry", "9", "--retry-delay", "3600", "--duration", "60"]
        )
        #expect(ended.code == 69, "\(ended.errors)")
        #expect(second.event("complete") != nil)
    }

    @Test("While the player waits for the next try it can be told to go on with another source, or to end")
    func commands() async throws {
        let server = try server(Faults(status: 503))
        defer { server.stop() }
        let socket = folder.file("socket")
        let archive = folder.file("run.tally")
        let player = try ChildProgram.player([
            server.url(of: "clip.mp4"), media.clip, "--archive", archive, "--control", socket, "--retry", "9",
            "--retry-delay", "3600", "--set", "player.networkRetries=0",
        ])
        #expect(await player.says("the source is opened again in 3600000 ms"))
        let refused = try await ChildProgram.run(["ctl", "--timeout", "300", "--control", socket, "pause"])
        #expect(refused.code == 1)
        #expect(refused.errors.contains("is opened again in a moment"), "\(refused.errors)")
        #expect(try await ChildProgram.run(["ctl", "--timeout", "300", "--control", socket, "next"]).code == 0)
        #expect(await player.says("first frame"))
        let result = try await player.outcome()
        #expect(result.code == 69, "\(result.errors)")
        let run = try RecordedRun(archive)
        #expect(run.events("video_load").count == 2)
        #expect(run.event("complete") != nil)
    }
}
