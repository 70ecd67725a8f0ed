internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import Testing
internal import TextEncoding

/// Many players in one process.
struct ParallelTests {
    private let media = TestMedia.shared
    private let folder = TemporaryFolder()

    init() throws {
        try #require(media.isComplete)
    }

    @Test("Each of several players has a run and an archive of its own, and starts later than the one before")
    func runs() async throws {
        try StreamMedia.fragments.copy(into: folder)
        StreamMedia.playlist("short.m3u8", of: 4, in: folder)
        let server = try LoopbackServer(ServerConfiguration(root: folder.path))
        let junit = folder.file("probe.xml")
        let result = try await ChildProgram.run([
            server.url(of: "short.m3u8"), "--players", "3", "--stagger", "400", "--no-decode", "--archive",
            folder.file("run.tally"), "--json", "--quiet", "--plugins", "example-c,discard", "--expect", "seeks == 0",
            "--junit", junit,
        ])
        #expect(result.code == 0, "\(result.errors)")
        let runs = try (1...3).map { try RecordedRun(folder.file("run-\($0).tally")) }
        #expect(Set(runs.compactMap { $0.lines.first?["run"]?.string }).count == 3)
        for run in runs {
            #expect(run.end == "drained")
            #expect(run.event("complete") != nil)
            #expect(run.lines.allSatisfy { $0["flags"] == nil })
            // Who shows the same stream at once has requests of its own.
            let media = run.events("request_completed").filter { $0.attribute("request_type") == "media" }
            let names = media.compactMap { $0.attribute("request_url")?.string?.split(separator: "/").last }
            #expect(names == ["init.mp4", "seg0.m4s", "seg1.m4s", "seg2.m4s", "seg3.m4s"])
        }
        let summary = try result.summary()
        #expect(summary["runs"]?.array?.count == 3)
        #expect(summary["totals"]?["complete"] == .int(3))
        #expect(summary["totals"]?["failed"] == .int(0))
        let events = summary["runs"]?.array?.compactMap { $0["events"]?.int } ?? []
        #expect(summary["totals"]?["events"] == .int(events.reduce(0, +)))
        #expect(summary["runs"]?.array?.allSatisfy { $0["trackers"]?.array?.first?["records"]?.int ?? 0 > 0 } == true)
        #expect(try TestFile.text(junit).contains("name=\"player 3: seeks == 0\""))
    }

    @Test("A signal ends all of them gracefully, and starts no other")
    func signal() async throws {
        let player = try ChildProgram.player([
            media.clip, "--players", "100", "--stagger", "1500", "--archive", folder.file("many"),
        ])
        #expect(await player.says("player 2: playing"))
        player.send(SIGTERM)
        #expect(try await player.outcome().code == 0)
        for number in ["001", "002"] {
            #expect(try RecordedRun(folder.file("many-\(number)")).end == "drained")
        }
        #expect(unsafe access(folder.file("many-100"), F_OK) != 0)
    }

    @Test("A control socket commands one player only")
    func control() async throws {
        let result = try await ChildProgram.run([media.clip, "--players", "2", "--control", folder.file("socket")])
        #expect(result.code == 64)
        #expect(result.errors.contains("a control socket commands one player"))
    }
}
