import ChildPrograms
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// The C library as programs of others use it: compiled against its header, loaded from its file.
@Suite(.serialized) struct LibraryTests {
    private static let header = TestFile.repository + "/Hosts/Library/CTally/include"

    private let cases: CProgram

    init() async throws { cases = try await CProgram("Tests/LibraryTests/Programs/cases.c") }

    /// The events of an archive by name, with their lines.
    private func events(_ archive: String) throws -> [(name: String, line: JSONValue)] {
        try TestFile.text(archive).split(separator: "\n").compactMap { line in
            let line = try JSONParser().parse(String(line))
            return (line["event"] ?? line["end"])?.string.map { ($0, line) }
        }
    }

    @Test(
        "The header has nothing that a compiler complains of",
        arguments: [
            ["/usr/bin/gcc", "-std=c11", "-xc"], ["/usr/bin/g++", "-std=c++17", "-xc++", "-Wold-style-cast"],
            ["clang", "-std=c11", "-xc"], ["clang", "-std=c++17", "-xc++", "-Wold-style-cast"],
        ]
    )
    func header(command: [String]) async throws {
        let folder = TemporaryFolder()
        let source = folder.write("main.c", "#include <tally.h>\nint main(void) { return 0; }\n")
        let arguments = ["env"] + command + CProgram.strict + ["-fsyntax-only", "-I" + Self.header, source]
        let said = try await ChildProgram.run("/usr/bin/env", Array(arguments.dropFirst()))
        #expect(said.code == 0, "\(said.errors)")
    }

    @Test("The library exports what the header declares, and nothing else")
    func exports() async throws {
        let said = try await ChildProgram.run("/usr/bin/env", ["nm", "-D", CProgram.built + "/libtally.so"])
        let exported = said.output.split(separator: "\n").compactMap { line -> String? in
            let fields = line.split(separator: " ")
            guard fields.count == 3, fields[1].allSatisfy(\.isUppercase), fields[1] != "A", fields[1] != "U" else {
                return nil
            }
            return fields[2].split(separator: "@").first.map(String.init)
        }
        let words = try TestFile.text(Self.header + "/tally.h").split(separator: "\n")
            .filter { !$0.hasPrefix("static") && !$0.hasPrefix(" ") && !$0.hasPrefix("/*") && $0.contains("(") }
            .compactMap { $0.split(separator: "(").first?.split { $0 == " " || $0 == "*" }.last.map(String.init) }
            .filter { $0.hasPrefix("tally_") && $0 != "tally_log_function" }
        #expect(exported.sorted() == words.sorted())
        #expect(exported.count > 20)
    }

    @Test("A program that was built with the first header works with the library")
    func frozen() async throws {
        let program = try await CProgram(
            "Tests/LibraryTests/Programs/cases.c",
            headers: "Tests/LibraryTests/Frozen"
        )
        #expect(try await program.run(case: "signals") == ["0 2 2 -3 -4 -5 -5 -5"])
        _ = try await program.run(case: "state")
        #expect(program.archives.count == 2)
    }

    @Test("Texts, numbers and truths arrive, what is no UTF-8 is repaired, and what says nothing is left out")
    func texts() async throws {
        #expect(try await cases.run(case: "texts") == ["4", "-3 -3 -4", "0"])
        let load = try #require(try events(cases.archives[0]).first { $0.name == "video_load" })
        let expected: JSONValue = [
            "good": "h\u{e4}", "bad": "a\u{fffd}b", "number": -5, "half": 0.5, "truth": true, "cut": "xy",
        ]
        #expect(load.line["attributes"] == expected)
    }

    @Test("A state is said until it is forgotten, and playhead samples say no quality")
    func state() async throws {
        _ = try await cases.run(case: "state")
        let events = try events(cases.archives[0])
        #expect(events.map(\.name) == ["video_load", "playhead_sample", "play", "drained"])
        let load = events[0].line["state"]
        #expect(load?["playhead_ms"]?.int == 1_500)
        #expect(load?["duration_ms"]?.int == -1)
        #expect(load?["rate_milli"]?.int == 1_250)
        #expect(load?["volume_milli"]?.int == 500)
        #expect(load?["width"]?.int == 640)
        #expect(load?["muted"] == true)
        #expect(load?["live"] == nil)
        #expect(events[0].line["attributes"] == ["video_name": "Film", "mine": "x"])
        #expect(events[1].line["state"]?["playhead_ms"]?.int == 2_000)
    }

    @Test("Reports are fetched, commands are answered, and what is over says so")
    func reports() async throws {
        let said = try await cases.run(case: "reports")
        #expect(said[0...1] == ["none 0", "end 1 -2"])
        #expect(said[2].hasPrefix("report 1 1 ") && said[2].hasSuffix(" 0"))
        #expect(said[3].contains("new-relic-video is disabled"))
        #expect(said[4].hasPrefix("69 the application plays"))
        #expect(said[5].hasPrefix("64 a quote is not closed"))
        #expect(said[6] == "0")
    }

    @Test("A second one with the same claim is refused, until the first is closed")
    func claims() async throws {
        let said = try await cases.run(case: "claims")
        #expect(said[0].hasPrefix("open: 1001 'mpv' is open in this process already"))
        #expect(said[1...] == ["1 0 1", "1"])
    }

    @Test("Errors say what, where and what to do, in the words of the library")
    func errors() async throws {
        let said = try await cases.run(case: "errors")
        #expect(said[0].hasPrefix("0 66 cannot read the configuration file /nowhere/tally.json5"))
        #expect(said[1].hasPrefix("open: 75 plugins no-such-plugin: no plugin no-such-plugin in "))
        #expect(said[1].hasSuffix("Name its folder in plugin_folders."))
        #expect(said[2] == "1")
        #expect(said[4] == "0 64 tally_open: the options have no size: make them with tally_options_default")
        #expect(said[5] == "1 0 ''")
        #expect(said[3].hasPrefix("0 78 plugins jsonlines: plugins.jsonlines.config.path: without this key it writes"))
    }

    @Test("What is open as the process exits is delivered")
    func exit() async throws {
        #expect(try await cases.run(case: "leave") == [])
        let events = try events(cases.archives[0])
        #expect(events.filter { $0.name == "playhead_sample" }.count == 100)
        #expect(events.last?.name == "drained")
        #expect(try TestFile.text(cases.folder.file("out.jsonl")).split(separator: "\n").count == 2)
    }

    @Test("A process that forks before it opens anything is tracked, as a daemon is")
    func daemonizes() async throws {
        #expect(try await cases.run(case: "daemonizes") == ["child 0 0"])
    }

    @Test("A copy that fork makes is told so at once, and the parent's run is whole")
    func forks() async throws {
        #expect(try await cases.run(case: "forks") == ["child -2 0 1002", "parent 0 0"])
        #expect(try events(cases.archives[0]).map(\.name) == ["video_load", "play", "drained"])
    }

    @Test("Opening and closing leaves nothing behind")
    func cycles() async throws {
        #expect(try await cases.run(case: "cycles", "20") == ["0 1"])
    }

    @Test("Track calls from several threads are put into one order")
    func threads() async throws {
        #expect(try await cases.run(case: "threads") == ["0"])
        let events = try events(cases.archives[0])
        let numbers = events.compactMap { $0.line["n"]?.int }
        #expect(numbers == Array(1...Int64(numbers.count)))
    }

    @Test("Two copies of the library in one process both work")
    func copies() async throws {
        let copy = try cases.folder.copy(CProgram.built + "/libtally.so", as: "copy.so")
        #expect(try await cases.run(case: "copies", copy) == ["1 0 0", "0 0"])
        #expect(cases.archives.count == 2)
    }

    @Test("No signal handler is installed")
    func handlers() async throws {
        #expect(try await cases.run(case: "handlers") == ["0"])
    }

    @Test("Signals become track calls")
    func signals() async throws {
        #expect(try await cases.run(case: "signals") == ["0 2 2 -3 -4 -5 -5 -5"])
        let names = try events(cases.archives[0]).map(\.name)
        #expect(
            names == [
                "application_launched", "player_ready", "video_load", "play", "metadata_change", "first_frame",
                "custom",
                "video_unload", "application_terminated", "drained",
            ]
        )
    }

    @Test(
        "The examples behave, and the replay of what they did gives the same output again",
        arguments: ["c11 player.c", "c++17 player.cpp"]
    )
    func examples(example: String) async throws {
        let words = example.split(separator: " ").map(String.init)
        let program = try await CProgram("Hosts/Library/Examples/" + words[1], standard: words[0])
        let (archives, output) = (program.folder.file("archives/"), program.folder.file("out.jsonl"))
        let said = try await program.run([CProgram.built, archives, output])
        #expect(said.code == 0, "\(said.errors)")
        let archive = try #require(program.archives.first)
        let check = try await ChildProgram.run("tally-replay", ["validate", "--strict", archive])
        #expect(check.code == 0, "\(check.output)\(check.errors)")
        let again = program.folder.file("again.jsonl")
        let replay = try await ChildProgram.run(
            "tally-replay",
            [
                archive, "--plugins", "new-relic-video,jsonlines", "--plugin-dir", CProgram.built,
                "--set", "plugins.jsonlines.config.path=\"\(again)\"", "-q",
            ]
        )
        #expect(replay.code == 0, "\(replay.errors)")
        #expect(try TestFile.text(again) == TestFile.text(output))
    }

    @Test("The example for libVLC has nothing that a compiler complains of")
    func libVLC() async throws {
        let flags = try await ChildProgram.run("/usr/bin/env", ["pkg-config", "--cflags", "libvlc"])
        let sources = ["adapter", "player", "rules"].map {
            TestFile.repository + "/Hosts/Library/Examples/vlc/\($0).c"
        }
        let arguments = CProgram.strict + ["-fsyntax-only", "-I" + Self.header] + sources
        let said = try await ChildProgram.run(
            "/usr/bin/gcc",
            arguments + flags.output.split(whereSeparator: \.isWhitespace).map(String.init)
        )
        #expect(said.code == 0, "\(flags.errors)\(said.errors)")
    }

    @Test("The Python package does what its tests say")
    func python() async throws {
        let said = try await ChildProgram.run(
            "/usr/bin/env",
            ["python3", TestFile.repository + "/Tests/LibraryTests/check_python.py", CProgram.built],
            environment: [
                "PYTHONPATH": TestFile.repository + "/Hosts/Python", "SWIFT_BACKTRACE": "enable=no",
                "PYTHONDONTWRITEBYTECODE": "1",
            ]
        )
        #expect(said.code == 0, "\(said.errors.suffix(4_000))")
    }
}
