import CLinux
import Coordinator
import Glibc
import Setup
import System
import Tally
import TallyTesting
import Testing

/// A call into a tracker that does not come back: the run goes on without that tracker, and nothing else changes.
@Suite(.enabled(if: tally_can_give_up_calls(), "calls cannot be given up in this build"))
struct StuckTrackerTests {
    /// The functions from which the fixture `StaysAway` does not come back, by its numbers.
    enum Call: Int64, CaseIterable {
        case onEvent, onTimer, sessionBegin, sessionEnd

        var name: String {
            switch self {
            case .onEvent: "on_event"
            case .onTimer: "on_timer"
            case .sessionBegin: "session_begin"
            case .sessionEnd: "session_end"
            }
        }
    }

    /// How it stays there, by its numbers.
    enum Way: Int64, CaseIterable {
        case loop, deadlock, threadExit, talk
    }

    static let sources: [PluginSource] = [
        .file(PluginFiles.fixture("witness")), .file(PluginFiles.fixture("stays-away")),
    ]
    static let first = PluginSelection(
        "org.tally.fixture.witness",
        name: "first",
        configuration: ["timers": 1, "seed": 1]
    )
    static let last = PluginSelection(
        "org.tally.fixture.witness",
        name: "last",
        configuration: ["timers": 1, "seed": 2]
    )

    static func staying(in call: Call, _ way: Way, after: Int64 = 0) -> PluginSelection {
        PluginSelection(
            "org.tally.fixture.stays-away",
            name: "stuck",
            configuration: ["call": .int(call.rawValue), "how": .int(way.rawValue), "after": .int(after)]
        )
    }

    static func options(_ limit: Int64 = 500) -> Telemetry.Options {
        var options = Telemetry.Options()
        options.callLimit = limit
        return options
    }

    /// Plays a session of some 600 ms through these plugins, on the real clock.
    static func play(_ plugins: [PluginSelection], _ options: Telemetry.Options) throws -> PlayedRun {
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
        for _ in 0..<6 {
            usleep(100_000)
            player.perform(.sample, on: run)
        }
        player.perform(.unload, on: run)
        let statuses = run.plugins()
        let report = run.destroy()
        telemetry.close()
        return PlayedRun(
            recorded: RecordedRun(live: memory.contents, archive: archive, report: report),
            statuses: statuses
        )
    }

    struct PlayedRun {
        let recorded: RecordedRun
        let statuses: [PluginStatus]

        func status(_ name: String) -> PluginStatus? { statuses.first { $0.name == name } }
    }

    @Test(
        "Wherever and however a tracker stays away, the others say what they say without it",
        arguments: Way.allCases.map { (Call.onEvent, $0) } + Call.allCases.dropFirst().map { ($0, Way.deadlock) }
    )
    func othersGoOn(_ call: Call, _ way: Way) throws {
        let played = try Self.play([Self.first, Self.staying(in: call, way), Self.last], Self.options())
        #expect(played.recorded.report.droppedEvents == 0)
        let others = [Self.first, Self.last]
        let replay = try played.recorded.replay(through: others, from: Self.sources, asRecorded: false)
        let live = played.recorded.live.lines.filter { $0.instance != "stuck" }
        #expect(live == replay.lines)
        #expect(replay.lines.contains { $0.text.contains("video_unload") })
        if call != .sessionEnd {
            let status = played.status("stuck")
            #expect(status?.state == .stuck)
            #expect(status?.reason.contains("\(call.name) did not come back") == true)
            #expect(played.recorded.live.events.contains { $0.contains("time_budget") })
        }
        #expect(played.status("first")?.state == .enabled)
    }

    @Test("A call that is given up has said nothing, the calls before it all that they said")
    func saidNothing() throws {
        let played = try Self.play([Self.staying(in: .onEvent, .deadlock, after: 2), Self.last], Self.options())
        // One at the session's begin, one at the load and one at the play; none at the first sample.
        #expect(played.recorded.live.lines.filter { $0.instance == "stuck" && $0.kind == "begun" }.count == 3)
    }

    @Test("A call that comes back late, but in time, has said all of it")
    func late() throws {
        let late = PluginSelection(
            "org.tally.fixture.stays-away",
            name: "late",
            configuration: ["call": 0, "how": 4, "after": 2, "ms": 50]
        )
        var options = Self.options(60_000)
        options.callBudget = 20_000
        let played = try Self.play([late, Self.last], options)
        let status = played.status("late")
        #expect(status?.state == .enabled)
        #expect(status?.times?.overBudget ?? 0 >= 5)
        #expect(status?.times?.longest ?? 0 >= 50_000_000)
        let replay = try played.recorded.replay(through: [late, Self.last], from: Self.sources)
        #expect(OutputTranscript.difference(played.recorded.live, replay) == nil)
    }

    @Test("As many calls over their budget as are allowed disable a tracker, live and in the replay")
    func overBudget() throws {
        let late = PluginSelection(
            "org.tally.fixture.stays-away",
            name: "late",
            configuration: ["call": 0, "how": 4, "after": 2, "ms": 30]
        )
        var options = Self.options(60_000)
        options.callBudget = 10_000
        options.callsOverBudget = 3
        let played = try Self.play([late, Self.last], options)
        #expect(played.status("late")?.state == .disabled)
        #expect(played.recorded.live.events.contains { $0.contains("time_budget") })
        let replay = try played.recorded.replay(through: [late, Self.last], from: Self.sources)
        #expect(OutputTranscript.difference(played.recorded.live, replay) == nil)
    }

    @Test("A replay goes on without it, too, with what it said up to the call")
    func replay() throws {
        let quiet = PluginSelection("org.tally.fixture.stays-away", name: "stuck", configuration: ["call": 7])
        let played = try Self.play([quiet, Self.last], Self.options(60_000))
        let stuck = Self.staying(in: .onEvent, .deadlock, after: 2)
        let memory = MemoryReporter()
        var options = Self.options()
        options.mode = .replay
        let telemetry = try Telemetry(
            plugins: [stuck, Self.last],
            catalog: RecordedRun.catalog(Self.sources),
            options: options,
            extraConsumers: [memory]
        )
        let replay = Replay(telemetry: telemetry)
        let failure = Thread.perform(name: "replay") { () -> (any Error)? in
            do { try replay.replay(path: played.recorded.archive) } catch { return error }
            return nil
        }
        #expect(failure == nil)
        telemetry.close()
        let lines = memory.contents.lines
        #expect(lines.filter { $0.instance == "stuck" }.count == 3)
        #expect(lines.filter { $0.instance == "last" } == played.recorded.live.lines.filter { $0.instance == "last" })
    }

    @Test("What a tracker is lent it cannot write: events, snapshots, the player's state")
    func lent() throws {
        let writing = PluginSelection("org.tally.fixture.stays-away", name: "writing", configuration: ["how": 5])
        let played = try Self.play([writing], Self.options(60_000))
        let said = Set(played.recorded.live.lines.map(\.kind))
        #expect(said == ["begun", "could"])
    }

    @Test("A thread goes on behind each call that is given up, and is waited for as any other")
    func work() {
        let order = Lock<[Int]>([])
        let thread = Thread(name: "stuck", callingPlugins: true) {
            for number in 0..<3 {
                var result = tally_returned()
                var arguments: [UInt64] = Array(repeating: 0, count: 8)
                let sleep: @convention(c) () -> Void = { while true { pause() } }
                let isBack = unsafe tally_call_plugin(
                    unsafeBitCast(sleep, to: UnsafeRawPointer.self),
                    &arguments,
                    0,
                    250,
                    &result
                )
                order.with { $0.append(isBack ? -1 : number) }
            }
        }
        thread.join()
        #expect(order.with { $0 } == [0, 1, 2])
    }
}
