import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// Which runs of which archives are replayed.
struct SelectionTests {
    private let files = TemporaryFolder()

    /// A run of one session that takes ten seconds.
    private func run(
        _ id: String,
        epoch: Int64 = 1_750_000_000_000_000,
        stream: String = "vod",
        asset: String = "a1",
        fails: Bool = false
    ) -> String {
        let event = fails ? "player_error" : "pause"
        return """
            {"run":"\(id)","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":\(epoch),"trackers":[]}}
            {"run":"\(id)","n":1,"t_us":0,"event":"video_load","session":1,"attributes":{"video_id":"\(asset)","stream_type":"\(stream)"}}
            {"run":"\(id)","n":2,"t_us":5000000,"event":"\(event)","session":1,"state":{"playhead_ms":4000}}
            {"run":"\(id)","n":3,"t_us":10000000,"end":"drained","dropped":0}

            """
    }

    private func replay(_ arguments: [String], code: Int32 = 0) async throws -> JSONValue {
        let run = try await ChildProgram.replay(arguments + ["--json"])
        #expect(run.code == code, "\(arguments) \(run.errors)")
        return try run.summary()
    }

    private func taken(_ arguments: [String]) async throws -> Int64? {
        try await replay(arguments)["runs"]?.int
    }

    private func archive() -> String {
        files.write(
            "all.tally",
            run("r1") + run("r2", stream: "live", fails: true) + run("r3", epoch: 1_760_000_000_000_000, stream: "live")
                + run("other", asset: "news-7", fails: true)
        )
    }

    @Test("What lies among the lines of a run that is not chosen is replayed, events and samples alike")
    func mixed() async throws {
        var lines = (run("chosen") + run("other")).split(separator: "\n").map(String.init)
        lines = [lines[0], lines[4], lines[1], lines[5]]
        func add(_ run: String, _ ordinal: Int, _ event: String) {
            let state = #""state":{"playhead_ms":\#(ordinal)}"#
            lines.append(
                #"{"run":"\#(run)","n":\#(ordinal),"t_us":\#(ordinal * 1000),"event":"\#(event)",\#(state)}"#
            )
        }
        for round in 0..<20 {
            add("chosen", 2 + 4 * round, "pause")
            for place in 1..<4 { add("chosen", 2 + 4 * round + place, "playhead_sample") }
            for place in 0..<3 { add("other", 2 + 3 * round + place, "playhead_sample") }
        }
        let path = files.write("mixed.tally", lines.map { $0 + "\n" }.joined())
        let summary = try await replay([path, "--run", "chosen", "--leave-open"])
        #expect(summary["events"] == 81 && summary["damaged"] == 0, "\(summary)")
    }

    @Test(
        "Options take whole runs, and a run has to fit all of them",
        arguments: [
            (["--run", "r1"], 1), (["--run", "r*"], 3), (["--run", "r1", "--run", "other"], 2), (["--run", "x"], 0),
            (["--asset", "news-*"], 1), (["--asset", "a1", "--asset", "news-7"], 4),
            (["--asset", "a1", "--run", "o*"], 0),
            (["--from", "2025-10-01"], 1), (["--to", "2025-10-01T00:00:00Z"], 3), (["--from", "1750000010"], 4),
            (["--from", "1750000011"], 1), (["--to", "1750000000"], 0), (["--first", "3"], 3), (["--first", "0"], 0),
            (["--first", "1", "--run", "o*"], 1), (["--sample", "100"], 4), (["--sample", "0"], 0),
        ] as [([String], Int64)]
    )
    func options(arguments: [String], runs: Int64) async throws {
        let summary = try await replay([archive()] + arguments)
        #expect(summary["runs"]?.int == runs)
        #expect(summary["unselected_runs"]?.int == 4 - runs)
        #expect(summary["events"]?.int == 2 * runs)
    }

    @Test(
        "An expression looks at events, at what is known of the session, and at the state",
        arguments: [
            (#"media.stream_type == "live" && event == "player_error""#, 1), (#"stream_type == 'live'"#, 2),
            (#"stream_type == "live" && event == "player_error""#, 0), (#"event == "player_error""#, 2),
            (#"state.playhead_ms >= 4000.0"#, 4), (#"state.playhead_ms > 4000"#, 0), (#"media.video_id ~ "news-*""#, 1),
            (#"!(run ~ "r?") && session == 1"#, 1), (#"run == "r1" || run == "r2" && t_us < 0"#, 1),
            (#"(run == "r1" || run == "r2") && t_us < 0"#, 0), ("stream_type", 4), ("nothing", 0), ("!nothing", 4),
            ("nothing == null", 4), (#"stream_type < 5"#, 0), ("true", 4), ("!!false", 0),
        ] as [(String, Int64)]
    )
    func expression(text: String, runs: Int64) async throws {
        #expect(try await taken([archive(), "--where", text]) == runs)
    }

    @Test(
        "A name that nothing in the archives has is warned about, with the name that was perhaps meant",
        arguments: [
            ("media.stream_typ == 'live'", "has \"media.stream_typ\"; did you mean media.stream_type?"),
            ("medai.stream_type == 'live'", "has \"medai.stream_type\"; did you mean media.stream_type?"),
            ("evnt == 'pause'", "has \"evnt\"; did you mean event?"),
            ("playhead_ms > 5", "has \"playhead_ms\"; did you mean state.playhead_ms?"),
            ("playhead > 5", "has \"playhead\"; did you mean state.playhead_ms?"),
            ("duration > 5", "has \"duration\"; did you mean state.duration_ms?"),
            ("media.playhead_ms > 5", "has \"media.playhead_ms\"; did you mean state.playhead_ms?"),
            ("attributes.video_id == 'x'", "has \"attributes.video_id\"; did you mean video_id?"),
            ("attributes.shelf_number == 7", "has \"attributes.shelf_number\"; did you mean shelf_number?"),
            ("type == 'pause'", "has \"type\"; did you mean event?"),
            ("asset == 'x'", "has \"asset\"; did you mean media.video_id?"),
            ("!(stream_type == 'x' && shelf_numbr)", "has \"shelf_numbr\"; did you mean shelf_number?"),
            (
                "zzzzzzzzzzzz",
                "has \"zzzzzzzzzzzz\", and it is no name of the data model (docs/data-model.md); own names in these "
                    + "archives are shelf_number"
            ),
        ] as [(String, String)]
    )
    func unknownName(text: String, warning: String) async throws {
        let own = run("own").replacing(#""state":{"#, with: #""attributes":{"shelf_number":7},"state":{"#)
        let path = files.write("own.tally", run("r1") + own)
        for tool in [[], ["stats"]] {
            let result = try await ChildProgram.replay(tool + [path, "--where", text])
            #expect(result.code == 0)
            #expect(
                result.errors.contains("warning: --where: no event of these archives \(warning)"),
                "\(result.errors)"
            )
        }
    }

    @Test("Names of the data model, and own names that events have, are no slips")
    func knownName() async throws {
        let page = try TestFile.text(TestFile.repository + "/docs/data-model.md")
        let state = try #require(page.split(separator: "\n## State\n").last?.split(separator: "\n## ").first)
        let rows = state.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains("TALLY_KNOWN_") }
        let names = rows.compactMap { $0.split(separator: "`").dropFirst().first.map { "state.\($0)" } }
        #expect(names.count == 19)
        let own = run("own").replacing(#""state":{"#, with: #""attributes":{"shelf_number":7},"state":{"#)
        let path = files.write("own.tally", own)
        let text = (names + ["ad_position", "media.ad_id", "shelf_number", "media.shelf_number", "t_us"])
            .joined(separator: " || ")
        let result = try await ChildProgram.replay([path, "--where", "run == 'own' || " + text])
        #expect(result.code == 0 && !result.errors.contains("--where"), "\(result.errors)")
    }

    @Test("A pattern that is meant to take for ever does not")
    func hostilePattern() async throws {
        let path = files.write("long.tally", run("r-" + String(repeating: "a", count: 50)))
        let pattern = String(repeating: "*a", count: 20) + "*b"
        #expect(try await taken([path, "--where", "run ~ '\(pattern)'"]) == 0)
        #expect(try await taken([path, "--run", pattern]) == 0)
        #expect(try await taken([path, "--run", pattern.dropLast() + "a"]) == 1)
    }

    @Test(
        "A wrong expression is told with its column",
        arguments: [
            ("event = 'x'", "column 7: = compares nothing; write =="), ("event ==", "column 9: a name, a text or a"),
            ("(event", "column 7: the parenthesis is not closed"),
            ("event == 'x", "column 10: the text has no closing '"),
            ("a b", "column 3: expected &&, || or the end, found \"b\""), ("1x == 2", "column 1: 1x is no number"),
            ("", "column 1: a name"), ("a && ;", "column 6: expected a name"),
            ("!(state.playhed_ms > 5)", "there is no state.playhed_ms; did you mean state.playhead_ms?"),
            (
                "1 < state.foo",
                "there is no state.foo; there are state.playhead_ms, state.ad_playhead_ms,"
            ),
            (String(repeating: "(", count: 5000), "column 65: too many parentheses"),
        ] as [(String, String)]
    )
    func wrongExpression(text: String, message: String) async throws {
        let run = try await ChildProgram.replay([TestFile.archive("plain"), "--where", text])
        #expect(run.code == 64)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test("A sample is the same each time, and a smaller one is part of a larger one")
    func sample() async throws {
        let path = files.write("many.tally", (0..<300).map { run("run-\($0)") }.joined())
        let small = try await taken([path, "--sample", "10"]) ?? 0
        #expect((10...60).contains(small))
        #expect(try await taken([path, "--sample", "10"]) == small)
        #expect(try await taken([path, "--sample", "10.5"]) ?? 0 >= small)
        #expect(try await taken([path, "--sample", "50"]) ?? 0 > small)
    }

    @Test("What is chosen by content cannot come from standard input, and says so")
    func standardInput() async throws {
        let path = archive()
        #expect(try await ChildProgram.replay(["-", "--run", "r1", "--json"], input: path).summary()["runs"] == 1)
        let run = try await ChildProgram.replay(["-", "--where", "true"], input: path)
        #expect(run.code == 64)
        #expect(run.errors.contains("write it to a file first"))
    }

    @Test("A pattern stands for the files that fit, and one that fits none is told")
    func pattern() async throws {
        _ = files.write("x/1.tally", run("r1"))
        _ = files.write("x/2.tally", run("r2"))
        _ = files.write("x/2.other", "no archive")
        #expect(try await taken([files.path + "/x/*.tally"]) == 2)
        let none = try await ChildProgram.replay([files.path + "/x/*.none"])
        #expect(none.code == 66)
        #expect(none.errors.contains("*.none: cannot read the archive"))
    }

    // MARK: - Compressed

    @Test("What trackers see is the same plain and compressed, from a file, a folder and standard input")
    func compressed() async throws {
        let plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
        let common = ["--plugins", "witness,jsonlines", "--plugin-dir", plugins.path, "--quiet"]
        // Larger than what is read at once, and of parts that were compressed alone.
        let plain = files.write("many.tally", (0..<1_000).map { run("run-\($0)") }.joined())
        let expected = try await ChildProgram.replay([plain] + common)
        #expect(expected.code == 0 && expected.lines.count > 1_000)
        for (program, suffix) in [("gzip", "gz"), ("zstd -q", "zst")] {
            let folder = TemporaryFolder()
            let part = folder.path + "/part.tally.\(suffix)"
            try await ChildProgram.compress(program, plain, to: part)
            #expect(try await ChildProgram.replay([part] + common).output == expected.output)
            #expect(try await ChildProgram.replay([folder.path] + common).output == expected.output)
            #expect(try await ChildProgram.replay(["-"] + common, input: part).output == expected.output)
            let twice = files.write("twice", bytes: try TestFile.bytes(part) + TestFile.bytes(part))
            #expect(try await replay([twice])["runs"] == 1_000)
            #expect(try await replay([twice, "--keep-repeated"])["runs"] == 2_000)
            #expect(try await taken([part, "--where", "run == 'run-7'"]) == 1)
        }
    }

    @Test(
        "Compressed data that is cut off or damaged costs the rest of the archive, and is told",
        arguments: ["gzip", "zstd -q"]
    )
    func damagedCompression(program: String) async throws {
        let plain = files.write("many.tally", (0..<300).map { run("run-\($0)") }.joined())
        let path = files.path + "/c"
        try await ChildProgram.compress(program, plain, to: path)
        var bytes = try TestFile.bytes(path)
        let cut = try await ChildProgram.replay([files.write("cut", bytes: Array(bytes.dropLast(20)))])
        #expect(cut.code == 65)
        #expect(cut.errors.contains("the compressed data is cut off"), "\(cut.errors)")
        for index in 300..<340 { bytes[index] ^= 0x55 }
        let damaged = try await ChildProgram.replay([files.write("damaged", bytes: bytes)])
        #expect(damaged.code == 65)
        #expect(damaged.errors.contains("the compressed data is"), "\(damaged.errors)")
    }
}
