import Campaigns
import ChildPrograms
import Glibc
import TestFiles
import Testing
import TextEncoding

@Suite struct CollectorTests {
    private let files = TemporaryFolder()

    private func start(_ options: [String] = [], configuration: String? = nil) async throws -> RunningCollector {
        var options = options
        if let configuration { options += ["--config", files.write("tally.json5", configuration)] }
        return try await RunningCollector(files.file("collected"), options)
    }

    private var speaking: [String] {
        [
            "--plugins", "new-relic-video,jsonlines",
            "--set", "plugins.new-relic-video.config.delivery={\"accountId\":1}",
            "--set", "plugins.jsonlines.config.path=\"\(files.file("live.jsonl"))\"",
        ]
    }

    private func lines(_ name: String) -> [String] {
        ((try? TestFile.text(files.file(name))) ?? "").split(separator: "\n").map(String.init).sorted()
    }

    @Test("A run in one batch is in an archive, whose replay says what was said live")
    func oneBatch() async throws {
        let collector = try await start(speaking)
        #expect(collector.post("/runs/one", SampleRun.whole)?.safe == 8)
        #expect(await collector.shelved(1))
        #expect(try await collector.end() == 0)
        let archived = try await collector.archived()
        #expect(archived.count(where: { $0.contains("\"event\":\"play\"") }) == 2)
        let archive = files.write("one.tally", archived.joined(separator: "\n") + "\n")
        let options = speaking.map { $0.replacing("live.jsonl", with: "replayed.jsonl") }
        let replay = try await ChildProgram.run(
            "tally-replay",
            [archive, "--strict", "--quiet", "--plugin-dir", TestFile.products] + options
        )
        #expect(replay.code == 0, "\(replay.errors)")
        #expect(!lines("live.jsonl").isEmpty && lines("live.jsonl") == lines("replayed.jsonl"))
    }

    @Test("A kill between batches doubles nothing and loses nothing, also of what trackers say later")
    func killed() async throws {
        let collector = try await start(speaking)
        #expect(collector.post("/runs/one", SampleRun.batch(1...5, sent: 950_000))?.safe == 5)
        // The run has it, and the journal still has it too.
        #expect(await eventually { collector.figure("events_total") == 5 && !lines("live.jsonl").isEmpty })
        let said = lines("live.jsonl")
        try await collector.killAndBegin()
        #expect(collector.post("/runs/one", SampleRun.batch(3...8))?.safe == 8)
        #expect(await collector.shelved(1))
        #expect(try await collector.end() == 0)
        let archived = try await collector.archived()
        let events = archived.compactMap { try? JSONParser().parse($0)["event"]?.string }
        #expect(
            events == ["video_load", "play", "first_frame", "playhead_sample", "pause", "play", "video_unload"]
        )
        // The file begins anew with the reporter: what was said before is not in it again.
        #expect(!lines("live.jsonl").isEmpty && lines("live.jsonl").allSatisfy { !said.contains($0) })
    }

    @Test("A plugin's file that is another after a restart takes the old one's place in open runs, which archives say")
    func replacedWhileDown() async throws {
        let bytes = try TestFile.bytes(TestFile.products + "/libexample-c.tallyplugin.so")
        let plugins = files.file("plugins")
        // What lies behind the end of a library is not looked at, but makes its hash another one.
        func install(_ number: Int) { files.write("plugins/example-c.tallyplugin.so", bytes: bytes + [UInt8(number)]) }
        install(1)
        let collector = try await start(
            [
                "--plugin-dir", plugins, "--plugins", "example-c,jsonlines",
                "--set", "plugins.jsonlines.config.path=\"\(files.file("live.jsonl"))\"",
            ]
        )
        #expect(collector.post("/runs/one", SampleRun.batch(1...5, sent: 950_000))?.safe == 5)
        #expect(await eventually { collector.figure("events_total") == 5 && !lines("live.jsonl").isEmpty })
        let before = lines("live.jsonl")
        collector.program.send(SIGKILL)
        _ = try await collector.program.killed()
        install(2)
        try await collector.beginAgain()
        #expect(collector.post("/runs/one", SampleRun.batch(6...8))?.safe == 8)
        #expect(await collector.shelved(1))
        #expect(try await collector.end() == 0)
        let archived = try await collector.archived()
        let replaced = archived.filter { $0.contains("plugin_replaced") }
        #expect(replaced.count == 1 && replaced.allSatisfy { $0.contains("\"plugin_replacement\":\"replayed\"") })
        // The kill cost the file what was said before it: both are what a replay says.
        files.write("archive.tally", archived.joined(separator: "\n") + "\n")
        let replay = try await ChildProgram.run(
            "tally-replay",
            [
                files.file("archive.tally"), "--quiet", "--plugin-dir", TestFile.products, "--plugins",
                "example-c,jsonlines", "--set", "plugins.jsonlines.config.path=\"\(files.file("replayed.jsonl"))\"",
            ]
        )
        #expect(replay.code == 0, "\(replay.errors)")
        #expect((before + lines("live.jsonl")).sorted() == lines("replayed.jsonl"))
    }

    @Test("A newer file that is dropped into a watched folder is for runs that begin: open ones keep theirs")
    func droppedFile() async throws {
        let bytes = try TestFile.bytes(TestFile.products + "/libexample-c.tallyplugin.so")
        let path = files.write("plugins/example-c.tallyplugin.so", bytes: bytes + [1])
        let collector = try await start(
            ["--plugin-dir", files.file("plugins"), "--plugins", "example-c", "--control", files.file("control")]
        )
        #expect(collector.post("/runs/open", SampleRun.batch(1...5, sent: 950_000))?.safe == 5)
        #expect(await eventually { collector.figure("events_total") == 5 })
        let newer = files.write("newer.so", bytes: bytes + [2])
        try #require(unsafe rename(newer, path) == 0)
        try #require(await collector.program.says("replaced example-c"))
        #expect(collector.post("/runs/open", SampleRun.batch(6...8))?.safe == 8)
        #expect(collector.post("/runs/later", SampleRun.whole)?.safe == 8)
        #expect(await collector.shelved(2))
        #expect(try await collector.end() == 0)
        let archived = try await collector.archived()
        #expect(!archived.contains { $0.contains("plugin_replaced") })
        func hash(_ run: String) throws -> String? {
            let header = try archived.first { $0.hasPrefix("{\"run\":\"\(run)\"") }.map { try JSONParser().parse($0) }
            return header?["tally"]?["trackers"]?.array?.first?["sha256"]?.string
        }
        #expect(try hash("open") != nil && hash("later") != nil && hash("open") != hash("later"))
    }

    @Test("A run that is in an archive is not made anew when the collector begins again")
    func shelvedOnce() async throws {
        let collector = try await start(speaking)
        #expect(collector.post("/runs/one", SampleRun.whole)?.safe == 8)
        #expect(await collector.shelved(1))
        try await collector.killAndBegin()
        let answer = collector.post("/runs/one", SampleRun.whole)
        #expect(answer?.status == 410 && answer?.body["ended"] == true)
        #expect(collector.figure("runs_begun_total") == 0)
        #expect(try await collector.end() == 0)
        #expect(try await collector.archived().count(where: { $0.contains("\"tally\":{") }) == 1)
        #expect(lines("live.jsonl").isEmpty)
    }

    @Test("A run of which nothing comes ends where it was last seen, with its cause")
    func silence() async throws {
        let collector = try await start(configuration: "{ collector: { silenceWhilePlayingSeconds: 1 } }")
        #expect(collector.post("/runs/one", SampleRun.batch(1...4, sent: 700_000))?.safe == 4)
        #expect(await collector.shelved(1))
        let unload = try await collector.archived().first { $0.contains("video_unload") }
        #expect(unload?.contains("\"t_us\":650000") == true && unload?.contains("\"cause\":\"silence\"") == true)
    }

    @Test("Who has no key, comes from another page, or names no run is refused, and told what to do")
    func refused() async throws {
        let configuration = """
            { collector: { tenants: { acme: { keys: ["k1"], origins: ["https://tv.example"] }, other: { keys: ["k2"] } } } }
            """
        let collector = try await start(configuration: configuration)
        #expect(collector.post("/runs/a", SampleRun.whole)?.status == 401)
        #expect(collector.post("/runs/a?key=k", SampleRun.whole)?.status == 401)
        #expect(
            collector.post("/runs/a?key=k1", SampleRun.whole, headers: "Origin: https://x.example\r\n")?.status == 403
        )
        #expect(collector.post("/runs/..%2fa?key=k1", SampleRun.whole)?.status == 404)
        #expect(collector.post("/runs/a%20b?key=k1", SampleRun.whole)?.status == 400)
        #expect(collector.post("/runs/a?key=k1", "nonsense")?.status == 400)
        #expect(collector.post("/other", "")?.status == 404)
        #expect(collector.post("/runs/a", "", method: "PUT")?.status == 405)
        #expect(collector.post("/runs/a?key=k1", String(repeating: " ", count: 1_100_000))?.status == 413)
        let good = collector.post("/runs/a?key=k1", SampleRun.whole, headers: "Origin: https://tv.example\r\n")
        #expect(good?.safe == 8 && good?.head.contains("Access-Control-Allow-Origin: https://tv.example") == true)
        let bearer = collector.post("/runs/a", SampleRun.whole, headers: "Authorization: Bearer k2\r\n")
        #expect(bearer?.safe == 8)
        #expect(await collector.shelved(2))
        #expect(try await collector.archived(tenant: "acme").count == 9)
        #expect(try await collector.archived(tenant: "other").count == 9)
    }

    @Test("A viewer who wants no tracking begins with that, or is not kept at all")
    func optOut() async throws {
        let configuration = """
            { collector: { tenants: { acme: { keys: ["k1"] }, strict: { keys: ["k2"], optOut: "drop" } } } }
            """
        let collector = try await start(configuration: configuration)
        let header = "Sec-GPC: 1\r\n"
        #expect(collector.post("/runs/a?key=k1", SampleRun.whole, headers: header)?.safe == 8)
        #expect(collector.post("/runs/b?key=k2", SampleRun.whole, headers: header)?.safe == 8)
        #expect(await collector.shelved(1))
        #expect(try await collector.end() == 0)
        #expect(try await collector.archived(tenant: "strict").isEmpty)
        let consent = try await collector.archived(tenant: "acme").dropFirst().first ?? ""
        #expect(consent.contains("\"consent_state\":\"out\"") && consent.contains("\"t_us\":0"))
    }

    @Test("A tenant's runs have its trackers alone")
    func plugins() async throws {
        let configuration = """
            { plugins: { "example-c": {}, "example-swift": {} },
              collector: { tenants: { acme: { keys: ["k1"], plugins: ["example-c"] }, all: { keys: ["k2"] } } } }
            """
        let collector = try await start(configuration: configuration)
        #expect(collector.post("/runs/a?key=k1", SampleRun.whole)?.safe == 8)
        #expect(collector.post("/runs/b?key=k2", SampleRun.whole)?.safe == 8)
        #expect(await collector.shelved(2))
        func trackers(_ tenant: String) async throws -> [String] {
            let header = try await collector.archived(tenant: tenant).first.map { try JSONParser().parse($0) }
            return (header?["tally"]?["trackers"]?.array ?? []).compactMap { $0["name"]?.string }
        }
        #expect(try await trackers("acme") == ["example-c"])
        #expect(try await trackers("all") == ["example-c", "example-swift"])
    }

    @Test("A tracker that is switched off is so in runs that are open and in those that begin")
    func changed() async throws {
        let collector = try await start(
            ["--plugins", "example-c", "--control", files.file("control")]
        )
        #expect(collector.post("/runs/open", SampleRun.batch(1...4, sent: 700_000))?.safe == 4)
        #expect(await eventually { collector.figure("events_total") == 4 })
        let changed = try await ChildProgram.run(
            "tally-collector",
            ["ctl", "--control", files.file("control"), "plugin", "disable", "example-c"]
        )
        #expect(changed.code == 0, "\(changed.errors)")
        #expect(collector.post("/runs/open", SampleRun.batch(5...8))?.safe == 8)
        #expect(collector.post("/runs/later?key=", SampleRun.whole)?.safe == 8)
        #expect(await collector.shelved(2))
        let archived = try await collector.archived()
        #expect(archived.count(where: { $0.contains("plugin_disabled") }) == 1)
        let header = archived.first { $0.hasPrefix("{\"run\":\"later\"") }
        #expect(header?.contains("\"enabled\":false") == true)
    }

    @Test("What others could reach needs keys, and tenants name plugins that there are")
    func configuration() async throws {
        let open = try await ChildProgram.run(
            "tally-collector",
            ["--folder", files.file("x"), "--listen", "0.0.0.0:0"]
        )
        #expect(open.code == 78 && open.errors.contains("a tenant has no keys"))
        let proxied = try await ChildProgram.run(
            "tally-collector",
            ["--folder", files.file("x"), "--listen", "127.0.0.1:0", "--set", "collector.behindProxy=true"]
        )
        #expect(proxied.code == 78 && proxied.errors.contains("a tenant has no keys"))
        let path = files.write("bad.json5", #"{ collector: { tenants: { "a/b": {}, c: { plugins: ["none"] } } } }"#)
        let bad = try await ChildProgram.run("tally-collector", ["--check", "--config", path])
        #expect(bad.code == 78 && bad.errors.contains("a/b") && bad.errors.contains("no instance named none"))
        let good = try await ChildProgram.run("tally-collector", ["--check"])
        #expect(good.code == 0 && good.errors.contains("the configuration is good"))
    }

    @Test("Lines of a pipe become runs that end with it, and what is safe is told")
    func pipe() async throws {
        let lines = SampleRun.calls[..<5].enumerated().flatMap { place, line in
            ["a", "b"].map { "{\"run\":\"\($0)\"," + line.dropFirst() }
        }
        let input = files.write("input.jsonl", (lines + ["nonsense", "{\"run\":\"a\",\"n\""]).joined(separator: "\n"))
        let made = try await ChildProgram.run(
            "tally-collector",
            ["--stdin", "--folder", files.file("collected"), "--listen", "127.0.0.1:0"],
            input: input
        )
        #expect(made.code == 0 && made.errors.contains("line 11"), "\(made.errors)")
        let told = made.output.split(separator: "\n").compactMap { try? JSONParser().parse(String($0)) }
        #expect(told.last { $0["run"] == "a" }?["safe"] == 5 && told.last { $0["run"] == "b" }?["safe"] == 5)
        let plain = try await ChildProgram.run(
            "/bin/sh",
            ["-c", "cat \(files.path)/collected/archives/default/*/*.zst | zstdcat"]
        )
        let events = plain.output.split(separator: "\n").filter { $0.contains("\"event\"") }
        #expect(events.count == 12 && events.count(where: { $0.contains("\"cause\":\"silence\"") }) == 2)
    }

    @Test("Pages load their script from the collector")
    func script() async throws {
        let collector = try await start()
        let folder = TestFile.repository + "/Hosts/Collector/Web/"
        #expect(collector.connection.get("/tally.js") == (try TestFile.text(folder + "tally.js")))
        #expect(collector.connection.get("/tally.mjs") == (try TestFile.text(folder + "tally.mjs")))
    }

    @Test("One folder has one collector")
    func folder() async throws {
        let collector = try await start()
        let other = try await ChildProgram.run(
            "tally-collector",
            ["--folder", collector.folder, "--listen", "127.0.0.1:0"]
        )
        #expect(other.code == 73 && other.errors.contains("another collector uses this folder"))
    }

    @Test(
        "A viewer's runs are gone from archives, open runs and journal; the others stay, and go on",
        arguments: [false, true]
    )
    func erased(isKilled: Bool) async throws {
        let collector = try await start()
        func batch(_ user: String, _ numbers: ClosedRange<Int>) -> String {
            SampleRun.batch(numbers).replacing("\"video_id\":", with: "\"user_id\":\"\(user)\",\"video_id\":")
        }
        for (run, user, numbers) in [
            ("a", "keep-me", 1...8), ("b", "forget-me", 1...8), ("c", "keep-me", 1...8), ("d", "forget-me", 1...5),
            ("e", "keep-me", 1...5),
        ] {
            #expect(collector.post("/runs/\(run)", batch(user, numbers))?.status == 200)
        }
        #expect(await collector.shelved(3))
        if isKilled {
            collector.program.send(SIGKILL)
            _ = try await collector.program.killed()
        } else {
            #expect(try await collector.end() == 0)
        }
        let erased = try await ChildProgram.run(
            "tally-collector",
            ["erase", "--folder", collector.folder, "--user", "forget-me"]
        )
        #expect(erased.code == 0, "\(erased.errors)")
        let search = "grep -rl forget-me \(collector.folder); cat \(collector.folder)/archives/*/*/*.zst | zstdcat"
        let left = try await ChildProgram.run("/bin/sh", ["-c", search])
        #expect(!left.output.contains("forget-me") && left.output.contains("keep-me"))
        #expect(try await collector.archived().count(where: { $0.contains("\"tally\":{") }) == 2)
        let again = try await ChildProgram.run(
            "tally-collector",
            ["erase", "--folder", collector.folder, "--user", "forget-me"]
        )
        #expect(again.code == 1)
        // What a crash leaves behind the last run of a list is in no list.
        let archive = "\(collector.folder)/archives/*/*/*.zst"
        let torn = #"printf %s '{"attributes":{"user_id":"forget-too"}}' | zstd -q | tee -a "# + archive
        #expect(try await ChildProgram.run("/bin/sh", ["-c", torn]).code == 0)
        _ = try await ChildProgram.run(
            "tally-collector",
            ["erase", "--folder", collector.folder, "--user", "forget-too"]
        )
        let rest = try await ChildProgram.run("/bin/sh", ["-c", "cat \(archive) | zstdcat"])
        #expect(!rest.output.contains("forget-too") && rest.output.contains("keep-me"))
        let next = try await start()
        #expect(next.post("/runs/e", SampleRun.batch(6...8))?.safe == 8)
        #expect(next.post("/runs/d", SampleRun.batch(6...8))?.status == 410)
        #expect(await next.shelved(1))
        #expect(try await next.end() == 0)
        let replay = try await ChildProgram.run(
            "/bin/sh",
            ["-c", "\(TestFile.products)/tally-replay --strict \(collector.folder)/archives/*/*/*.zst"]
        )
        #expect(replay.code == 0 && replay.errors.contains("player runs  3"), "\(replay.errors)")
    }

    @Test("An archive whose first run is erased is read behind it, and one of which nothing is left is gone")
    func erasedArchive() async throws {
        let collector = try await start()
        for (count, run) in ["first", "second"].enumerated() {
            #expect(collector.post("/runs/\(run)", SampleRun.whole)?.safe == 8)
            #expect(await collector.shelved(count + 1))
        }
        #expect(try await collector.end() == 0)
        let check = "\(TestFile.products)/tally-replay --strict --depth 9 \(collector.folder)/archives"
        for (run, left) in [("first", 1), ("second", 0)] {
            let erased = try await ChildProgram.run(
                "tally-collector",
                ["erase", "--folder", collector.folder, "--run", run]
            )
            #expect(erased.code == 0, "\(erased.errors)")
            let replay = try await ChildProgram.run("/bin/sh", ["-c", check])
            #expect(replay.errors.contains(left == 1 ? "player runs  1" : "holds no archive"), "\(replay.errors)")
        }
        let files = try await ChildProgram.run("/usr/bin/find", [collector.folder + "/archives", "-type", "f"])
        #expect(files.output.isEmpty)
    }
}
