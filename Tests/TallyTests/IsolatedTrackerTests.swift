import Archive
import CLinux
import ChildPrograms
import Coordinator
import Glibc
import Isolation
import Setup
import System
import Tally
import TallyTesting
import TestFiles
import Testing

/// Trackers in processes of their own: what they say is what they say elsewhere, whatever becomes of their processes.
struct IsolatedTrackerTests {
    static let sources: [PluginSource] = [
        .file(PluginFiles.fixture("witness")), .file(PluginFiles.fixture("stays-away")),
        .file(PluginFiles.fixture("attempts")), .file(PluginFiles.fixture("hostile")),
        .file(PluginFiles.fixture("init-fails")),
    ]

    static func witness(_ name: String, _ isolation: PluginIsolation, seed: Int64) -> PluginSelection {
        PluginSelection(
            "org.tally.fixture.witness",
            name: name,
            isolation: isolation,
            configuration: ["timers": 4, "seed": .int(seed), "span_us": 400_000]
        )
    }

    static func hostile(_ kind: String, at place: String = "on_event", after: Int64 = 2) -> PluginSelection {
        PluginSelection(
            "org.tally.fixture.hostile",
            name: "hostile",
            isolation: .process,
            configuration: ["kind": .string(kind), "at": .string(place), "after": .int(after)]
        )
    }

    /// One whose `init` fails.
    static let failing = PluginSelection("org.tally.fixture.init-fails", name: "failing", isolation: .process)

    static let three = [
        witness("first", .none, seed: 1), witness("second", .process, seed: 2), witness("third", .none, seed: 3),
        witness("fourth", .process, seed: 4),
    ]

    static func options(limit: Int64 = 60_000, hold: Int64 = 60_000) -> Telemetry.Options {
        var options = Telemetry.Options()
        options.callLimit = limit
        options.trackerHold = hold
        return options
    }

    /// What a test does at a place of the run.
    typealias Deed = (_ run: PlayerRun, _ step: Int) throws -> Void

    /// Plays a session of some 600 ms on the real clock, with a step each 50 ms.
    static func play(
        _ plugins: [PluginSelection],
        _ options: Telemetry.Options = Self.options(),
        keepsArchive: Bool = true,
        _ deed: Deed = { _, _ in }
    ) throws -> StuckTrackerTests.PlayedRun {
        let memory = MemoryReporter()
        let telemetry = try Telemetry(
            plugins: plugins,
            catalog: RecordedRun.catalog(sources),
            options: options,
            extraConsumers: [memory]
        )
        let archive = RecordedRun.temporaryArchive()
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player, archive: archive)
        player.perform(.load, on: run)
        player.perform(.play, on: run)
        for step in 0..<12 {
            usleep(50_000)
            player.perform(.sample, on: run)
            player.perform(.custom(name: "step_of_test", value: .int(Int64(step))), on: run)
            try deed(run, step)
        }
        player.perform(.unload, on: run)
        let statuses = run.plugins()
        let report = run.destroy(.drain(limit: 60_000))
        telemetry.close()
        return StuckTrackerTests.PlayedRun(
            recorded: RecordedRun(live: memory.contents, archive: archive, report: report),
            statuses: statuses
        )
    }

    /// What the replay of a run says that the run itself did not.
    static func difference(_ played: StuckTrackerTests.PlayedRun, _ plugins: [PluginSelection]) throws -> String? {
        let replay = try played.recorded.replay(through: plugins, from: sources)
        #expect(replay.lines.count > 50)
        #expect(played.recorded.live.events == replay.events)
        return OutputTranscript.difference(played.recorded.live, replay)
    }

    /// The processes of this one's that run trackers.
    static func processes(of run: PlayerRun) -> [Int32] { run.plugins().compactMap(\.process) }

    @Test("What trackers say in both kinds of places comes in the order in which one process says it")
    func order() throws {
        let played = try Self.play(Self.three) { run, step in
            guard step == 3 else { return }
            let processes = Self.processes(of: run)
            #expect(Set(processes).count == 2 && !processes.contains(getpid()))
        }
        let difference = try Self.difference(played, Self.three)
        #expect(difference == nil)
        #expect(played.recorded.report.inTime)
        for name in ["first", "second", "third", "fourth"] {
            let status = played.statuses.first { $0.name == name }
            #expect(status?.state == .enabled)
            #expect(status?.tracker?.records ?? 0 > 10, "\(name)")
        }
    }

    @Test("A process that is killed is followed by another, and nothing is said twice or not at all", arguments: 0..<6)
    func kills(_ seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var left = 3
        let played = try Self.play(Self.three) { run, step in
            guard left > 0, random.next() % 3 == 0 || step == 11 else { return }
            let processes = Self.processes(of: run)
            guard !processes.isEmpty else { return }
            left -= 1
            usleep(UInt32(random.next() % 20_000))
            // No tracker is killed three times: that is one time too many.
            kill(processes[left % processes.count], SIGKILL)
        }
        #expect(left < 3)
        let difference = try Self.difference(played, Self.three)
        #expect(difference == nil)
    }

    @Test("A tracker that ends its process three times is out, and the others do not notice")
    func crashes() throws {
        let plugins = [Self.witness("first", .none, seed: 1), Self.hostile("segfault"), Self.three[3]]
        let played = try Self.play(plugins, Self.options(hold: 20), Self.waitForEnd(of:at:))
        let status = played.statuses.first { $0.name == "hostile" }
        #expect(status?.state == .failed)
        #expect(status?.reason.contains("crashed in on_event (SIGSEGV at 0x10), for the third time") == true)
        #expect(played.recorded.live.events.contains { $0.contains("plugin_disabled") && $0.contains("crash") })
        try Self.expectOthers(of: played)
    }

    @Test("A tracker that does not come back is ended with its process")
    func hang() throws {
        let plugins = [Self.witness("first", .none, seed: 1), Self.hostile("loop"), Self.three[3]]
        let played = try Self.play(plugins, Self.options(limit: 400, hold: 20), Self.waitForEnd(of:at:))
        let status = played.statuses.first { $0.name == "hostile" }
        #expect(status?.state == .stuck)
        #expect(status?.reason.contains("did not come back within 400 ms") == true)
        #expect(played.recorded.live.events.contains { $0.contains("plugin_disabled") && $0.contains("time_budget") })
        try Self.expectOthers(of: played)
    }

    /// Lets the run go on until it has the hostile tracker no more.
    static func waitForEnd(of run: PlayerRun, at step: Int) {
        guard step == 11 else { return }
        while run.plugins().first(where: { $0.name == "hostile" })?.state == .enabled { usleep(10_000) }
    }

    /// The others say what they say in a replay without the hostile one.
    static func expectOthers(of played: StuckTrackerTests.PlayedRun) throws {
        let others = [witness("first", .none, seed: 1), three[3]]
        let replay = try played.recorded.replay(through: others, from: sources, asRecorded: false)
        for name in ["first", "fourth"] {
            #expect(played.recorded.live.lines(of: name) == replay.lines(of: name), "\(name)")
            #expect(replay.lines(of: name).count > 20)
        }
    }

    @Test("Changes and their answers come from there, and a replay makes them again")
    func changes() throws {
        let played = try Self.play(Self.three) { run, step in
            switch step {
            case 2:
                try run.configure(plugin: "second", ["timers": 2, "seed": 9])
                #expect(throws: ControlError.self) { try run.command(plugin: "second", "nothing") }
            case 4: #expect(run.disable(plugin: "fourth") == .requested)
            case 7: #expect(run.enable(plugin: "fourth") == .requested)
            case 8: for id in Self.processes(of: run) { kill(id, SIGKILL) }
            default: break
            }
        }
        let difference = try Self.difference(played, Self.three)
        #expect(difference == nil)
        #expect(played.recorded.live.lines(of: "fourth").count > 10)
        for change in ["plugin_disabled", "plugin_enabled", "plugin_configured"] {
            #expect(played.recorded.live.events.count { $0.contains(change) } == 1, "\(change)")
        }
    }

    @Test("Who asks a tracker whose process ends is told so")
    func unanswered() throws {
        let answer = Lock<ControlError?>(nil)
        _ = try Self.play([Self.three[1]]) { run, step in
            guard step == 3, let id = Self.processes(of: run).first else { return }
            kill(id, SIGSTOP)
            let asking = Thread(name: "asking") {
                do throws(ControlError) {
                    _ = try run.command(plugin: "second", "anything")
                } catch {
                    answer.with { $0 = error }
                }
            }
            usleep(50_000)
            kill(id, SIGKILL)
            asking.join()
        }
        #expect(answer.with { $0 }?.description.contains("its process ended before it answered") == true)
    }

    @Test("A tracker joins a run in a process of its own, which is told what was before")
    func joins() throws {
        let begun = [Self.three[0], Self.three[1]]
        let memory = MemoryReporter()
        var options = Self.options()
        options.isolatesTrackers = true
        let telemetry = try Telemetry(
            plugins: begun,
            catalog: RecordedRun.catalog(Self.sources),
            options: options,
            extraConsumers: [memory]
        )
        let archive = RecordedRun.temporaryArchive()
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player, archive: archive)
        player.perform(.load, on: run)
        player.perform(.play, on: run)
        try telemetry.load(Self.witness("late", .process, seed: 7))
        try telemetry.load(Self.witness("later", .process, seed: 8))
        #expect(throws: ControlError.self) {
            try telemetry.load(Self.failing)
        }
        for _ in 0..<6 {
            usleep(50_000)
            player.perform(.sample, on: run)
        }
        for id in Self.processes(of: run) { kill(id, SIGKILL) }
        player.perform(.unload, on: run)
        let report = run.destroy(.drain(limit: 60_000))
        telemetry.close()
        let recorded = RecordedRun(live: memory.contents, archive: archive, report: report)
        let replay = try recorded.replay(through: begun, from: Self.sources)
        #expect(OutputTranscript.difference(recorded.live, replay) == nil)
        #expect(replay.lines(of: "late").count > 10)
        #expect(replay.lines(of: "later").count > 10)
    }

    @Test("A configuration that is refused there ends the start, and one that hangs there is left out")
    func refusal() throws {
        #expect(throws: TelemetryError.self) { try Self.play([Self.failing]) }
        let hanging = PluginSelection(
            "org.tally.fixture.stays-away",
            name: "stuck",
            isolation: .process,
            configuration: ["call": 5, "how": 1]
        )
        let played = try Self.play([hanging, Self.three[0]], Self.options(limit: 100))
        #expect(played.statuses.first { $0.name == "stuck" }?.state == .stuck)
        #expect(played.recorded.live.lines(of: "first").count > 20)
    }

    @Test("A tracker reaches nothing there but the host: no file, no network, no other process")
    func confinement() throws {
        let attempts = PluginSelection("org.tally.fixture.attempts", name: "attempts", isolation: .process)
        let played = try Self.play([attempts])
        let said = played.recorded.live.lines.filter { $0.instance == "attempts" }.map(\.kind)
        #expect(played.statuses.first?.reason == "")
        #expect(said.count == 16)
        #expect(said.filter { !$0.hasSuffix(" refused") } == [])
    }

    @Test("All that a tracker says last is heard, however much that is when its process ends")
    func lastWords() throws {
        let plugins = [Self.hostile("beacon-flood", at: "session_end", after: 0), Self.three[0]]
        let played = try Self.play(plugins)
        let replay = try played.recorded.replay(through: plugins, from: Self.sources)
        let said = replay.lines(of: "hostile")
        #expect(said.count >= 20_000)
        #expect(played.recorded.live.lines(of: "hostile") == said)
    }

    /// The processes of a run that nobody drives.
    private static func undriven(_ plugin: PluginSelection) throws -> (trackers: IsolatedTrackers, telemetry: Telemetry)
    {
        let telemetry = try Telemetry(plugins: [plugin], catalog: RecordedRun.catalog(sources), options: options())
        let trackers = try IsolatedTrackers(
            telemetry.currentSetups(),
            run: RunDescription(id: "undriven", epoch: 0),
            consumers: [],
            recorder: nil,
            options: IsolatedTrackers.Options(program: "\(TestFile.products)/tally-tracker"),
            log: .silent
        )
        return (trackers, telemetry)
    }

    @Test(
        "A process that ends before the run can be asked, or as the run ends, is followed by another",
        arguments: [false, true]
    )
    func unheardEnd(isLast: Bool) throws {
        let (trackers, telemetry) = try Self.undriven(Self.three[1])
        defer { telemetry.close() }
        defer { trackers.close() }
        func report() -> TrackerReport? { trackers.report(of: "second", isEnabled: true) }
        // A run that ends does not come to what it was asked for at its last boundary.
        if isLast { trackers.schedule { _ in true } }
        let first = try #require(report()?.process)
        kill(first, SIGKILL)
        #expect(blocked { report()?.process == nil })
        if !isLast {
            trackers.schedule { makeChanges in
                makeChanges()
                return true
            }
            #expect(blocked { report()?.process.map { $0 != first } == true })
        }
        trackers.end(at: 1_000)
        trackers.finish()
        #expect(blocked { report()?.statistics.records == 1 })
    }

    @Test("A process that begins anew has its timers fire where they were due, and no line of the run goes back for it")
    func timersThatWere() throws {
        // Its timer is due at 0.2 s, and with the second event it stays away for a while.
        let late = PluginSelection(
            "org.tally.fixture.stays-away",
            name: "late",
            isolation: .process,
            configuration: ["call": 0, "how": 4, "after": 1, "ms": 300]
        )
        let recorded = try VirtualRun(plugins: [late], sources: Self.sources).record { player, run, clock in
            func status() -> PluginStatus? { run.plugins().first { $0.name == "late" } }
            player.perform(.load, on: run)
            run.pump()
            let first = try #require(status()?.process)
            kill(first, SIGKILL)
            // Each look is a boundary, at which the next one may have begun.
            #expect(blocked { status()?.process != first })
            run.pump()
            clock.advance(to: 1_000_000)
            player.perform(.play, on: run)
            #expect(
                blocked(every: 500) {
                    run.pump()
                    return status()?.tracker?.events ?? 0 >= 2
                }
            )
        }
        var times: [Int64] = []
        let reader = ArchiveReader(try ArchiveSource(path: recorded.archive))
        while let line = try reader.next(damaged: { Issue.record("\($0)") }) {
            switch line {
            case .header: break
            case .event(let event): times.append(event.time)
            case .mark(let time), .end(let time, _, _): times.append(time)
            }
        }
        #expect(times == times.sorted())
        let difference = OutputTranscript.difference(
            recorded.live,
            try recorded.replay(through: [late], from: Self.sources)
        )
        #expect(difference == nil)
    }
}
