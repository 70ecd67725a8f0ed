import ChildPrograms
import Glibc
import TestFiles
import Testing
import TextEncoding

/// `tally-replay report`: what its documents hold, and what becomes of bad input.
struct ReportTests {
    private let files = TemporaryFolder()

    private func lines(_ run: String, sessions: Int = 1) -> [String] {
        let header = #""tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[]}"#
        var lines = [#"{"run":"\#(run)","n":0,\#(header)}"#]
        for session in 1...max(sessions, 1) where sessions > 0 {
            let time = session * 10_000_000
            lines += [
                #"{"run":"\#(run)","n":\#(lines.count),"t_us":\#(time),"event":"video_load","session":\#(session)}"#,
                #"{"run":"\#(run)","n":\#(lines.count + 1),"t_us":\#(time + 5),"event":"video_unload","session":\#(session)}"#,
            ]
        }
        return lines + [#"{"run":"\#(run)","n":\#(lines.count),"t_us":90000000,"end":"drained","dropped":0}"#]
    }

    private func archive(_ name: String, _ lines: [String]) -> String {
        files.write(name, lines.map { $0 + "\n" }.joined())
    }

    private func report(_ arguments: [String], code: Int32 = 0) async throws -> ChildProgram.Outcome {
        let run = try await ChildProgram.replay(["report", "--player-only"] + arguments)
        #expect(run.code == code, "\(run.errors)")
        return run
    }

    @Test("Documents hold what jsonlines and metrics say of the same archive, and nothing that is personal")
    func sameAsOthers() async throws {
        let plugins = try PluginFolder(plugins: ["new-relic-video", "mux-data", "jsonlines"])
        let python = try await ChildProgram.run(
            "/usr/bin/env",
            [
                "python3", "\(TestFile.repository)/Tests/PagesTests/check_report.py",
                "\(TestFile.products)/tally-replay",
                plugins.path, files.path,
            ]
        )
        #expect(python.code == 0, "\(python.output)\(python.errors)")
        #expect(python.output.hasSuffix(" checks, 0 failed\n"), "\(python.output)")
    }

    @Test("An archive without sessions and one of an open run have reports too")
    func emptyAndOpen() async throws {
        let empty = archive("empty.tally", lines("empty", sessions: 0))
        _ = try await report([empty, "-o", files.file("empty.html")])
        #expect(try TestFile.text(files.file("empty.html")).hasSuffix("</html>\n"))
        let open = archive("open.tally", lines("open", sessions: 2).dropLast(2))
        let told = try JSONParser().parse(try await report([open, "--json", "--leave-open"]).output)
        let headline = told["overview"]?["now"]?["metrics"]?["total"]?["headline"]
        #expect(headline?["sessions"] == 1)
        #expect(headline?["open_sessions"] == 1)
        #expect(told["sessions"]?["rows"]?.array?.count == 2)
    }

    @Test("Without trackers those of the configuration do not run either, and with them no others do")
    func trackers() async throws {
        let plugins = try PluginFolder(plugins: ["example-c", "example-swift"])
        let path = archive("a.tally", lines("a"))
        let configuration = files.write("c.json5", "{plugins: {'example-c': {}}}")
        for (option, expected) in [(["--player-only"], []), ([], ["example-c"])] as [([String], [String])] {
            let arguments = ["--config", configuration, "--plugin-dir", plugins.path, "--json"]
            let run = try await ChildProgram.replay(["report", path] + arguments + option)
            #expect(run.code == 0, "\(run.errors)")
            let told = try JSONParser().parse(run.output)["overview"]?["now"]?["trackers"]?.array
            #expect(told?.compactMap { $0["instance"]?.string } == expected)
        }
    }

    @Test("A substitute is of recorded trackers: with trackers that are named it is refused")
    func substitute() async throws {
        let plugins = try PluginFolder(plugins: ["example-c"])
        let path = archive("one.tally", lines("one"))
        for other in [["--plugins", "example-c"], ["--player-only"]] {
            let words = ["report", path, "--json", "--plugin-dir", plugins.path, "--substitute", "a=example-c"] + other
            let run = try await ChildProgram.replay(words)
            #expect(run.code == 64 && run.errors.contains("no \(other[0]) with it"), "\(run.errors)")
        }
        let configuration = files.write("tally.json5", #"{ plugins: [{ plugin: "example-c" }] }"#)
        let words = ["report", path, "--json", "--plugin-dir", plugins.path, "--substitute", "a=example-c"]
        let run = try await ChildProgram.replay(words + ["--config", configuration])
        #expect(run.code == 64 && run.errors.contains("the configuration names trackers"), "\(run.errors)")
    }

    @Test("A pipe gets the report, a link is followed, and a good report stays when there is nothing to show")
    func targets() async throws {
        let path = archive("one.tally", lines("one"))
        _ = files.write("real.html", "before")
        _ = files.link("link.html", to: "real.html")
        _ = try await report([path, "-o", files.file("link.html"), "--quiet"], code: 0)
        let good = try TestFile.text(files.file("real.html"))
        #expect(good.hasSuffix("</html>\n"))
        var status = stat()
        #expect(unsafe lstat(files.file("link.html"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        for other in [files.write("none.tally", "no archive\n"), files.write("empty.tally", "")] {
            let run = try await ChildProgram.replay(["report", other, "-o", files.file("real.html"), "--quiet"])
            #expect(run.code == 65 && run.errors.contains("no report is written"), "\(run.errors)")
            #expect(try TestFile.text(files.file("real.html")) == good)
        }
        let program = TestFile.products + "/tally-replay"
        let words = "\(program) report \(path) --csv --quiet -o"
        let command =
            "mkfifo \(files.file("pipe")) && { cat \(files.file("pipe")) > \(files.file("read")) & \(words) "
            + "\(files.file("pipe")); wait; test -p \(files.file("pipe")); }"
        let piped = try await ChildProgram.run("/bin/sh", ["-c", command])
        #expect(piped.code == 0, "\(piped.errors)")
        let table = try await ChildProgram.run("/bin/sh", ["-c", "cd \(files.path) && \(words) - "])
        let read = try TestFile.text(files.file("read"))
        #expect(table.code == 0 && !read.isEmpty && table.output == read)
    }

    @Test("A damaged archive is told of, and the report is made of the other lines")
    func damaged() async throws {
        let path = archive("damaged.tally", lines("a") + ["{damaged"] + lines("b"))
        let run = try await report([path, "-o", files.file("damaged.html"), "--quiet"], code: 65)
        #expect(run.errors.contains("damaged.tally:5:"), "\(run.errors)")
        #expect(try TestFile.text(files.file("damaged.html")).hasSuffix("</html>\n"))
    }

    @Test("The archive of a newer Tally and one that is none are told of, and the report is made of the others")
    func newer() async throws {
        let good = archive("good.tally", lines("good"))
        let newer = archive("newer.tally", lines("newer").map { $0.replacing(#""format":1"#, with: #""format":99"#) })
        let other = files.write("other.tally", "no archive\n")
        for (others, code) in [([newer], 76 as Int32), ([other], 65), ([other, newer], 76)] {
            let told = try await report([good] + others + ["--json", "--quiet"], code: code)
            let headline = try JSONParser().parse(told.output)["overview"]?["now"]?["metrics"]?["total"]?["headline"]
            #expect(headline?["sessions"] == 1, "\(others)")
        }
        _ = try await report([good, newer, "-o", files.file("newer.html")], code: 76)
        #expect(try TestFile.text(files.file("newer.html")).hasSuffix("</html>\n"))
    }

    @Test("A choice of nothing is warned of, and so is a group that no session is in")
    func nothing() async throws {
        let good = archive("good.tally", lines("good"))
        let run = try await report([good, "--session", "7", "-o", files.file("none.html"), "--quiet"])
        #expect(run.errors.contains("warning: nothing was chosen"), "\(run.errors)")
        let metrics = try await ChildProgram.replay(["metrics", good, "--by", "nosuch", "--shard-out", files.file("s")])
        #expect(metrics.errors.contains("--by nosuch: no session has that attribute"), "\(metrics.errors)")
        #expect(metrics.errors.contains("--csv and --json have those of each group"), "\(metrics.errors)")
        var information = stat()
        #expect(unsafe stat(files.file("s"), &information) == 0 && information.st_mode & 0o777 == 0o600)
    }

    @Test(
        "What cannot be done is told with what to do, and an earlier report stays",
        arguments: [
            (["made.tally"], 64 as Int32, "--output FILE is missing"),
            (["-o", "old.html"], 64, "ARCHIVE is missing"),
            (["made.tally", "-o", "old.html", "--json", "--csv"], 64, "--csv"),
            (["made.tally", "-o", "old.html", "--session-pages", "many"], 64, "--session-pages"),
            (["absent.tally", "-o", "old.html"], 66, "absent.tally: cannot read the archive"),
            (["--compare", "absent", "made.tally", "-o", "old.html"], 66, "absent: cannot read the archive"),
            (["made.tally", "-o", "nowhere/r.html"], 73, "create its folder"),
            (["made.tally", "-o", "made.tally"], 73, "one of the archives that are read"),
            (["old.html", "-o", "new.html"], 65, "this is no archive"),
        ]
    )
    func refused(words: [String], code: Int32, text: String) async throws {
        _ = archive("made.tally", lines("made"))
        let old = files.write("old.html", "an earlier report\n")
        let arguments = words.map { $0.hasPrefix("-") || $0 == "many" ? $0 : files.file($0) }
        let run = try await report(arguments, code: code)
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(try TestFile.text(old) == "an earlier report\n")
        #expect(try TestFile.text(files.file("made.tally")).hasPrefix("{\"run\":\"made\""))
    }
}
