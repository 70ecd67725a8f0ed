import ChildPrograms
import Testing
import TextEncoding

/// What the program says of archives when no plugin is chosen.
struct SummaryTests {
    private let files = TemporaryFolder()

    private func summary(_ archives: [String], code: Int32 = 0, input: String = "/dev/null") async throws -> JSONValue {
        let run = try await ChildProgram.replay(archives + ["--json"], input: input)
        #expect(run.code == code, "\(run.errors)")
        #expect(run.output.isEmpty)
        let summary = try run.summary()
        #expect(summary["exit_code"] == .int(Int64(code)))
        return summary
    }

    @Test("A sound archive is summed up for people, and ends with success")
    func people() async throws {
        let run = try await ChildProgram.replay([TestFile.archive("plain")])
        #expect(run.code == 0)
        for row in ["player runs  1\n", "sessions     1\n", "events       17\n", "run time     0:00:12\n"] {
            #expect(run.errors.contains(row))
        }
        #expect(run.errors.contains("no plugins are chosen"))
        #expect(!run.errors.contains("warning") && !run.errors.contains("\u{1B}"))
    }

    @Test("Two runs that are interleaved in one archive are two runs")
    func interleaved() async throws {
        let summary = try await summary([TestFile.archive("interleaved")])
        #expect(summary["runs"] == 2)
        #expect(summary["sessions"] == 2)
        #expect(summary["open_runs"] == 0)
        #expect((14_000_000...15_000_000).contains(summary["run_time_us"]?.int ?? 0))
        #expect(summary["damaged"] == 0)
    }

    @Test("A cut off archive gives every complete line and is reported with file and line")
    func truncated() async throws {
        let path = TestFile.archive("truncated")
        let summary = try await summary([path], code: 65)
        #expect(summary["events"] == 10)
        #expect(summary["open_runs"] == 1)
        #expect(summary["places"] == [.string("\(path):13: the last line is cut off")])
    }

    @Test("Damaged lines cost themselves and nothing else")
    func damaged() async throws {
        let path = TestFile.archive("damaged")
        let summary = try await summary([path], code: 65)
        #expect(summary["events"] == 15)
        #expect(summary["sessions"] == 1)
        #expect(summary["open_runs"] == 0)
        let places = summary["places"]?.array?.compactMap(\.string) ?? []
        #expect(places.contains { $0.hasPrefix("\(path):7: damaged line") })
        #expect(places.contains { $0.hasPrefix("\(path):10: damaged line") })
    }

    @Test("Ten damaged places are shown, and how many there are more")
    func manyPlaces() async throws {
        let header = try #require(try TestFile.text(TestFile.archive("plain")).split(separator: "\n").first)
        let archive = files.write("a.tally", header + "\n" + String(repeating: "no archive\n", count: 25))
        let run = try await ChildProgram.replay([archive])
        #expect(run.code == 65)
        #expect(run.errors.contains("damaged places in the archives: 25\n"))
        #expect(run.errors.contains("\(archive):11:") && !run.errors.contains("\(archive):12:"))
        #expect(run.errors.contains("... and 15 more\n"))
    }

    @Test("An archive of a newer version is refused, and the others are replayed")
    func newer() async throws {
        let newer = TestFile.archive("newer")
        let summary = try await summary([newer, TestFile.archive("plain")], code: 76)
        #expect(summary["runs"] == 1)
        #expect(summary["events"] == 17)
        let failures = summary["failures"]?.array ?? []
        #expect(failures.map { $0["code"] } == ["newer-version"])
        #expect(failures.first?["message"]?.string?.hasPrefix("\(newer):1: ") == true)
        #expect(summary["damaged"] == 0 && summary["places"] == [])
    }

    @Test("Strict stops at the first line that cannot be used, and reads no other archive")
    func strict() async throws {
        let damaged = TestFile.archive("damaged")
        let summary = try await summary(["--strict", damaged, TestFile.archive("interleaved")], code: 65)
        #expect(summary["runs"] == 1)
        #expect(summary["open_runs"] == 1)
        #expect(summary["failures"]?.array?.first?["message"]?.string?.hasPrefix(damaged) == true)
    }

    @Test("So many damaged places as are accepted are success, and the next one ends the replay")
    func acceptedDamage() async throws {
        let archives = [TestFile.archive("damaged"), TestFile.archive("interleaved")]
        let all = try await summary(archives, code: 65)
        let damaged = try #require(all["damaged"]?.int)
        #expect(damaged > 1)
        let accepted = try await summary(["--max-damaged", "\(damaged)"] + archives)
        #expect(accepted["events"] == all["events"] && accepted["damaged"] == all["damaged"])
        let stopped = try await summary(["--max-damaged", "\(damaged - 1)"] + archives, code: 65)
        #expect(stopped["damaged"] == all["damaged"] && stopped["runs"] == 1)
        for other in [["--strict"], ["--jobs", "2"]] {
            #expect(try await ChildProgram.replay(["--max-damaged", "1", "a"] + other).code == 64)
        }
    }

    @Test("A folder stands for the archives in it, by name")
    func folder() async throws {
        for (name, source) in [("b.jsonl", "damaged"), ("a.tally", "truncated"), ("note.txt", "newer")] {
            files.write(name, bytes: try TestFile.bytes(TestFile.archive(source)))
        }
        let summary = try await summary([files.path], code: 65)
        #expect(summary["archives"] == 2)
        let places = summary["places"]?.array?.compactMap(\.string) ?? []
        #expect(places.first?.hasPrefix(files.path + "/a.tally:13: ") == true)
        #expect(places.last?.hasPrefix(files.path + "/b.jsonl:") == true)
    }

    @Test("Standard input is an archive like any other")
    func standardInput() async throws {
        let plain = TestFile.archive("plain")
        let file = try await summary([plain])
        let input = try await summary(["-"], input: plain)
        for key in ["archives", "lines", "bytes", "runs", "sessions", "events", "run_time_us"] {
            #expect(file[key] != nil && file[key] == input[key])
        }
    }

    @Test(
        "What holds no run is no archive, and is called so, whatever it is",
        arguments: ["", "<html>\n<body>Not found</body>\n</html>\n", "\u{0}\u{1}\n\n\u{FF}", "{\"a\":1}\n"]
    )
    func noArchive(text: String) async throws {
        let path = files.write("page.tally", text)
        let message = "error: \(path): this is no archive: it holds no player run"
        for words in [[path, "--json"], [path, "--json", "--jobs", "2"], ["ls", path], ["stats", path]] {
            let run = try await ChildProgram.replay(words)
            #expect(run.code == 65 && run.errors.contains(message), "\(words) \(run.errors)")
            if words.contains("--json") { #expect(try run.summary()["runs"] == 0) }
        }
    }

    @Test("An archive without its beginning is called damaged, not none", arguments: [[], ["--jobs", "2"], ["ls"]])
    func noBeginning(more: [String]) async throws {
        let text = try TestFile.text(TestFile.archive("plain")).split(separator: "\n").dropFirst(3)
        let path = files.write("tail.tally", text.joined(separator: "\n") + "\n")
        let run = try await ChildProgram.replay(more + [path])
        #expect(run.code == 65 && run.errors.contains("tail.tally:1:"), "\(run.errors)")
        #expect(!run.errors.contains("no archive"), "\(run.errors)")
    }

    @Test("The summary can go to a file, beside that for people")
    func summaryFile() async throws {
        let path = files.path + "/summary.json"
        let run = try await ChildProgram.replay([TestFile.archive("plain"), "--summary", path])
        #expect(run.code == 0)
        #expect(run.errors.contains("events       17"))
        #expect(try JSONParser().parse(try TestFile.text(path))["events"] == 17)
    }

    @Test("Quiet says nothing of what is well, and warns of what is not")
    func quiet() async throws {
        #expect(try await ChildProgram.replay(["-q", TestFile.archive("plain")]).errors.isEmpty)
        let run = try await ChildProgram.replay(["-q", TestFile.archive("truncated")])
        #expect(run.errors.hasPrefix("tally-replay: warning: "))
        #expect(!run.errors.contains("events"))
    }

    @Test("Of runs without an end three are told, however many coordinators there are, and the summary has all")
    func openRuns() async throws {
        let lines = try TestFile.text(TestFile.archive("plain")).split(separator: "\n").dropLast()
        let text = lines.joined(separator: "\n")
        let archives = try (1...8).map { number in
            files.write("\(number).tally", try Self.renamed(text, to: "run-\(number)") + "\n")
        }
        for (more, count) in [([], 3), (["--jobs", "3"], 3), (["--verbose"], 8), (["--quiet"], 0)] {
            let run = try await ChildProgram.replay(archives + more)
            let lines = run.errors.split(separator: "\n").filter { $0.contains("has no end: its player died") }
            #expect(lines.count == count, "\(run.errors)")
            #expect(lines.count { $0.hasSuffix("(more of these are debug messages)") } == min(count, 1))
            #expect(count == 0 || run.errors.contains("player runs  8 (8 without an end)"))
        }
    }

    private static func renamed(_ text: String, to run: String) throws -> String {
        let name = try #require(try JSONParser().parse(String(text.prefix { $0 != "\n" }))["run"]?.string)
        return text.replacing("\"run\":\"\(name)\"", with: "\"run\":\"\(run)\"")
    }

    @Test("At a given speed a replay takes its time")
    func speed() async throws {
        let fast = try await summary([TestFile.archive("plain"), "--speed", "25"])
        #expect(fast["elapsed_us"]?.int ?? 0 >= 12_000_000 / 25)
        let config = files.write("tally.json5", "{replay: {speed: 25}}")
        let configured = try await summary([TestFile.archive("plain"), "--config", config])
        #expect(configured["elapsed_us"]?.int ?? 0 >= 12_000_000 / 25)
    }
}
