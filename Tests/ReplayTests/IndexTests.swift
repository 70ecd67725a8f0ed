import ChildPrograms
import Glibc
import TestFiles
import Testing
import TextEncoding

/// The index beside an archive: what is chosen with it, and what becomes of one that does not fit.
struct IndexTests {
    private let files = TemporaryFolder()

    /// A run of two sessions, the second of which plays another asset and fails in every third run.
    private func run(_ number: Int) -> [String] {
        let id = "run-\(number)"
        let epoch = 1_750_000_000_000_000 + number * 60_000_000
        return [
            #"{"run":"\#(id)","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":\#(epoch),"trackers":[]}}"#,
            #"{"run":"\#(id)","n":1,"t_us":0,"event":"video_load","session":1,"attributes":{"video_id":"film-\#(number % 7)"}}"#,
            #"{"run":"\#(id)","n":2,"t_us":1000000,"event":"playhead_sample","state":{"playhead_ms":1000}}"#,
            #"{"run":"\#(id)","n":3,"t_us":5000000,"event":"video_unload","session":1}"#,
            #"{"run":"\#(id)","n":4,"t_us":6000000,"event":"video_load","session":2,"attributes":{"video_id":"news"}}"#,
            #"{"run":"\#(id)","n":5,"t_us":7000000,"event":"\#(number % 3 == 0 ? "player_error" : "pause")","session":2}"#,
            #"{"run":"\#(id)","n":6,"t_us":10000000,"end":"drained","dropped":0}"#,
        ]
    }

    /// Runs one behind the other, then five whose lines lie among each other, and one that begins a second time.
    private func archive() -> String {
        var lines = (0..<60).flatMap { run($0) }
        let mixed = (60..<65).map { run($0) }
        for place in 0..<7 { lines += mixed.map { $0[place] } }
        lines += run(3)
        return files.write("all.tally", lines.map { $0 + "\n" }.joined())
    }

    private func index(_ path: String, code: Int32 = 0) async throws -> ChildProgram.Outcome {
        let run = try await ChildProgram.replay(["index", path])
        #expect(run.code == code, "\(run.errors)")
        return run
    }

    private static let choices: [[String]] = [
        ["--run", "run-7"], ["--run", "run-3"], ["--run", "run-62"], ["--run", "run-5*"], ["--run", "nobody"],
        ["--asset", "film-2"], ["--asset", "news", "--run", "run-1*"], ["--asset", "film-2", "--session", "2"],
        ["--session", "2", "--cut-sessions", "--asset", "film-*"], ["--session", "3"],
        ["--asset", "film-4", "--cut-sessions"], ["--from", "1750000300", "--to", "1750000600"],
        ["--from", "1750003000"],
        ["--where", "event == 'player_error'", "--run", "run-1*"], ["--where", "state.playhead_ms == 1000"],
        ["--where", "media.video_id == 'film-1' && event == 'video_unload'", "--to", "1750001000"],
        ["--where", "nothing", "--run", "run-1*"], ["--first", "2", "--run", "run-1*"], ["--sample", "30"],
        ["--run", "run-2*", "--jobs", "2"], ["--run", "nobody", "--jobs", "2"],
    ]

    @Test(
        "With an index the same runs come out, to the byte, of plain and compressed archives, with the same warnings",
        arguments: ["", "gzip", "zstd -q"]
    )
    func sameOutput(compression: String) async throws {
        let plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
        let common = ["--plugins", "witness,jsonlines", "--plugin-dir", plugins.path, "--quiet", "--keep-repeated"]
        var path = archive()
        if !compression.isEmpty {
            try await ChildProgram.compress(compression, path, to: path + ".packed")
            path += ".packed"
        }
        var without: [ChildProgram.Outcome] = []
        for choice in Self.choices { without.append(try await ChildProgram.replay([path] + common + choice)) }
        #expect(try await index(path).output == "\(path).index: 66 runs\n")
        for (choice, expected) in zip(Self.choices, without) {
            let run = try await ChildProgram.replay([path] + common + choice)
            #expect(run.output == expected.output && run.code == expected.code, "\(choice)")
            #expect(run.errors == expected.errors, "\(choice)")
            let summary = try await ChildProgram.replay([path, "--json", "--keep-repeated"] + choice).summary()
            let runs = try #require(summary["runs"]?.int)
            #expect(runs + (summary["unselected_runs"]?.int ?? 0) == 66, "\(choice)")
        }
        for tool in ["cat", "ls", "stats"] {
            let choice = ["--asset", "film-2", path]
            let run = try await ChildProgram.replay([tool] + choice)
            #expect(run.code == 0 && !run.output.isEmpty)
            let plain = files.write("copy", bytes: try TestFile.bytes(path))
            #expect(try await ChildProgram.replay([tool, "--asset", "film-2", plain]).output == run.output)
        }
    }

    @Test("Nothing is read but the lines of the chosen runs")
    func reading() async throws {
        let path = archive()
        let summary = { (arguments: [String]) in try await ChildProgram.replay([path, "--json"] + arguments).summary() }
        #expect(try await summary(["--run", "run-7"])["bytes"]?.int == Int64(try TestFile.bytes(path).count))
        _ = try await index(path)
        for number in [7, 62] {
            let own = run(number).reduce(0) { $0 + $1.utf8.count + 1 }
            let read = try await summary(["--run", "run-\(number)"])
            #expect(read["bytes"]?.int == Int64(own))
            #expect(read["lines"] == 7)
        }
        #expect(try await summary(["--run", "nobody"])["bytes"] == 0)
        // A checkpoint counts the lines of whole archives.
        let whole = try await summary(["--run", "run-7", "--checkpoint", files.path + "/checkpoint"])
        #expect(whole["bytes"]?.int == Int64(try TestFile.bytes(path).count))
    }

    @Test("An archive that was written since is read without its index, after a warning")
    func stale() async throws {
        let path = archive()
        let text = try TestFile.text(path)
        _ = try await index(path)
        let kept = try TestFile.bytes(path + ".index")
        let changed = [
            text + run(70).map { $0 + "\n" }.joined(), text.replacing("film-2", with: "film-x"),
            text.split(separator: "\n").dropFirst(7).map { $0 + "\n" }.joined(),
        ]
        for (number, change) in changed.enumerated() {
            let reference = files.write("reference", text)
            _ = try await ChildProgram.run("/usr/bin/env", ["touch", "-r", path, reference])
            files.write("all.tally", change)
            // Its length and its time may be as they were.
            _ = try await ChildProgram.run("/usr/bin/env", ["touch", "-r", reference, path])
            for choice in [["--run", "run-70"], ["--asset", "film-2"], ["--asset", "film-x"], ["--run", "run-1"]] {
                let other = files.write("other.tally", change)
                let expected = try await ChildProgram.replay(["cat", other] + choice)
                let run = try await ChildProgram.replay(["cat", path] + choice)
                #expect(run.output == expected.output, "\(number) \(choice)")
                #expect(run.errors.contains("index: the index is of another state of the archive"), "\(run.errors)")
            }
            files.write("all.tally", text)
            files.write("all.tally.index", bytes: kept)
            _ = try await index(path)
        }
        // What cannot be read is not damaged.
        try #require(unsafe unlink(path + ".index") == 0 && mkdir(path + ".index", 0o700) == 0)
        let run = try await ChildProgram.replay(["cat", path, "--run", "run-1"])
        #expect(run.errors.contains("index: the index cannot be read (Is a directory)"), "\(run.errors)")
        #expect(run.code == 0)
        // Who waits for a pipe's writer waits for good.
        try #require(unsafe rmdir(path + ".index") == 0 && mkfifo(path + ".index", 0o600) == 0)
        let piped = try await ChildProgram.replay(["cat", path, "--run", "run-1"])
        #expect(piped.errors.contains("index: the index is no file"), "\(piped.errors)")
        #expect(piped.output == run.output && piped.code == 0)
        let script = #""$1" cat <(cat "$2") --asset film-2"#
        let words = ["-c", script, "bash", TestFile.products + "/tally-replay", path]
        let chosen = try await ChildProgram.run("/bin/bash", words)
        #expect(chosen.code == 64 && chosen.errors.contains(" can be read once"), "\(chosen.errors)")
    }

    @Test("A damaged index is not believed, wherever it is damaged")
    func damagedIndex() async throws {
        let path = archive()
        let expected = try await ChildProgram.replay(["cat", path, "--asset", "film-2"]).output
        _ = try await index(path)
        let kept = try TestFile.bytes(path + ".index")
        for place in Array(0..<8) + Array(stride(from: 10, to: kept.count, by: kept.count / 30)) + [kept.count - 1] {
            var bytes = kept
            bytes[place] ^= 1
            files.write("all.tally.index", bytes: bytes)
            let run = try await ChildProgram.replay(["cat", path, "--asset", "film-2"])
            #expect(run.output == expected, "byte \(place)")
            #expect(run.errors.contains("warning: \(path).index: the index is"), "byte \(place) \(run.errors)")
        }
        for count in [0, 1, kept.count / 2] {
            files.write("all.tally.index", bytes: Array(kept.prefix(count)))
            #expect(try await ChildProgram.replay(["cat", path, "--asset", "film-2"]).output == expected)
        }
    }

    @Test("A damaged archive gets no index, and neither does one that holds no run")
    func damagedArchive() async throws {
        let good = run(1).map { $0 + "\n" }.joined()
        for text in [good + "nonsense\n", String(good.dropLast()), good + run(2)[1] + "\n", ""] {
            let path = files.write("damaged.tally", text)
            #expect(try await index(path, code: 65).errors.contains("only an archive without damage gets an index"))
            #expect((try? TestFile.bytes(path + ".index")) == nil)
        }
        #expect(try await ChildProgram.replay(["index", "-"]).code == 64)
        #expect(try await ChildProgram.replay(["index", files.path + "/none.tally"]).code == 66)
    }

    @Test("An archive whose runs lie among each other in very many places is read whole")
    func interleaved() async throws {
        var lines: [String] = []
        let runs = ["a", "b"].map { id in
            [run(1)[0].replacing("run-1", with: id)]
                + (1..<600).map { #"{"run":"\#(id)","n":\#($0),"t_us":\#($0),"event":"pause"}"# }
        }
        for (first, second) in zip(runs[0], runs[1]) { lines += [first, second] }
        let path = files.write("mixed.tally", lines.map { $0 + "\n" }.joined())
        let expected = try await ChildProgram.replay(["cat", path, "--run", "a"]).output
        _ = try await index(path)
        #expect(try TestFile.bytes(path + ".index").count < 1_000)
        #expect(try await ChildProgram.replay(["cat", path, "--run", "a"]).output == expected)
    }

    @Test("What is erased is told with an index as without, and is no more in one")
    func erased() async throws {
        let path = archive()
        _ = try await index(path)
        #expect(try await ChildProgram.replay(["erase", "--run", "run-9", path]).code == 0)
        #expect((try? TestFile.bytes(path + ".index")) == nil)
        let expected = try await ChildProgram.replay([path, "--run", "run-7", "--quiet"])
        #expect(expected.errors.contains("the run run-9 was erased"))
        _ = try await index(path)
        let run = try await ChildProgram.replay([path, "--run", "run-7", "--quiet"])
        #expect(run.errors == expected.errors)
    }

    @Test("An index among the operands is no archive")
    func pattern() async throws {
        let path = archive()
        _ = try await index(path)
        for operands in [[path, path + ".index"], [files.path + "/*"]] {
            let run = try await ChildProgram.replay(operands + ["--json"])
            #expect(run.code == 0, "\(run.errors)")
            #expect(try run.summary()["archives"] == 1)
        }
    }
}
