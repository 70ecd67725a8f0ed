internal import ChildPrograms
internal import SimulatedPlayback
internal import Testing
internal import TextEncoding

/// Sources that are opened again when their server fails.
struct RetryTests {
    private let player = SimulatedPlayer()
    private let source = "http://media.example/clip.mp4"

    private func play(
        _ source: String,
        _ options: [String],
        script: String? = nil
    ) throws -> (RecordedRun, ChildProgram.Outcome) {
        try player.record([source, "--quiet", "--json"] + options, script: script)
    }

    @Test("A source that fails is opened again as a session of its own, and what becomes of that decides")
    func success() throws {
        let failing = SimulatedMedia(.status(503))
        player.web.put(failing, failing, .clip, at: source)
        let (run, result) = try play(source, ["--retry", "5", "--retry-delay", "0.2"])
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
    func failure() throws {
        player.web.put(SimulatedMedia(.status(503)), at: source)
        let (run, result) = try play(
            source,
            ["--set", "player.retries=2", "--set", "player.retryDelaySeconds=0.1"]
        )
        #expect(result.code == 69)
        #expect(run.events("player_error").count == 3)
        #expect(run.end == "drained")
        #expect(try result.summary()["retries"] == .int(2))
        #expect(try result.summary()["error"]?["code"] == "http_error")
    }

    @Test("What no try can change is not tried again")
    func pointless() throws {
        let (run, result) = try play(player.garbage, ["--retry", "5"])
        #expect(result.code == 65)
        #expect(run.events("video_load").count == 1)
    }

    @Test("The script's lines by the clock are carried out while the player waits for the next try")
    func script() throws {
        player.web.put(SimulatedMedia(.status(503)), at: source)
        let (run, result) = try play(
            source,
            ["--retry", "1", "--retry-delay", "3600"],
            script: "0 pause\n@3 pause\n@3.2 stop\n"
        )
        #expect(result.code == 69, "\(result.errors)")
        #expect(result.errors.contains("is opened again in a moment"), "\(result.errors)")
        #expect(run.events("video_load").count == 1)
        #expect(try result.summary()["error"]?["code"] == "http_error")
        #expect(try result.summary()["unreached_lines"] == [.string("\(player.script):1")])
        let (second, ended) = try play(
            source,
            [player.clip, "--retry", "9", "--retry-delay", "3600", "--duration", "60"],
            script: "@3 next\n"
        )
        #expect(ended.code == 69, "\(ended.errors)")
        #expect(second.event("complete") != nil)
    }
}
