import ChildPrograms
import TestFiles
import Testing

/// What `tally-replay metrics` and the views of `sqlite` say, against a computation of its own in Python.
@Suite("Metrics against an independent computation")
struct MetricsTests {
    @Test("300 generated courses of legal and illegal actions")
    func courses() async throws {
        let folder = TemporaryFolder()
        try Courses.write(300, to: folder.file("courses.tally"))
        try await Self.compare(folder.file("courses.tally"), sessions: 300, folder)
    }

    @Test("Loads in more hours and minutes than are kept")
    func manyMinutes() async throws {
        let folder = TemporaryFolder()
        Courses.writeShort(1_100, step: 3_660_000_000, to: folder.file("short.tally"))
        try await Self.compare(folder.file("short.tally"), sessions: 1_100, folder)
    }

    @Test("The beginning of the reference archive")
    func reference() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("reference.tally")
        let made = try await ChildProgram.run(
            "tally-bench",
            ["make-reference-archive", path, "--events", "12000", "--seed", "1"]
        )
        try #require(made.code == 0, "\(made.errors)")
        try await Self.compare(path, sessions: 3, folder)
    }

    @Test("Real playbacks: over a slow link, with ads and sources that fail, with sleeps of the machine")
    func playbacks() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("playbacks.tally")
        let kept = "\(TestFile.repository)/Tests/ReplayTests/Archives"
        // The one with the sleeps is a copy, under the name of its original.
        let script = """
            cd '\(kept)' && zstd -dc Kept/playback.tally.zst Kept/ads.tally.zst OnePlayback/run.tally.zst \
                && zstd -dc Kept/sleep.tally.zst | sed 's/rhm6t7itujme/sleepingrun1/'
            """
        let unpacked = try await ChildProgram.run("/bin/sh", ["-c", script], output: path)
        try #require(unpacked.code == 0, "\(unpacked.errors)")
        try await Self.compare(path, sessions: 7, folder)
    }

    /// Compares all that is said of an archive, which has so many sessions at least.
    private static func compare(_ archive: String, sessions: Int, _ folder: TemporaryFolder) async throws {
        let (set, listing, database) = (folder.file("set.json"), folder.file("sessions.jsonl"), folder.file("tally.db"))
        let plugins = try PluginFolder(plugins: ["sqlite"])
        let told = try await ChildProgram.run(
            "tally-replay",
            ["metrics", archive, "--json", "--groups", "1000000"],
            output: set
        )
        try #require(told.code == 0, "\(told.errors)")
        let listed = try await ChildProgram.run(
            "tally-replay",
            ["metrics", archive, "--sessions", "--json", "--jobs", "2"],
            output: listing
        )
        try #require(listed.code == 0, "\(listed.errors)")
        let stored = try await ChildProgram.run(
            "tally-replay",
            [
                archive, "--plugins", "sqlite", "--plugin-dir", plugins.path, "--quiet", "--set",
                "plugins.sqlite.config.path=\(database)", "--set", "plugins.sqlite.config.patience_ms=600000",
            ]
        )
        try #require(stored.code == 0, "\(stored.errors)")
        let script = "\(TestFile.repository)/Tests/MetricsTests/metrics.py"
        let python = try await ChildProgram.run(
            "/usr/bin/env",
            ["python3", script, archive, "--set", set, "--sessions", listing, "--database", database]
        )
        #expect(python.code == 0, "\(python.output)\(python.errors)")
        let count = python.output.split(separator: "\n").last?.split(separator: " ").first.flatMap { Int($0) }
        #expect(count.map { $0 >= sessions } == true, "\(python.output)")
    }
}
