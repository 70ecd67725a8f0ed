internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// A player that died, and the next one that finds its archive.
@Suite struct RecoveryTests {
    private let folder = TemporaryFolder()

    /// How a player ends that has little time: that may be over before the source has failed.
    private static let ends: Set<Int32> = [0, 69]

    private func player(_ more: [String]) throws -> ChildProgram {
        try ChildProgram.player(
            ChildProgram.unreachable + [
                "--archive", folder.file("archives/"),
                "--plugins", "example-swift,sqlite", "--set", "plugins.sqlite.config.path=\"\(folder.file("out.db"))\"",
            ] + more
        )
    }

    /// The archives by name, each with all its lines.
    private func archives() throws -> [(path: String, lines: [Substring])] {
        let listing = folder.file("listing")
        _ = unsafe system("ls \(folder.file("archives/"))*.tally > \(listing) 2>/dev/null")
        return try TestFile.text(listing).split(separator: "\n").map(String.init).map { path in
            (path, try TestFile.text(path).split(separator: "\n"))
        }
    }

    private func kill(_ player: ChildProgram) async throws {
        #expect(await player.isWaitingForSource())
        // Something has to be in the archive.
        let isRecorded = try await eventually {
            try archives().contains { $0.lines.contains { $0.contains("player_error") } }
        }
        #expect(isRecorded)
        player.send(SIGKILL)
        #expect(try await player.outcome().code == -SIGKILL)
    }

    @Test("The next player ends the run with the reason crash, once, and says so")
    func recovered() async throws {
        try await kill(player([]))
        #expect(try archives().count == 1)
        #expect(try #require(archives().first).lines.last?.contains("\"end\"") == false)
        let second = try await player(["--duration", "0.5"]).outcome()
        #expect(Self.ends.contains(second.code))
        #expect(second.errors.contains("recovered: the run"), "\(second.errors)")
        let ended = try archives()
        try #require(ended.count == 2)
        #expect(ended[0].lines.last?.contains(#""end":"crash","dropped":0"#) == true)
        #expect(ended[1].lines.last?.contains(#""end":"drained""#) == true)
        let third = try await player(["--duration", "0.5"]).outcome()
        #expect(Self.ends.contains(third.code) && !third.errors.contains("recovered"), "\(third.errors)")
        #expect(try archives().first?.lines == ended[0].lines)
        let replay = try await ChildProgram.run(
            [folder.file("archives/"), "--strict", "--json"],
            program: "tally-replay"
        )
        #expect(replay.code == 0, "\(replay.errors)")
        #expect(try replay.summary()["open_runs"] == 0)
    }

    @Test("An archive that a living player writes is left alone")
    func locked() async throws {
        let first = try player(["--control", folder.file("socket")])
        #expect(await first.isWaitingForSource())
        let second = try await player(["--duration", "0.5"]).outcome()
        #expect(Self.ends.contains(second.code) && !second.errors.contains("recovered"), "\(second.errors)")
        first.send(SIGTERM)
        #expect(try await first.outcome().code == 69)
        #expect(try archives().allSatisfy { $0.lines.last?.contains(#""end":"drained""#) == true })
        let archive = ["--archive", folder.file("one.tally")]
        let same = try ChildProgram.player(ChildProgram.unreachable + archive)
        #expect(await same.isWaitingForSource())
        let refused = try await ChildProgram.run(ChildProgram.unreachable + archive)
        #expect(refused.code == 73 && refused.errors.contains("another player"), "\(refused.errors)")
        same.send(SIGTERM)
        #expect(try await same.outcome().code == 69)
    }

    @Test("Without a reporter that knows what it has, or where it is turned off, the archive waits")
    func waits() async throws {
        try await kill(player([]))
        let before = try #require(archives().first).lines
        let off = try await player(["--duration", "0.3", "--set", "recover=false"]).outcome()
        #expect(Self.ends.contains(off.code) && !off.errors.contains("recovered"))
        let plain = try await ChildProgram.run(
            ChildProgram.unreachable + [
                "--archive", folder.file("archives/"), "--duration", "0.3", "--plugins", "example-c,discard",
            ]
        )
        #expect(Self.ends.contains(plain.code) && !plain.errors.contains("recovered"))
        #expect(try archives().first?.lines == before)
    }

    @Test("A plugin that is not there any more is told, and the archive waits for it")
    func missing() async throws {
        try await kill(player([]))
        let path = try #require(archives().first).path
        let text = try TestFile.text(path)
        // The recorded plugin becomes one that nobody has.
        _ = unsafe system("sed -i '1s/org.tally.example.swift/org.tally.example.gone1/' \(path)")
        let second = try await player(["--duration", "0.5"]).outcome()
        #expect(Self.ends.contains(second.code))
        #expect(second.errors.contains("not recovered") && second.errors.contains("org.tally.example.gone1"))
        #expect(try TestFile.text(path).count == text.count)
    }
}
