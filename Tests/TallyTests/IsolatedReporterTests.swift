import ChildPrograms
import Glibc
import Isolation
import Setup
import System
import Tally
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// Reporters in processes of their own: what they bring away is what they bring away elsewhere, and what becomes of their
/// processes concerns nobody else.
struct IsolatedReporterTests {
    /// A player run with reporters, and what became of it.
    final class Run {
        let folder = TemporaryFolder()
        let log = Lock<[String]>([])
        let memory = MemoryReporter()
        private(set) var statuses: [PluginStatus] = []

        /// Plays a session with two witnesses, and does something in the midst of it.
        func play(
            _ reporters: [PluginSelection],
            limit: Int64 = 60_000,
            memoryBytes: Int = 512 << 20,
            _ deed: (_ run: PlayerRun, _ step: Int) throws -> Void = { _, _ in }
        ) throws {
            var options = Telemetry.Options()
            (options.reporterCallLimit, options.trackerMemoryBytes) = (limit, memoryBytes)
            options.log = { [log] line in log.with { $0.append("\(line.instance): \(line.message)") } }
            let witness = IsolatedTrackerTests.witness
            let telemetry = try Telemetry(
                plugins: [witness("first", .none, 1), witness("second", .none, 2)] + reporters,
                catalog: RecordedRun.catalog(IsolatedReporterTests.sources),
                options: options,
                extraConsumers: [memory]
            )
            let player = SyntheticPlayer()
            let run = try telemetry.startRun(delegate: player)
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            for step in 0..<8 {
                usleep(20_000)
                player.perform(.sample, on: run)
                player.perform(.custom(name: "step_of_test", value: .int(Int64(step))), on: run)
                try deed(run, step)
            }
            player.perform(.unload, on: run)
            let report = run.destroy(.drain(limit: 60_000))
            #expect(report.inTime)
            statuses = run.plugins()
            #expect(telemetry.close(limit: 60_000) == [])
        }

        /// What a reporter came to.
        func status(_ name: String) -> PluginStatus? { statuses.first { $0.name == name } }

        /// A reporter that writes lines, with its file.
        func lines(
            _ name: String,
            _ isolation: PluginIsolation,
            _ more: JSONObject = [:]
        ) -> PluginSelection {
            var configuration: JSONObject = ["path": .string(path(name)), "events": true]
            for member in more { configuration[member.key] = member.value }
            return PluginSelection(
                "jsonlines",
                name: name,
                isolation: isolation,
                configuration: .object(configuration)
            )
        }

        /// The place of a file.
        func path(_ name: String) -> String { "\(folder.path)/\(name)" }

        /// What a file holds.
        func content(_ name: String) throws -> [UInt8] { try WholeFile.read(path(name)) }

        /// Whether a line of the log has all of these.
        func hasLogged(_ words: String...) -> Bool {
            log.with { $0.contains { line in words.allSatisfy(line.contains) } }
        }
    }

    static let sources: [PluginSource] = [
        .file(PluginFiles.fixture("witness")), .file(PluginFiles.fixture("hostile-reporter")),
        .file(PluginFiles.fixture("listening-reporter")), .file(PluginFiles.fixture("sharing-reporter")),
        .file(PluginFiles.plugin("jsonlines")), .file(PluginFiles.plugin("sqlite")),
        .file(PluginFiles.plugin("discard")), .file(PluginFiles.plugin("console")),
    ]

    /// What the hostile reporter does, by the number that its configuration has for it.
    enum Kind: Int64 {
        case nothing, segfault, hang, garbage, leave, fillMemory, segfaultInInit, segfaultInFlush, refuseInInit
    }

    static func hostile(
        _ kind: Kind,
        after: Int64 = 20,
        again: Bool = false,
        _ isolation: PluginIsolation = .process
    ) -> PluginSelection {
        PluginSelection(
            "org.tally.fixture.hostile-reporter",
            name: "hostile",
            isolation: isolation,
            configuration: ["kind": .int(kind.rawValue), "after": .int(after), "again": .int(again ? 1 : 0)]
        )
    }

    @Test("What reporters bring away in processes of their own is what they bring away in the player's")
    func equality() throws {
        let run = Run()
        let isolated = [
            run.lines("apart", .process), run.lines("rotated", .process, ["rotate_bytes": 20_000, "compress": "zstd"]),
            PluginSelection(
                "sqlite",
                name: "database",
                isolation: .process,
                configuration: ["path": .string(run.path("database"))]
            ),
            PluginSelection("discard", name: "nowhere", isolation: .process),
            PluginSelection("console", name: "console", isolation: .process, configuration: ["attributes": ["id"]]),
        ]
        try run.play([run.lines("here", .none)] + isolated) { played, step in
            guard step == 2 else { return }
            let processes = played.plugins().compactMap(\.process)
            #expect(Set(processes).count == 5 && !processes.contains(getpid()))
        }
        let here = try run.content("here")
        #expect(here.count > 20_000)
        #expect(try run.content("apart") == here)
        let taken = run.status("here")?.reporter?.taken ?? 0
        for name in isolated.map(\.name) {
            let status = run.status(name)
            #expect(status?.state == .enabled && status?.reason == "", "\(name): \(status?.reason ?? "")")
            #expect(status?.reporter?.dropped == 0)
            #expect(name == "console" || status?.reporter?.taken ?? 0 >= taken, "\(name)")
        }
        #expect(FileNames.names(in: run.folder.path, endingWith: ".zst")?.isEmpty == false)
        #expect(try run.content("database").starts(with: Array("SQLite format 3".utf8)))
        #expect(run.log.with { $0 }.filter { !$0.contains("discarded") } == [])
    }

    @Test(
        "A process that ends in a call is followed by another, what it was given then is told as lost, nobody notices",
        arguments: [
            (Kind.segfault, "crashed in take (SIGSEGV)"), (.leave, "ended in take with code 3"),
            (.hang, "did not come back from take within 300 ms"), (.garbage, "says what makes no sense"),
            (.fillMemory, "crashed in take (SIGABRT)"),
        ]
    )
    func ends(_ kind: Kind, _ reason: String) throws {
        let run = Run()
        let reporters = [run.lines("here", .none), run.lines("apart", .process), Self.hostile(kind)]
        var counts = JSONValue.null
        try run.play(reporters, limit: kind == .hang ? 300 : 60_000, memoryBytes: 128 << 20) { played, step in
            guard step == 7 else { return }
            #expect(blocked { played.plugins().contains { $0.name == "hostile" && $0.reporter?.dropped ?? 0 > 0 } })
            counts = try played.command(plugin: "hostile", "counts")
        }
        #expect(try run.content("apart") == run.content("here"))
        let status = run.status("hostile")
        let lost = status?.reporter?.dropped ?? 0
        #expect(status?.state == .enabled)
        #expect(lost > 0 && counts["lost"]?.int == Int64(lost))
        #expect(run.hasLogged("hostile: ", "hostile-reporter", reason))
        // All that came is counted as taken or as lost; each gap is an output of its own.
        let all = (run.status("apart")?.reporter?.taken ?? 0)
        let counted = (status?.reporter?.taken ?? 0) + lost
        #expect((all...all + 3).contains(counted), "\(all) came, \(counted) are counted")
    }

    @Test("A reporter that ends its process three times is out, and the others do not notice")
    func thirdEnd() throws {
        let run = Run()
        let reporters = [run.lines("here", .none), run.lines("apart", .process), Self.hostile(.segfault, again: true)]
        try run.play(reporters) { played, step in
            guard step == 7 else { return }
            #expect(
                blocked {
                    SyntheticPlayer().perform(.custom(name: "more", value: .int(0)), on: played)
                    return played.plugins().contains { $0.name == "hostile" && $0.state == .failed }
                }
            )
        }
        #expect(run.status("hostile")?.reason.contains("(SIGSEGV), for the third time in ten minutes") == true)
        #expect(run.status("hostile")?.process == nil)
        #expect(try run.content("apart") == run.content("here"))
    }

    @Test("A process that is killed is followed by another in the same file; what it never heard is given to that one")
    func kills() throws {
        let run = Run()
        // Trackers speak when they like.
        let events: JSONObject = ["records": false, "beacons": false]
        let reporters = [run.lines("here", .none, events), run.lines("apart", .process, events)]
        try run.play(reporters) { played, step in
            guard step == 3 || step == 5 else { return }
            func status(_ name: String) -> PluginStatus? { played.plugins().first { $0.name == name } }
            // Whatever is in its hands would be lost.
            #expect(blocked { status("apart")?.reporter?.taken == status("here")?.reporter?.taken })
            let first = try #require(status("apart")?.process)
            if step == 5 {
                let before = status("here")?.reporter?.taken
                kill(first, SIGSTOP)
                SyntheticPlayer().perform(.custom(name: "unheard", value: .int(0)), on: played)
                #expect(blocked { status("here")?.reporter?.taken != before })
                // The thread of the other one is about as far.
                usleep(20_000)
            }
            kill(first, SIGKILL)
            #expect(blocked { status("apart")?.process.map { $0 != first } == true })
        }
        #expect(try run.content("apart") == run.content("here"))
        #expect(run.hasLogged("apart: ", "jsonlines", "its process was ended by SIGKILL"))
        #expect(run.status("apart")?.reporter?.dropped == 0)
    }

    @Test("Who waits for a flush is answered when the process ends in it, and sums of what it says stay numbers")
    func flush() throws {
        let run = Run()
        try run.play([Self.hostile(.segfaultInFlush, again: true)])
        #expect(run.hasLogged("crashed in flush (SIGSEGV)"))
        for isolation in [PluginIsolation.process, .none] {
            let other = Run()
            try other.play([Self.hostile(.nothing, isolation)])
            #expect(other.status("hostile")?.reporter?.dropped == 0)
        }
    }

    @Test("A reporter reaches nothing there that it does not declare: no file, no network, no thread, no other process")
    func confinement() throws {
        let run = Run()
        try run.play([Self.hostile(.nothing)])
        let said = run.log.with { $0 }.filter { $0.hasPrefix("hostile: ") }
        #expect(said.count == 10)
        #expect(said.filter { !$0.hasSuffix(" refused") } == [])
    }

    @Test("A reporter that declares that it listens is connected to, and connects and sends to nobody")
    func listening() throws {
        let run = Run()
        try run.play([
            PluginSelection("org.tally.fixture.listening-reporter", name: "listening", isolation: .process)
        ])
        #expect(
            run.log.with { $0 } == [
                "listening: listening done", "listening: accepting done", "listening: connecting refused",
                "listening: connecting by sending refused", "listening: sending without a connection refused",
                "listening: local socket refused",
            ]
        )
    }

    @Test("What is refused there ends the start, with the reason; so does what ends its process")
    func refusal() throws {
        let run = Run()
        func reason(_ reporter: PluginSelection) -> String {
            do throws(any Error) {
                try run.play([reporter])
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(reason(Self.hostile(.refuseInInit)).contains("kind: must be another"))
        #expect(reason(Self.hostile(.segfaultInInit)).contains("its process crashed in init (SIGSEGV)"))
        let nowhere = run.lines("missing/folder", .process)
        #expect(reason(nowhere).contains("No such file or directory"))
        let sharing = PluginSelection("org.tally.fixture.sharing-reporter", name: "sharing", isolation: .process)
        #expect(reason(sharing).contains("its instances share state and need one process: remove its isolation"))
    }

    @Test("A new configuration is taken there, but for paths that its process has not begun with")
    func configuration() throws {
        let run = Run()
        try run.play([run.lines("apart", .process)]) { played, step in
            guard step == 3 else { return }
            try played.configure(plugin: "apart", ["path": .string(run.path("other")), "events": true])
            let refused = #expect(throws: ControlError.self) {
                try played.configure(plugin: "apart", ["path": "/var/tmp/elsewhere", "events": true])
            }
            let reason = "its process can use no other paths than those it began with"
            #expect(refused?.description.contains(reason) == true, "\(refused?.description ?? "")")
        }
        #expect(try !run.content("other").isEmpty)
        #expect(run.status("apart")?.state == .enabled)
    }
}
