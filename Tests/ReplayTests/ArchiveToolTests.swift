import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// The tools for archives: what they show, and that what they write replays as it did before.
struct ArchiveToolTests: UsingArchiveTools {
    private let files = TemporaryFolder()
    private let plain = TestFile.archive("plain")

    /// The lines of two archives one by one in turn.
    private func mixed(_ first: String, _ second: String) -> String {
        zip(first.split(separator: "\n"), second.split(separator: "\n")).map { "\($0)\n\($1)\n" }.joined()
    }

    @Test("ls has a line for each run, in the order in which they end")
    func listing() async throws {
        let path = files.write("a.tally", run("open", hasEnd: false) + mixed(run("r1"), run("r2")))
        let lines = try await tool(["ls", path]).lines
        #expect(lines.first == "r1  2025-06-15T15:06:40Z  0:00:09  1 session  2 events  drained  asset-r1")
        #expect(lines.map { $0.prefix { $0 != " " } } == ["r1", "r2", "open"])
        let object = try JSONParser().parse(String(try await tool(["ls", "--json", "--run", "open", path]).lines[0]))
        #expect(object["end"] == "open")
        #expect(object["run_time_us"] == 5_000_000)
    }

    @Test("show has the events with time, state and attributes")
    func show() async throws {
        let text = try await tool(["show", plain]).output
        #expect(text.hasPrefix("run plain-run\n  began 2025-06-15T15:06:40Z with Tally 0.1.0\n"))
        #expect(text.contains("  6.400000  buffer_start playhead_ms=6000 buffer_cause=\"stall\"\n"))
        #expect(text.hasSuffix("  12.500000  ended: drained\n"))
    }

    @Test("stats counts what a replay counts")
    func statistics() async throws {
        let paths = [plain, TestFile.archive("interleaved")]
        let found = try JSONParser().parse(try await tool(["stats", "--json"] + paths).output)
        let replayed = try await ChildProgram.replay(paths + ["--json"]).summary()
        for key in ["archives", "bytes", "runs", "open_runs", "sessions", "events", "run_time_us"] {
            #expect(found[key] == replayed[key], "\(key)")
        }
        #expect(found["types"]?["playhead_sample"]?.int ?? 0 > 5)
        #expect(try await tool(["stats", plain]).output.contains("player runs"))
    }

    @Test("cat writes the lines of the chosen runs as they are, byte for byte")
    func cat() async throws {
        let path = files.write("a.tally", mixed(run("r1"), run("r2")))
        #expect(try await tool(["cat", path]).output == mixed(run("r1"), run("r2")))
        #expect(try await tool(["cat", path, "--run", "r2"]).output == run("r2"))
        #expect(try await tool(["cat", path, "--where", "media.video_id == 'asset-r1'"]).output == run("r1"))
        #expect(try await tool(["cat", "-", "--first", "1"], input: path).output == run("r1"))
    }

    @Test("convert changes the compression and nothing else", arguments: ["gz", "zst"])
    func convert(suffix: String) async throws {
        let text = (0..<5_000).map { run("r\($0)") }.joined()
        let path = files.write("a.tally", text)
        let packed = files.path + "/a.tally.\(suffix)"
        _ = try await tool(["convert", path, "-o", packed])
        let size = try TestFile.bytes(packed).count
        #expect(size > 0 && size < text.utf8.count / 5)
        #expect(try await tool(["convert", packed]).output == text)
        let word = suffix == "gz" ? "gzip" : "zstd"
        try await ChildProgram.compress("\(word) -d -q", packed, to: files.file("unpacked"))
        #expect(try TestFile.text(files.file("unpacked")) == text)
        #expect(try await tool(["convert", path, "--compress", word, "-o", files.path + "/b"]).code == 0)
        #expect(try TestFile.bytes(files.path + "/b") == TestFile.bytes(packed))
    }

    @Test("An output that is one of the inputs is refused, and the input stays as it was")
    func sameFile() async throws {
        let path = files.write("a.tally", run("r1"))
        #expect(
            try await tool(["cat", path, "-o", path], code: 73).errors.contains("one of the archives that are read")
        )
        #expect(try TestFile.text(path) == run("r1"))
        #expect(try await tool(["cat", path, "-o", "/dev/full"], code: 74).errors.contains("No space left"))
    }

    @Test("merge leaves out a run that came already")
    func merge() async throws {
        let first = files.write("1.tally", run("r1") + run("r2"))
        let second = files.write("2.tally", run("r2") + run("r3"))
        #expect(try await tool(["merge", first, second]).output == run("r1") + run("r2") + run("r3"))
    }

    @Test("split keeps runs whole, also mixed and without an end, and its parts together are what it was")
    func split() async throws {
        let pairs = (0..<100).map { mixed(run("a\($0)"), run("b\($0)", hasEnd: $0 % 2 == 0)) }
        let path = files.write("all.tally", pairs.joined())
        for name in ["part", "part.tally.zst"] {
            let folder = TemporaryFolder()
            let prefix = folder.path + "/" + name
            #expect(try await tool(["split", path, "--runs", "1", "-o", prefix]).output == "200 archives\n")
            for suffix in ["00001", "00137", "00200"] {
                let part = folder.path + "/part-\(suffix).tally" + (name == "part" ? "" : ".zst")
                #expect(try await tool(["ls", part]).lines.count == 1)
            }
            let all = try await tool(["cat", folder.path]).output.split(separator: "\n").sorted()
            #expect(all == pairs.joined().split(separator: "\n").sorted())
        }
        let large = files.write("large.tally", (0..<6_000).map { run("r\($0)") }.joined())
        #expect(try await tool(["split", large, "--size", "1", "-o", files.path + "/s"]).output == "3 archives\n")
        #expect(
            try await tool(["split", path, "-o", "x"], code: 64).errors.contains("--runs COUNT or --size MB is missing")
        )
    }

    @Test("One of something is told as one")
    func singular() async throws {
        let path = files.write("one.tally", run("r1"))
        let parts = try await tool(["split", path, "--runs", "1", "-o", files.path + "/part"])
        #expect(parts.output == "1 archive\n")
        let header = files.write("header.tally", run("r1").split(separator: "\n").first.map { $0 + "\n" } ?? "")
        #expect(try await tool(["validate", header]).output.contains(": good, 1 run, 1 without an end, 1 line\n"))
        let checked = try await tool([header]).errors
        #expect(checked.contains("Checked 1 archive (") && checked.contains(", 1 line) in"), "\(checked)")
    }

    @Test("validate says of each archive whether it is good, and where it is not")
    func validate() async throws {
        let gap = files.write("gap.tally", run("r1").replacing("\"n\":2", with: "\"n\":7"))
        let good = try await tool(["validate", plain])
        #expect(good.output == "\(plain): good, 1 run, 0 without an end, 21 lines\n")
        let run = try await tool(["validate", plain, gap, TestFile.archive("damaged")], code: 65)
        #expect(run.lines.count == 3)
        #expect(run.output.contains("\(gap): 2 damaged places"))
        #expect(run.errors.contains("\(gap):3: 5 lines of the run r1 are missing before this one"))
        let empty = files.write("empty.tally", "")
        #expect(
            try await tool(["validate", empty], code: 65).errors.contains(
                "\(empty): damaged header: there is no player run"
            )
        )
    }

    @Test("What a newer Tally wrote is told with its file, is no damage, and ends a tool with its own code")
    func newer() async throws {
        let newer = TestFile.archive("newer")
        let good = files.write("good.tally", run("other") + "\n" + run("r1"))
        for name in ["ls", "show", "stats", "cat", "validate"] {
            let run = try await tool([name, newer, good, "--run", "r1"], code: 76)
            #expect(run.errors.contains("error: \(newer):1: the archive was written by a newer Tally, format "))
            #expect(run.errors.contains(", and this one reads up to format 1: use a newer one"))
            #expect(!run.errors.contains("damaged") && !run.errors.contains("no archive"), "\(run.errors)")
            #expect(name == "stats" || name == "validate" || run.output.contains("r1"), "\(run.output)")
        }
        let verdicts = try await tool(["validate", newer, good], code: 76).output.split(separator: "\n")
        #expect(verdicts.first == "\(newer): of a newer Tally, 0 runs, 0 without an end, 0 lines")
        #expect(verdicts.last?.hasPrefix("\(good): good, 2 runs") == true)
        let json = try await tool(["validate", newer, "--json"], code: 76).output
        #expect(try JSONParser().parse(json)["newer"] == true && JSONParser().parse(json)["damaged"] == 0)
    }

    @Test("Every command takes --quiet, and says nothing then but warnings and errors")
    func quiet() async throws {
        let path = files.write("a.tally", try TestFile.text(plain))
        for words in [
            ["ls"], ["show"], ["stats"], ["cat"], ["merge"], ["convert"], ["validate"], ["diff", files.write("b", "")],
            ["erase", "--run", "plain-run"],
        ] {
            let input = words[0] == "diff" ? files.write("c", "") : path
            #expect(try await tool(words + ["--quiet", input]).errors.isEmpty)
        }
        #expect(try await tool(["erase", "-q", "--run", "plain-run", path], code: 66).errors.contains("error: "))
        let reply = try await tool(["ctl", "-q", "--control", files.file("none"), "stats"], code: 66)
        #expect(reply.errors.contains("none"))
    }

    @Test("Each tool has help, and a mistake in its options is told with its own name")
    func usage() async throws {
        let missing = files.file("missing")
        for name in ["ls", "show", "stats", "cat", "merge", "convert", "split", "validate"] {
            #expect(
                try await tool([name, "--help"]).output.hasPrefix("Usage: tally-replay \(name) [OPTIONS] [ARCHIVE...]")
            )
            #expect(
                try await tool([name, "--nope", plain], code: 64).errors.contains(
                    "tally-replay \(name): unknown option"
                )
            )
            #expect(
                try await tool([name, missing] + (name == "split" ? ["--runs", "1", "-o", "x"] : []), code: 66)
                    .errors.contains("\(missing): cannot read the archive")
            )
        }
    }

    @Test("A last line without a break is cut off, an empty archive is none, a newer one is not read on")
    func troubled() async throws {
        let cutOff = files.write("cut.tally", String(run("r1").dropLast()))
        #expect(try await tool(["cat", cutOff], code: 65).errors.contains("cut.tally:4: the last line is cut off"))
        #expect(try await tool(["validate", cutOff], code: 65).output.contains("3 lines"))
        let empty = files.write("empty.tally", "")
        let no = "empty.tally: this is no archive: it holds no player run"
        #expect(try await tool(["ls", empty], code: 65).errors.contains(no))
        #expect(try await tool(["stats", plain, empty], code: 65).errors.contains(no))
        let newer = files.write(
            "newer.tally",
            run("r1") + run("r2").replacing("\"format\":1", with: "\"format\":9") + run("r3")
        )
        let listed = try await tool(["ls", newer], code: 76)
        #expect(listed.errors.contains("newer.tally:5: the archive was written by a newer Tally, format 9"))
        #expect(listed.lines.map { $0.prefix { $0 != " " } } == ["r1"])
    }

    @Test("What is written is none of the archives that are read, under whatever name")
    func overwritten() async throws {
        let path = files.write("a.tally", run("r1"))
        let linked = files.file("linked.tally")
        unsafe #expect(Glibc.link(path, linked) == 0)
        for (operand, output, input) in [(path, linked, "/dev/null"), ("-", path, path), (path, path, "/dev/null")] {
            let tool = try await tool(["cat", operand, "-o", output], code: 73, input: input)
            #expect(tool.errors.contains("\(output): it is one of the archives that are read; name another file"))
            #expect(try TestFile.text(path) == run("r1"))
        }
    }

    @Test("An archive whose name is no UTF-8 is read by its name, in a folder and by a pattern, and shown with escapes")
    func undecodedName() async throws {
        let folder = files.file("latin")
        let script = """
            mkdir "$1" && name="$(printf 'caf\\351.tally')" && cp "$2" "$1/$name" && cd "$1" && "$3" "./$name" "$PWD" '*.tally' -q
            "$3" ls "$name" && printf '{' > "$name" && "$3" validate "$name"
            """
        let words = ["-c", script, "sh", folder, plain, "\(TestFile.products)/tally-replay"]
        let run = try await ChildProgram.run("/bin/sh", words)
        #expect(run.code == 65 && run.lines.count == 2, "\(run.output)\(run.errors)")
        #expect(run.lines.first?.hasPrefix("plain-run") == true, "\(run.output)\(run.errors)")
        #expect(run.lines.last?.hasPrefix(#"caf\xe9.tally: "#) == true, "\(run.output)\(run.errors)")
        #expect(!run.errors.contains("cannot read"), "\(run.errors)")
    }

    @Test("Every file that the command line names may have a name that is no UTF-8")
    func undecodedFiles() async throws {
        let script = """
            set -e; mkdir "$1"; cd "$1"; name="$(printf 'caf\\351')"; cp "$2" "$name.tally"
            "$3" cat "$name.tally" -o "$name.tally.gz"; "$3" index "$name.tally"; test -s "$name.tally.index"
            echo "{}" > "$name.json5"; echo "$name.tally" > "$name.list"
            "$3" -q "$name.tally.gz" --run plain-run --config "$name.json5" --summary "$name.json"; test -s "$name.json"
            "$3" -q --files-from "$name.list" --checkpoint "$name.checkpoint"
            "$3" erase -q --run plain-run "$name.tally.gz" "$name.tally"; test ! -e "$name.tally.index"
            "$3" ls "$name.tally"; ls | wc -l
            """
        let words = ["-c", script, "sh", files.file("latin"), plain, "\(TestFile.products)/tally-replay"]
        let run = try await ChildProgram.run("/bin/sh", words)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.lines.dropLast().last?.contains("erased") == true, "\(run.output)")
        #expect(run.lines.last == "5", "\(run.output)")
    }

    @Test("What reporters write may have a name that is no UTF-8, also what they put aside and make short")
    func undecodedOutputs() async throws {
        let plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines", "sqlite", "http"])
        let script = """
            set -e; mkdir "$1"; cd "$1"; name="$(printf 'caf\\351')"; lines=plugins.jsonlines.config
            "$3" -q "$2" --plugin-dir "$4" --plugins witness,jsonlines,sqlite,http --set "$lines.path=$name.jsonl" \\
              --set "plugins.sqlite.config.path=$name.db" --set "plugins.http.config.spool=$name.spool" \\
              --set plugins.http.config.drain_ms=0
            test -s "$name.jsonl"; test -s "$name.db"; "$3" spool stats "$name.spool" > stats
            for time in 1 2; do
              "$3" -q "$2" --plugin-dir "$4" --plugins witness,jsonlines --set "$lines.path=$name.part" \\
                --set "$lines.rotate_bytes=1" --set "$lines.compress=gzip"
            done
            gzip -t "$name.part.000001.gz"; ls | LC_ALL=C grep -av 'part.0.*gz$' | wc -l
            """
        let words = [
            "-c", script, "sh", files.file("out"), TestFile.archive("plain"), "\(TestFile.products)/tally-replay",
            plugins.path,
        ]
        let run = try await ChildProgram.run("/bin/sh", words)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        // How often it rotated is a matter of how outputs came together.
        #expect(run.lines.last == "5", "\(run.output)")
    }

    @Test("In a folder only files are archives")
    func onlyFiles() async throws {
        _ = files.write("d/a.tally", run("r1"))
        #expect(files.makeFolder("d/b.tally"))
        unsafe #expect(mkfifo(files.file("d/c.tally"), 0o600) == 0)
        #expect(try await tool(["ls", files.file("d")]).lines.count == 1)
    }
}
