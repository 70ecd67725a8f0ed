internal import ChildPrograms
internal import Testing
internal import TextEncoding

/// Several sources in one run.
struct PlaylistTests {
    private let player = SimulatedPlayer()
    private var clip: String { player.clip }

    private func play(
        _ arguments: [String],
        script: String? = nil
    ) throws -> (RecordedRun, ChildProgram.Outcome) {
        try player.record(arguments + ["--json"], script: script)
    }

    private func course(_ run: RecordedRun) -> [String] {
        run.names.filter { !["rendition_change", "metadata_change"].contains($0) }
    }

    private static let session = ["video_load", "play", "first_frame"]

    @Test("Sources are sessions of one run, and load and next change them while playing")
    func sessions() throws {
        let script = "0.5 mute on\n1 next\n@60 next"
        let loading = "0.3 load \(clip)\n@2 next\n@3 stop"
        let (run, result) = try play([clip, clip], script: script)
        #expect(result.code == 0, "\(result.errors)")
        #expect(
            course(run) == ["application_launched", "player_ready"] + Self.session + ["video_unload"] + Self.session
                + ["complete", "video_unload", "application_terminated"]
        )
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        let summary = try result.summary()
        #expect(summary["items"] == .int(2))
        #expect((4500..<5500).contains(summary["played_ms"]?.int ?? 0))
        #expect(summary["rendered_frames"]?.int ?? 0 >= 100)

        let (loaded, second) = try play([clip], script: loading)
        #expect(second.code == 0, "\(second.errors)")
        #expect(loaded.events("video_load").count == 2)
        #expect(loaded.events("video_unload").count == 2)
        #expect(second.errors.contains("there is no next source"))
    }

    @Test("A source that fails does not keep the next from being played, and decides the exit code")
    func failingSource() throws {
        let (run, result) = try play([player.garbage, clip, "--duration", "2"])
        #expect(result.code == 65)
        #expect(run.events("video_load").count == 2)
        #expect(run.events("first_frame").count == 1)
        #expect(try result.summary()["error"]?["code"] == "not_media")
    }

    @Test("A source that fails is told before the next one is loaded, unless the player is to be quiet")
    func toldFailure() throws {
        let other = TemporaryFolder().file("none.mp4")
        let arguments = [clip, player.garbage, clip, other, "--duration", "9"]
        let (_, result) = try player.record(arguments, script: "0.5 next\n")
        let text = result.errors
        let warning = try #require(text.firstRange(of: "warning: '\(player.garbage)' contains no media"), "\(text)")
        #expect(text[warning.upperBound...].contains("loading \(clip)"), "\(text)")
        #expect(text.contains("warning: '\(other)' was not found"), "\(text)")
        let (_, quiet) = try player.record(arguments + ["--quiet"])
        #expect(!quiet.errors.contains("warning: "), "\(quiet.errors)")
    }

    @Test("What is refused of a script is told with its line")
    func refusedLine() throws {
        let (_, result) = try player.record([clip], script: "0.5 pin 1000\n# nothing\n0.7 skip-ad\n")
        let refused = "script:1: the command 'pin 1000' was refused: the item has only one rendition"
        #expect(result.errors.contains(refused), "\(result.errors)")
        #expect(result.errors.contains("script:3: there is no ad to skip"), "\(result.errors)")
    }

    @Test("Sources are repeated so many times, or until one fails")
    func repetition() throws {
        let script = (1...40).map { "@\(Double($0) / 4) next" }.joined(separator: "\n")
        let (run, result) = try play([clip, "--repeat", "3"], script: script)
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("video_load").count == 3)
        let (failing, second) = try play([player.garbage, clip, "--until-error"])
        #expect(second.code == 65)
        #expect(failing.events("video_load").count == 1)
    }

    @Test("Volume and mute go on to the next source without a moment at which it seems to be heard")
    func sound() throws {
        let script = "0.3 volume 0.5\n0.5 mute on\n1 next"
        let (run, result) = try play([clip, clip], script: script)
        #expect(result.code == 0, "\(result.errors)")
        let change = try #require(run.lines.firstIndex { $0.state("muted") == true })
        let later = run.lines[change...]
        #expect(later.contains { $0["session"] == .int(2) })
        #expect(later.compactMap { $0.state("muted")?.bool }.allSatisfy { $0 })
        #expect(later.compactMap { $0.state("volume_milli")?.int }.allSatisfy { $0 == 500 })
    }

    @Test("Ads are put into each source")
    func ads() throws {
        let server = SimulatedAdServer(player.web)
        let script = "1 next"
        let (run, result) = try play(
            [clip, clip, "--ads", server.url("inline.xml"), "--duration", "12"],
            script: script
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(run.events("ad_break_start").count == 2)
        #expect(run.events("ad_break_complete").count == 2)
        #expect(run.lines.allSatisfy { $0["flags"] == nil })
        #expect(try result.summary()["ads"] == .int(2))
    }
}
