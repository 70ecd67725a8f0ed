import ChildPrograms
import TestFiles
import Testing
import TextEncoding

/// Runs of tally-player, and archives, that are handed on to a collector.
@Suite struct HandedOnRunTests {
    private let files = TemporaryFolder()

    /// All trackers, and where what they say goes.
    private func configuration(_ name: String) throws -> String {
        let kept = Repository.path("Tests/ReplayTests/Archives/Kept")
        try files.copy("\(kept)/AdobeMobile/ADBMobileConfig.json", as: "AdobeMobile/ADBMobileConfig.json")
        let text = try TestFile.text("\(kept)/replay.json5")
        return files.write("\(name).json5", text.replacing("path: \"-\"", with: "path: \"\(files.file(name)).jsonl\""))
    }

    /// A player that plays three seconds of media, with a pause and a seek, and whose archive goes to standard output.
    private func player() async throws -> String {
        let media = files.file("clip.mp4")
        try await ShortMedia.make(media, seconds: 3)
        let script = files.write("script", "1 pause 1.3\n1.4 seek 2\n")
        return """
            \(TestFile.products)/tally-player \(media) --quiet --archive /dev/stdout --script \(script) \
            --plugin-dir \(TestFile.products) --config \(try configuration("player")) | tee \(files.file("player.tally"))
            """
    }

    private func lines(_ name: String) throws -> [String] {
        try TestFile.text(files.file(name)).split(separator: "\n").map(String.init)
    }

    /// The lines without marks, which each archive has of its own and which count among its lines.
    private static func withoutMarks(_ lines: [String]) -> [String] {
        lines.filter { !$0.contains("\"mark\":true") }.map { $0.replacing(/"n":[0-9]+,/, with: "", maxReplacements: 1) }
    }

    /// Holds a collected run against the player's own, and its replay against what the player's trackers said.
    private func compare(_ collected: [String]) async throws {
        let own = try lines("player.tally")
        #expect(own.count > 15 && own.last?.contains("\"end\":\"drained\"") == true)
        #expect(own.contains { $0.contains("\"mark\":true") }, "nothing was to be seen of a longer pause")
        #expect(Self.withoutMarks(collected).dropFirst() == Self.withoutMarks(own).dropFirst())
        // The run begins by the collector's clock; with the player's begin all is the same.
        let (header, other) = (try JSONParser().parse(own[0]), try JSONParser().parse(collected[0]))
        #expect(header["run"]?.string == other["run"]?.string)
        let begins = [header, other].compactMap { $0["tally"]?["epoch_us"]?.int }
        try #require(begins.count == 2)
        let dated = collected[0].replacing("\"epoch_us\":\(begins[1])", with: "\"epoch_us\":\(begins[0])")
        let archive = files.write("dated.tally", ([dated] + collected.dropFirst()).joined(separator: "\n") + "\n")
        let replay = try await ChildProgram.run(
            "tally-replay",
            [
                archive, "--strict", "--quiet", "--plugin-dir", TestFile.products, "--config",
                try configuration("replayed"),
            ]
        )
        #expect(replay.code == 0, "\(replay.errors)")
        let said = try lines("player.jsonl")
        for tracker in ["newrelic", "nielsen", "mux", "analytics", "heartbeat"] {
            #expect(said.contains { $0.contains("\"instance\":\"\(tracker)\"") }, "\(tracker)")
        }
        #expect(try lines("replayed.jsonl") == said)
    }

    @Test("The run of a player whose archive goes through a pipe is the player's own, as is what trackers say")
    func piped() async throws {
        let folder = files.file("collected")
        let made = try await ChildProgram.run(
            "/bin/sh",
            [
                "-c",
                """
                \(try await player()) | \(TestFile.products)/tally-collector --stdin --folder \(folder) \
                --listen 127.0.0.1:0 --plugin-dir \(TestFile.products) --config \(try configuration("live"))
                """,
            ]
        )
        #expect(made.code == 0, "\(made.errors)")
        try await compare(try await RunningCollector.archived(in: folder))
    }

    @Test("The page's program hands a player's lines on to a collector that runs, whole and once")
    func reported() async throws {
        let collector = try await RunningCollector(ofOneTenant: files)
        let program = files.write(
            "report.py",
            try CollectorPage.block("python", below: "### Lines of another program")
        )
        let made = try await ChildProgram.run(
            "/bin/sh",
            ["-c", "\(try await player()) | python3 \(program) http://127.0.0.1:\(collector.port) k1"]
        )
        #expect(made.code == 0, "\(made.errors)")
        #expect(await collector.shelved(1))
        #expect(collector.figure("refused_lines_total") == 0)
        try await compare(try await collector.archived())
    }

    @Test("The page's program tells the runs of one input apart, and passes over a line that is none")
    func severalRuns() async throws {
        let collector = try await RunningCollector(ofOneTenant: files)
        let program = files.write(
            "report.py",
            try CollectorPage.block("python", below: "### Lines of another program")
        )
        let lines = SampleRun.calls.flatMap { line in ["a", "b"].map { "{\"run\":\"\($0)\"," + line.dropFirst() } }
        let input = ["nonsense", "[1]"] + lines + ["{\"run\":\"a\"}"]
        let made = try await ChildProgram.run(
            "/usr/bin/python3",
            [program, "http://127.0.0.1:\(collector.port)", "k1"],
            input: files.write("input", input.joined(separator: "\n"))
        )
        #expect(made.code == 0, "\(made.errors)")
        for line in [1, 2, 19] { #expect(made.errors.contains("line \(line) is left out"), "\(made.errors)") }
        #expect(await collector.shelved(2))
        #expect(try await collector.archived().count(where: { $0.contains("\"event\":") }) == 14)
    }

    // MARK: - What the core inserted

    /// A run with all that a core inserts: a pause and a play by the rate, and the unload of a session that another follows.
    private static let inserting = """
        {"run":"r","n":1,"t_us":0,"event":"video_load","state":{"rate_milli":1000},"attributes":{"video_id":"a"}}
        {"run":"r","n":2,"t_us":1000,"event":"play"}
        {"run":"r","n":3,"t_us":400000,"event":"first_frame","state":{"playhead_ms":0,"duration_ms":60000}}
        {"run":"r","n":4,"t_us":900000,"event":"playhead_sample","state":{"playhead_ms":500,"rate_milli":0}}
        {"run":"r","n":5,"t_us":1900000,"event":"playhead_sample","state":{"playhead_ms":500,"rate_milli":1000}}
        {"run":"r","n":6,"t_us":2900000,"event":"video_load","attributes":{"video_id":"b"}}
        {"run":"r","n":7,"t_us":3900000,"event":"play"}

        """

    /// What a collector archives of lines from a pipe, without the header.
    private func collected(_ lines: String, _ name: String) async throws -> [String] {
        let folder = files.file(name)
        let made = try await ChildProgram.run(
            "tally-collector",
            ["--stdin", "--folder", folder, "--listen", "127.0.0.1:0", "--plugin-dir", TestFile.products],
            input: files.write("\(name).lines", lines)
        )
        #expect(made.code == 0, "\(made.errors)")
        return Array(try await RunningCollector.archived(in: folder).dropFirst())
    }

    @Test("What a core has inserted into an archive is in the run once, when the archive is handed on")
    func insertedOnce() async throws {
        let first = try await collected(Self.inserting, "first")
        // The pause, the play, the unload behind it, and the one by silence when the input ends.
        #expect(first.count(where: { $0.contains("\"implicit\":true") }) == 4)
        let again = try await collected(first.joined(separator: "\n") + "\n", "again")
        #expect(again == first)
    }
}
