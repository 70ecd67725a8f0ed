internal import Glibc
internal import Testing

/// What was recorded of a viewer is gone when somebody asks for it, from every file.
@Suite struct ErasureTests {
    private static let planted = "planted-viewer-5d20e7"
    private let folder = TemporaryFolder()

    private func arguments(_ more: [String]) -> [String] {
        [
            TestMedia.shared.clip, "--archive", folder.file("archives/"), "--control", folder.file("socket"),
            "--plugins", "new-relic-video,sqlite", "--set", "plugins.sqlite.config.path=\"\(folder.file("out.db"))\"",
        ] + more
    }

    private func ctl(_ words: String...) throws -> PlayerProcess.Result {
        try PlayerProcess.run(["ctl", "--control", folder.file("socket")] + words)
    }

    /// Files that hold the planted text.
    private func holders() -> [String] {
        let found = folder.file("found")
        _ = unsafe system("grep -rlaF \(Self.planted) \(folder.path) --exclude=found | sort > \(found)")
        return (try? TestFile.text(found).split(separator: "\n").map(String.init)) ?? []
    }

    private func erased() throws -> PlayerProcess {
        let player = try PlayerProcess(arguments(["--repeat", "50"]))
        #expect(player.waitForErrors("playing"))
        #expect(try ctl("custom", "note", "viewer=\(Self.planted)").code == 0)
        for _ in 0..<2_000 where holders().count < 2 { usleep(10_000) }
        #expect(holders().count >= 2, "archive and database have it")
        let answer = try ctl("erase")
        #expect(answer.code == 0, "\(answer.errors)")
        #expect(holders() == [])
        return player
    }

    @Test("After an erasure no file has it, nor when the player has ended")
    func ended() throws {
        let player = try erased()
        player.signal(SIGTERM)
        #expect(try player.wait().code == 0)
        #expect(holders() == [])
    }

    @Test("After an erasure and a crash the next player recovers nothing of it")
    func crashed() throws {
        let player = try erased()
        player.signal(SIGKILL)
        #expect(try player.wait().code == -SIGKILL)
        let next = try PlayerProcess.run(arguments(["--duration", "0.5"]))
        #expect(next.code == 0 && !next.errors.contains("recovered"), "\(next.errors)")
        #expect(holders() == [])
    }
}
