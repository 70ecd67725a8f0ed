import ChildPrograms
import LoopbackServer
import Testing
import TextEncoding

/// Sources that cannot be played: a message that says what, where and what to do, and the documented exit code.
struct SourceFailureTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    /// Plays a source that fails, and checks that the failure is told to people, in the exit code and in the archive.
    private func expectFailure(
        of source: String,
        _ code: String,
        exits exitCode: Int32,
        says text: String,
        isFatal: Bool = true
    ) async throws {
        let archive = folder.file("\(code).tally")
        let result = try await ChildProgram.run([source, "--archive", archive, "--quiet"])
        #expect(result.code == exitCode, "\(result.errors)")
        let line = result.errors.split(separator: "\n").first { $0.hasPrefix("tally-player: error: '\(source)' ") }
        #expect(line?.contains(text) == true, "\(result.errors)")
        let run = try RecordedRun(archive)
        let error = try #require(run.event("player_error"))
        #expect(error.attribute("error_id") == .string(code))
        #expect(error.attribute("error_fatal") == .bool(isFatal))
        #expect(error.attribute("error_message")?.string?.contains(source) == true)
        let tail = (isFatal ? [] : ["complete"]) + ["video_unload", "application_terminated"]
        #expect(run.names.suffix(tail.count + 1) == ["player_error"] + tail)
        #expect(run.end == "drained")
    }

    @Test("A page in the place of media is no media over HTTP too")
    func pageOverHTTP() async throws {
        let server = try LoopbackServer(ServerConfiguration(root: media.folder))
        defer { server.stop() }
        try await expectFailure(of: server.url(of: "page.html"), "not_media", exits: 65, says: "it is text/html")
    }

    @Test("Damage in the middle is told at the end, with the number of lost pictures")
    func damaged() async throws {
        try await expectFailure(
            of: media.damaged,
            "corrupt",
            exits: 65,
            says: "pictures could not be decoded",
            isFatal: false
        )
    }
}
