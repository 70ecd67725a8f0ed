internal import ChildPrograms
internal import Glibc
internal import Testing

/// What was recorded of a viewer is gone when somebody asks for it, from every file.
@Suite struct ErasureTests {
    private static let planted = "planted-viewer-5d20e7"
    private let folder = TemporaryFolder()

    private func ctl(_ words: String...) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run(["ctl", "--timeout", "300", "--control", folder.file("socket")] + words)
    }

    /// Files that hold the planted text.
    private func holders() -> [String] {
        let found = folder.file("found")
        _ = unsafe system("grep -rlaF \(Self.planted) \(folder.path) --exclude=found | sort > \(found)")
        return (try? TestFile.text(found).split(separator: "\n").map(String.init)) ?? []
    }

    private func erased() async throws -> ChildProgram {
        let player = try ChildProgram.player(
            ChildProgram.unreachable + [
                "--archive", folder.file("archives/"), "--control", folder.file("socket"),
                "--plugins", "new-relic-video,sqlite",
                "--set", "plugins.sqlite.config.path=\"\(folder.file("out.db"))\"",
            ]
        )
        #expect(await player.isWaitingForSource())
        let event = #"{"action": "NOTE", "attributes": {"viewer": "\#(Self.planted)"}}"#
        #expect(try await ctl("plugin", "command", "new-relic-video", "sendEvent", event).code == 0)
        #expect(await eventually { holders().count >= 2 }, "archive and database have it")
        let answer = try await ctl("erase")
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(holders() == [])
        return player
    }

    @Test("After an erasure no file has it, neither when the player has ended nor after a crash")
    func erasure() async throws {
        let crashing = try await erased()
        #expect(try await crashing.killed())
        let ending = try await erased()
        #expect(!ending.errors.contains("recovered"), "\(ending.errors)")
        ending.send(SIGTERM)
        #expect(try await ending.outcome().code == 69)
        #expect(holders() == [])
    }
}
