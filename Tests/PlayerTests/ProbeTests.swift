internal import ChildPrograms
internal import Testing
internal import TextEncoding

/// The player as a probe.
struct ProbeTests {
    private let player = SimulatedPlayer()
    private let folder = TemporaryFolder()

    @Test("Conditions decide the exit code, and JUnit's file has a test for each")
    func expectations() throws {
        let junit = folder.file("probe.xml")
        let arguments = [player.clip, "--duration", "1", "--quiet", "--json", "--junit", junit]
        let good = try player.run(
            arguments + ["--expect", "startup_ms < 20000", "--expect", "stalls==0", "--expect", "track_cpu_us < 1e9"]
        )
        #expect(good.code == 0, "\(good.errors)")
        #expect(try TestFile.text(junit).contains("tests=\"4\" failures=\"0\""))
        let bad = try player.run(
            arguments + ["--expect", "complete >= 1", "--expect", "seeks != 0", "--expect", "duration_ms > 3900"]
        )
        #expect(bad.code == 1)
        #expect(bad.errors.contains("expected complete >= 1, and it is 0"))
        #expect(try bad.summary()["unmet"]?.array?.count == 2)
        let text = try TestFile.text(junit)
        #expect(text.contains("tests=\"4\" failures=\"2\""))
        #expect(
            text.contains("name=\"complete &gt;= 1\"><failure message=\"expected complete &gt;= 1, and it is 0\"/>")
        )
    }

    @Test("What is wrong with the source goes before conditions, and a number that is not known meets none")
    func failure() throws {
        let junit = folder.file("probe.xml")
        let result = try player.run([
            player.garbage, "--quiet", "--junit", junit, "--expect", "startup_ms < 2000",
        ])
        #expect(result.code == 65)
        #expect(result.errors.contains("startup_ms is not known"))
        #expect(try TestFile.text(junit).contains("<testcase classname=\"tally-player\" name=\"playback\"><failure"))
    }

    @Test("The frames of a run that is stopped early are counted to its end")
    func frames() throws {
        let summary = try player.run([player.clip, "--duration", "2.7", "--json"]).summary()
        let shown = try #require(summary["rendered_frames"]?.int)
        let played = try #require(summary["played_ms"]?.int)
        // Regular samples are a second apart, 25 frames.
        #expect(abs(shown - played * 25 / 1000) <= 3, "\(summary)")
    }

    @Test("JUnit's file that cannot be made ends the player before it plays, one that cannot be written when it has")
    func wrongFile() throws {
        let missing = try player.run([player.clip, "--junit", folder.file("none/probe.xml")])
        #expect(missing.code == 73)
        #expect(missing.errors.contains("cannot create \(folder.file("none/probe.xml")): No such file or directory"))
        #expect(!missing.errors.contains("loading"))
        for players in ["1", "2"] {
            let full = try player.run([
                player.clip, "--junit", "/dev/full", "--duration", "0.3", "--json", "--players", players,
            ])
            #expect(full.code == 74, "\(full.errors)")
            #expect(full.errors.contains("cannot write to /dev/full: No space left on device"))
            let summary = try full.summary()
            #expect((summary["totals"] ?? summary)["exit_code"] == .int(74))
        }
    }

    @Test(
        "A condition that makes no sense is a usage error",
        arguments: ["startup_ms", "startup_ms < fast", "speed < 3", "< 3", "startup_ms < 1 2", "stalls < inf"]
    )
    func wrongConditions(condition: String) async throws {
        let result = try await ChildProgram.run(["clip.mp4", "--expect", condition])
        #expect(result.code == 64)
        #expect(result.errors.contains("the option --expect has the value \"\(condition)\""))
        #expect(result.errors.contains("startup_ms < 2000"))
    }

    @Test("A condition can be about each number of the summary but the exit code")
    func numbers() throws {
        let arguments = [player.clip, "--duration", "1", "--json"]
        let summary = try #require(try player.run(arguments).summary().object)
        let numbers = summary.filter { $0.value.double != nil && $0.key != "exit_code" }.map(\.key)
        #expect(numbers.contains("track_cpu_us"))
        let result = try player.run(arguments + numbers.flatMap { ["--expect", "\($0) >= -1"] })
        #expect(result.code == 0, "\(result.errors)")
    }
}
