internal import ChildPrograms
internal import Testing
internal import TextEncoding

/// What a player without screen and network of its own can only pretend.
struct StateCommandTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("The viewer's connection is an event, and goes on to be said of later sources")
    func connection() async throws {
        let archive = folder.file("run.tally")
        let script = folder.write("script", "1 connection cellular\n1.5 next")
        let result = try await ChildProgram.run([
            media.clip, media.clip, "--script", script, "--archive", archive, "--quiet",
        ])
        #expect(result.code == 0, "\(result.errors)")
        let run = try RecordedRun(archive)
        let change = try #require(run.events("custom").first)
        #expect(change.attribute("custom_name") == "connection_change")
        #expect(change.attribute("connection_type") == "cellular")
        let described = run.events("metadata_change")
        #expect(described.first?.attribute("connection_type") == nil)
        #expect(described.last?.attribute("connection_type") == "cellular")
        #expect(described.last?["session"] == .int(2))
    }

    @Test("A session can seem to have no pictures; then a locked device does not interrupt it")
    func audioOnly() async throws {
        let archive = folder.file("run.tally")
        let script = folder.write(
            "script",
            "1 audio-only on\n1.2 interrupt lock\n1.4 interrupt end\n2 audio-only auto\n2.2 interrupt lock"
        )
        let result = try await ChildProgram.run([
            media.clip, "--script", script, "--archive", archive, "--quiet",
        ])
        #expect(result.code == 0, "\(result.errors)")
        let run = try RecordedRun(archive)
        let said = run.lines.compactMap { $0.state("audio_only")?.bool }
        #expect(said.contains(true))
        #expect(said.last == false)
        #expect(run.events("interruption_start").count == 1)
        #expect(run.events("interruption_start").first?.state("audio_only") == false)
    }
}
