import CLinux
import Campaigns
import ChildPrograms
import Glibc
import HostSupport
import Testing
import TextEncoding

/// Several coordinators at once.
struct JobsTests {
    private let files = TemporaryFolder()
    private let plugins: PluginFolder

    init() throws {
        plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines", "console", "new-relic-video"])
    }

    private func replay(_ operands: [String], _ arguments: [String]) async throws -> ChildProgram.Outcome {
        try await ChildProgram.replay(
            operands + [
                "--plugins", "witness,new-relic-video,jsonlines", "--plugin-dir", plugins.path, "--json",
                "--set", "plugins.jsonlines.config.events=true",
            ] + arguments
        )
    }

    private func summary(_ run: ChildProgram.Outcome) throws -> JSONValue {
        var summary = try #require(try run.summary().object)
        summary["elapsed_us"] = nil
        return .object(summary)
    }

    private func archives(seed: UInt64, trouble: Bool) -> [String] {
        var random = SplitMix64(seed: seed)
        return [GeneratedArchive.Order.separate, .interleaved, .separate].enumerated().map { number, order in
            let text = GeneratedArchive.text(runs: 12, samples: 150, order: order, trouble: trouble, &random)
            return files.write("\(seed)-\(number).tally", text)
        }
    }

    @Test("Output and summary are the same for any number of coordinators, whatever is wrong", arguments: [1, 4])
    func same(seed: UInt64) async throws {
        let archives = archives(seed: seed, trouble: seed > 2)
        let expected = try await replay(archives, ["--io-threads", "0"])
        #expect(expected.code == (seed > 2 ? 65 : 0), "\(expected.errors)")
        #expect(expected.lines.count > 3_000)
        for arguments in [
            ["--jobs", "1"], ["--jobs", "2"], ["--jobs", "3"], ["--jobs", "8"], ["--io-threads", "1"],
            ["--open-runs", "1"], ["--open-runs", "5"], ["--open-runs", "4", "--jobs", "3"],
        ] {
            let run = try await replay(archives, arguments)
            #expect(run.code == expected.code, "\(arguments): \(run.errors)")
            #expect(run.output == expected.output, "\(arguments)")
            #expect(try summary(run) == summary(expected), "\(arguments)")
        }
    }

    @Test("Runs that wait because too many are open are parted as often as need be, and the output is the same")
    func manyOpenRuns() async throws {
        var random = SplitMix64(seed: 21)
        let text = GeneratedArchive.text(runs: 700, samples: 4, order: .interleaved, trouble: true, &random)
        let archives = [files.write("many.tally", text), files.write("again.tally", text)]
        let expected = try await replay(archives, ["--open-runs", "1000"])
        #expect(expected.lines.count > 5_000 && !expected.errors.contains("wait in"), "\(expected.errors)")
        for arguments in [["--open-runs", "1"], ["--open-runs", "200"], ["--open-runs", "3", "--jobs", "2"]] {
            let run = try await replay(archives, arguments)
            #expect(run.errors.contains("those that begin now wait in"), "\(run.errors)")
            #expect(run.output == expected.output, "\(arguments)")
            #expect(try summary(run) == summary(expected), "\(arguments)")
        }
        let inOrder = try await replay(archives, ["--reorder", "3"])
        let waiting = try await replay(archives, ["--reorder", "3", "--open-runs", "2"])
        #expect(waiting.output == inOrder.output)
        #expect(try summary(waiting) == summary(inOrder))
    }

    @Test("A folder without room for the runs that wait ends the replay with what to do")
    func noRoom() async throws {
        var random = SplitMix64(seed: 22)
        let text = GeneratedArchive.text(runs: 5, samples: 4, order: .interleaved, trouble: false, &random)
        let run = try await ChildProgram.replay(
            [files.write("some.tally", text), "--open-runs", "2"],
            environment: ["TMPDIR": files.file("nowhere")]
        )
        #expect(run.code == 73, "\(run.errors)")
        #expect(run.errors.contains("name another folder in TMPDIR"), "\(run.errors)")
    }

    @Test("Lines of any length are the same for any number of coordinators, also those that are too long")
    func longLines() async throws {
        var random = SplitMix64(seed: 11)
        let text = GeneratedArchive.text(runs: 6, samples: 100, order: .interleaved, trouble: false, &random)
        var lines = text.split(separator: "\n").map(String.init)
        for (number, length) in [7_000, 9_000, 30_000, 130_000, 300_000, 1_000_000, 1_100_000].enumerated() {
            let place = 60 + 70 * number
            guard let brace = lines[place].lastIndex(of: "}") else { continue }
            lines[place].insert(contentsOf: ",\"padding\":\"\(String(repeating: "x", count: length))\"", at: brace)
        }
        let archive = files.write("long.tally", lines.map { $0 + "\n" }.joined())
        let expected = try await replay([archive], ["--io-threads", "0"])
        #expect(expected.lines.count > 500)
        for jobs in ["2", "3"] {
            let run = try await replay([archive], ["--jobs", jobs])
            #expect(run.code == expected.code, "\(run.errors)")
            #expect(run.output == expected.output)
            #expect(try summary(run) == summary(expected))
        }
    }

    @Test("Plain, gzip and zstd make the same output, also with several coordinators", arguments: ["gzip", "zstd -q"])
    func compressed(program: String) async throws {
        let archive = archives(seed: 7, trouble: false)[1]
        let expected = try await replay([archive], [])
        let suffix = program == "gzip" ? "gz" : "zst"
        try await ChildProgram.compress(program, archive, to: "\(archive).\(suffix)")
        for jobs in ["1", "3", "8"] {
            let run = try await replay(["\(archive).\(suffix)"], ["--jobs", jobs])
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output == expected.output)
        }
    }

    @Test("A packed archive whose first frame was emptied is read behind it")
    func emptiedFrame() async throws {
        let archive = archives(seed: 7, trouble: false)[1]
        let expected = try await replay([archive], [])
        try await ChildProgram.compress("zstd -q", archive, to: "\(archive).zst")
        let frame: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 0, 0, 0]
        TestFile.write(frame + (try TestFile.bytes("\(archive).zst")), to: "\(archive).zst")
        let run = try await replay(["\(archive).zst"], [])
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output == expected.output)
    }

    @Test("Interleaved and separate runs make the same output for each run")
    func interleaved() async throws {
        var random = SplitMix64(seed: 8)
        let separate = GeneratedArchive.text(runs: 9, samples: 60, order: .separate, trouble: false, &random)
        let byRun = Dictionary(grouping: separate.split(separator: "\n")) { $0.prefix { $0 != "," } }
        var rest = byRun.values.map { Array($0.reversed()) }.sorted { $0[0] < $1[0] }
        var mixed = ""
        while !rest.isEmpty {
            let place = Int(random.next() % UInt64(rest.count))
            mixed += (rest[place].popLast() ?? "") + "\n"
            if rest[place].isEmpty { rest.remove(at: place) }
        }
        func outputs(_ text: String, _ arguments: [String]) async throws -> [String: [Substring]] {
            let run = try await replay([files.write("a.tally", text)], arguments)
            #expect(run.code == 0, "\(run.errors)")
            return try Dictionary(grouping: run.lines) { try JSONParser().parse(String($0))["run"]?.string ?? "" }
        }
        let expected = try await outputs(separate, [])
        #expect(expected.count == 9)
        #expect(try await outputs(mixed, []) == expected)
        #expect(try await outputs(mixed, ["--jobs", "3"]) == expected)
    }

    @Test("Unordered, the same lines come, and those of a run in their order")
    func unordered() async throws {
        let archives = archives(seed: 9, trouble: false)
        let expected = try await replay(archives, [])
        let run = try await replay(archives, ["--jobs", "3", "--unordered"])
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.lines.sorted() == expected.lines.sorted())
        #expect(try summary(run) == summary(expected))
    }

    /// An archive of separate runs and one of interleaved, damaged ones, each also compressed beside it.
    private func longArchives(seed: UInt64, runs: Int, samples: Int) async throws -> [String] {
        var random = SplitMix64(seed: seed)
        let separate = GeneratedArchive.text(runs: runs, samples: samples, order: .separate, trouble: false, &random)
        let mixed = GeneratedArchive.text(runs: 5, samples: 2_000, order: .interleaved, trouble: true, &random)
        let archives = [files.write("separate.tally", separate), files.write("mixed.tally", mixed)]
        for archive in archives { try await ChildProgram.compress("zstd -q", archive, to: "\(archive).zst") }
        return archives
    }

    @Test("A run longer than all that is read ahead leaves nothing out where outputs need no order")
    func longRuns() async throws {
        let archives = try await longArchives(seed: 12, runs: 2, samples: 60_000)
        for operands in [archives, ["\(archives[0]).zst"]] {
            let expected = try await ChildProgram.replay(operands + ["--json", "--io-threads", "0"])
            #expect(try (expected.summary()["events"]?.int ?? 0) > 120_000)
            for jobs in ["2", "3"] {
                let run = try await ChildProgram.replay(operands + ["--json", "--jobs", jobs])
                #expect(run.code == expected.code, "\(run.errors)")
                #expect(try summary(run) == summary(expected))
            }
        }
    }

    @Test("A compressed archive longer than all that is dealt ahead makes the same output in order")
    func longCompressed() async throws {
        let archives = try await longArchives(seed: 13, runs: 6, samples: 4_000)
        let expected = try await replay(archives, ["--io-threads", "0"])
        #expect(expected.lines.count > 30_000)
        for jobs in ["2", "3", "8"] {
            let run = try await replay(archives.map { $0 + ".zst" }, ["--jobs", jobs])
            #expect(run.code == expected.code, "\(run.errors)")
            #expect(run.output == expected.output, "\(jobs)")
        }
    }

    @Test("The first runs of a selection are the same for any number of coordinators")
    func first() async throws {
        let archives = archives(seed: 10, trouble: false)
        let expected = try await replay(archives, ["--first", "7"])
        let run = try await replay(archives, ["--first", "7", "--jobs", "3"])
        #expect(run.output == expected.output)
        #expect(try summary(run) == summary(expected))
        #expect(try run.summary()["runs"] == 7)
    }

    @Test("An archive that is none, is not there or is newer costs that archive alone, as with one coordinator")
    func refused() async throws {
        let archives = archives(seed: 11, trouble: false)
        let operands = [archives[0], files.write("none.tally", "\n\n"), TestFile.archive("newer"), archives[1]]
        let expected = try await replay(operands, [])
        let run = try await replay(operands, ["--jobs", "2"])
        #expect(expected.code == 76)
        #expect(run.code == expected.code)
        #expect(run.output == expected.output)
        #expect(try run.summary()["failures"] == expected.summary()["failures"])
        #expect(try run.summary()["damaged"] == 0)
    }

    @Test("What cannot go together is refused with the reason")
    func wrong() async throws {
        for (arguments, reason) in [
            (["--jobs", "2", "--io-threads", "0"], "1 with --io-threads 0"),
            (["--jobs", "2", "--strict"], "1 with --strict"),
            (["--jobs", "0"], "from 1 to 64"), (["--io-threads", "3"], "from 0 to 2"),
        ] {
            let run = try await ChildProgram.replay([TestFile.archive("plain")] + arguments)
            #expect(run.code == 64)
            #expect(run.errors.contains(reason), "\(run.errors)")
        }
    }

    @Test("Without threads for reading and writing one thread does the work, and another one sees to calls")
    func oneThread() async throws {
        let folder = files.path
        let text = try TestFile.text(TestFile.archive("plain"))
        for (arguments, isOne) in [(["--io-threads", "0"], true), (["--io-threads", "1"], false)] {
            let fifo = "\(folder)/fifo\(isOne)"
            #expect(unsafe mkfifo(fifo, 0o600) == 0)
            let output = "\(folder)/out\(isOne)"
            let child = try ChildProgram.startReplay(
                [
                    fifo, "--plugins", "witness,jsonlines", "--plugin-dir", plugins.path,
                    "--set", "plugins.jsonlines.config.path=\(output)",
                ] + arguments
            )
            // Opening waits for the reader, and the reader opens when all plugins are at work.
            let stream = unsafe try #require(unsafe fopen(fifo, "w"))
            unsafe fputs(String(text.dropLast(200)), stream)
            unsafe fflush(stream)
            #expect(await child.waitUntilReading())
            let others = child.threadNames.filter { !["tally-replay", "tally-core", "tally-calls"].contains($0) }
            #expect(others.isEmpty == isOne, "\(others)")
            unsafe fputs(String(text.suffix(200)), stream)
            unsafe fclose(stream)
            #expect(try await child.end() == 0)
            #expect(try TestFile.text(output).split(separator: "\n").count > 10)
        }
    }

    @Test(
        "A call that does not come back is given up, however many threads there are",
        .enabled(if: tally_can_give_up_calls(), "calls cannot be given up in this build"),
        arguments: ["0", "2"]
    )
    func givenUp(threads: String) async throws {
        let staying = try PluginFolder(fixtures: ["stays-away", "witness"], plugins: ["jsonlines"])
        let run = try await ChildProgram.replay([
            TestFile.archive("plain"), "--plugins", "stays-away,witness,jsonlines", "--plugin-dir", staying.path,
            "--io-threads", threads, "--set", "calls.limitSeconds=0.3", "--set", "plugins.stays-away.config.how=1",
            "--set", "plugins.jsonlines.config.path=\(files.path)/given-up",
        ])
        #expect(run.code == 75, "\(run.errors)")
        #expect(run.errors.contains("error: stays-away: "), "\(run.errors)")
        #expect(run.errors.contains("on_event did not come back. It was left there"), "\(run.errors)")
        #expect(try TestFile.text("\(files.path)/given-up").contains("\"instance\":\"witness\""))
    }

    @Test("An archive whose runs came before, in another archive, is no empty one, nor is a newer one read on")
    func again() async throws {
        let archive = archives(seed: 9, trouble: false)[0]
        let newer = try TestFile.text(archive).replacing("\"format\":1", with: "\"format\":99", maxReplacements: 1)
        for operands in [[archive, archive], [archive, files.write("newer.tally", newer)]] {
            let expected = try await replay(operands, ["--io-threads", "0"])
            #expect(expected.code == (operands[0] == operands[1] ? 0 : 76), "\(expected.errors)")
            let run = try await replay(operands, ["--jobs", "2"])
            #expect(run.code == expected.code, "\(run.errors)")
            #expect(run.output == expected.output)
            // How much is read at once is no promise: of what is not read on, more or less was read.
            for key in ["lines", "runs", "events", "records", "damaged", "places", "failures"] {
                #expect(try run.summary()[key] == expected.summary()[key], "\(key)")
            }
        }
    }
}
