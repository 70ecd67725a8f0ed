import Tally
import TallyTesting
import Testing

/// Joining, leaving, and what is told once.
@Suite struct LifeCycleTests {
    @Test("A tracker that joins in mid-session opens a session there, in the ad and the chapter that go on")
    func joining() throws {
        let play = try Playback { player, run, clock in
            player.perform(.disable("adobe"), on: run)
            run.pump()
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            player.perform(.chapterStart(1), on: run)
            clock.advance(to: 5_000_000)
            player.perform(.adStart(0), on: run)
            player.perform(.enable("adobe"), on: run)
            run.pump()
            clock.advance(to: 15_000_000)
            run.pump()
        }
        #expect(play.entries == ["load", "start", "play", "active"])
        let lines = play.run.live.lines.filter { $0.kind != "beacon" }
        #expect(lines.map { $0.attributes["s:asset:type"] } == ["vod", "vod", "ad", "vod"].map { .string($0) })
        #expect(lines[2].attributes["l:event:duration"] == .int(10_000))
        #expect(lines[2].attributes["l:stream:chapter_pos"] == .int(1))
    }

    @Test("A tracker that joins in a pause sends nothing until playback goes on")
    func joiningInAPause() throws {
        let play = try Playback { player, run, clock in
            player.perform(.disable("adobe"), on: run)
            run.pump()
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            player.perform(.pause, on: run)
            player.perform(.enable("adobe"), on: run)
            run.pump()
            clock.advance(to: 60_000_000)
            run.pump()
        }
        #expect(play.entries == ["load"])
    }

    @Test("A tracker that is switched off unloads its session; switched on again it begins another")
    func switching() throws {
        let play = try Playback { player, run, clock in
            for action: PlayerAction in [.load, .play, .disable("adobe"), .pause, .enable("adobe"), .unload] {
                clock.advance(to: clock.now() + 1_000)
                player.perform(action, on: run)
                run.pump()
            }
        }
        try #require(play.entries == ["load", "unload", "load", "unload"])
        let sessions = play.run.live.lines.filter { $0.kind != "beacon" }.map { $0.attributes["s:event:sid"] }
        #expect(sessions[0] == sessions[1] && sessions[2] == sessions[3] && sessions[0] != sessions[2])
    }

    @Test("A run that ends without an unload sends none")
    func abandonedRun() throws {
        let play = try Playback { player, run, clock in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            run.pump()
            clock.advance(to: 5_000_000)
        }
        #expect(play.entries == ["load"])
    }

    @Test("The list of plug-ins is given once: a session has those, and no call adds one while it goes on")
    func listOnce() throws {
        let play = try Playback { player, run, _ in
            for name in ["analytics", "com.adobe.analytics"] {
                #expect(run.enable(plugin: name) == .unknown(known: ["adobe"]))
                #expect(run.disable(plugin: name) == .unknown(known: ["adobe"]))
            }
            player.perform(.load, on: run)
            run.pump()
            #expect(run.enable(plugin: "com.adobe.analytics") == .unknown(known: ["adobe"]))
            player.perform(.adStart(0), on: run)
            player.perform(.unload, on: run)
        }
        #expect(Set(play.run.live.lines.map(\.instance)) == ["adobe"])
        #expect(play.entries == ["load", "unload"])
    }

    @Test("An archive without the implicit unload gets one for the old session")
    func missingUnload() throws {
        let play = try Playback { player, run, clock in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            run.pump()
            clock.advance(to: 2_000_000)
            player.perform(.load, on: run)
            run.pump()
            clock.advance(to: 3_000_000)
            player.perform(.unload, on: run)
        }
        let archive = try ArchiveText(of: play.run)
        let replayed = try archive.replacing(#""t_us":2000000,"event":"video_unload""#, #""t_us":2000000,"event":"x""#)
            .replay()
        let records = replayed.lines.filter { $0.kind != "beacon" }
        #expect(records.map(\.kind) == ["load", "unload", "load", "unload"])
        let sessions = records.map { $0.attributes["s:event:sid"] }
        #expect(sessions[0] == sessions[1] && sessions[2] == sessions[3] && sessions[0] != sessions[2])
        #expect(records[1].time == 2_000_000)
    }

    @Test("A pause in the instant of a quantum's end leaves quanta of 10 s and 12 s")
    func pauseInTheInstant() throws {
        let play = try Playback { player, run, clock in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            clock.advance(to: 10_000_000)
            player.perform(.pause, on: run)
            run.pump()
            clock.advance(to: 12_000_000)
            player.perform(.play, on: run)
            run.pump()
            clock.advance(to: 22_000_000)
            run.pump()
        }
        let quanta = play.run.live.lines.filter { $0.kind == "active" }
        #expect(quanta.map(\.time) == [10_000_000, 22_000_000])
        #expect(quanta.map { $0.attributes["l:event:duration"] } == [.int(10_000), .int(12_000)])
    }

    @Test(
        "The end of a chapter that a seek has left is no reason to warn; a second one is",
        arguments: [PlayerAction.chapterSkip, .chapterComplete],
        [true, false]
    )
    func chapterLeftBySeek(end: PlayerAction, isDuringTheSeek: Bool) throws {
        let log = Log()
        _ = try Playback(log: log) { player, run, _ in
            player.perform(.load, on: run)
            player.perform(.chapterStart(1), on: run)
            player.perform(.seekStart(to: 300), on: run)
            if isDuringTheSeek { player.perform(end, on: run) }
            player.change { $0.chapter = nil }
            player.perform(.seekComplete, on: run)
            if !isDuringTheSeek { player.perform(end, on: run) }
            run.pump()
            #expect(!log.lines.contains { $0.level == .warning })
            player.perform(end, on: run)
        }
        #expect(log.lines.filter { $0.level == .warning }.count == 1)
    }

    @Test("A10: calls without a session are warned about; nothing is sent, and no error is told")
    func withoutSession() throws {
        let log = Log()
        let play = try Playback(log: log) { player, run, _ in
            player.perform(.play, on: run)
            player.perform(.playerError("E"), on: run)
            run.pump()
        }
        #expect(play.entries == [] && play.errors == [])
        #expect(log.lines.filter { $0.message.contains("no session is open") }.count == 2)
    }

    @Test("After the end of the video an unload alone is taken")
    func afterComplete() throws {
        let log = Log()
        let play = try Playback(log: log) { player, run, clock in
            player.perform(.load, on: run)
            player.perform(.complete, on: run)
            for action: PlayerAction in [.play, .pause, .playerError("E"), .chapterStart(1), .adStart(0)] {
                player.perform(action, on: run)
            }
            run.pump()
            clock.advance(to: 40_000_000)
            run.pump()
            player.perform(.unload, on: run)
        }
        #expect(play.entries == ["load", "start", "complete", "unload"])
        #expect(log.lines.filter { $0.message.contains("played to its end") }.count == 5)
    }

    @Test("Calls around ad breaks: as 1.3.1 one warning a session, as 1.4 nothing", arguments: [true, false])
    func adBreaks(new: Bool) throws {
        let log = Log()
        // While tracing is on, nobody but the tracker itself sees to it that the warning is not repeated.
        let configuration = new ? Heartbeat.configuration : Heartbeat.oldConfiguration
        let play = try Playback(configuration.with(["debugLogging": true]), log: log) {
            player,
            run,
            _ in
            for _ in 0..<2 {
                player.perform(.load, on: run)
                for _ in 0..<3 {
                    player.perform(.adBreakStart, on: run)
                    player.perform(.adBreakComplete, on: run)
                }
                player.perform(.unload, on: run)
            }
        }
        #expect(play.entries == ["load", "unload", "load", "unload"])
        #expect(log.lines.filter { $0.message.contains("deprecated") }.count == (new ? 0 : 2))
    }

    @Test(
        "As 1.3.1 the start warns when adobe-analytics is not enabled beside it; as 1.4 it does not",
        arguments: [("1.3.1", true, 0), ("1.3.1", false, 1), ("1.4", false, 0)]
    )
    func analyticsBeside(version: String, hasAnalytics: Bool, warnings: Int) throws {
        let log = Log()
        let configuration = Heartbeat.oldConfiguration.with(["compatibility": .string(version)])
        let analytics = PluginSelection(
            "com.adobe.analytics",
            name: "analytics",
            enabled: hasAnalytics,
            configuration: configuration
        )
        try log.start([analytics, Heartbeat.selection(configuration)])
        let told = log.lines.filter { $0.level == .warning && $0.message.contains("com.adobe.analytics beside it") }
        #expect(told.map(\.instance) == [String](repeating: "adobe", count: warnings))
    }

    @Test("A pause that no play follows before the unload gives no warning")
    func openPause() throws {
        let log = Log()
        _ = try Playback(log: log) { player, run, clock in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            player.perform(.pause, on: run)
            clock.advance(to: 60_000_000)
            player.perform(.unload, on: run)
        }
        #expect(!log.lines.contains { $0.level == .warning })
    }

    @Test("Without tracing, a warning is not repeated within a session")
    func repeatedWarnings() throws {
        let log = Log()
        _ = try Playback(log: log) { player, run, _ in
            player.perform(.load, on: run)
            for _ in 0..<50 { player.perform(.adComplete, on: run) }
        }
        #expect(log.lines.filter { $0.message.contains("#trackAdComplete") }.count == 1)
    }

    @Test("Keys of the settings file that are not known are kept and named in one warning")
    func unknownKeys() throws {
        let log = Log()
        _ = try Playback(
            Heartbeat.configuration.with([
                "ADBMobileConfig": ["version": "1.1", "analytics": ["rsids": "a", "colour": 1], "weather": [:]]
            ]),
            log: log
        ) { _, _, _ in }
        let warnings = log.lines.filter { $0.level == .warning }
        #expect(warnings.count == 1)
        #expect(warnings.first?.message.contains("analytics.colour, weather") == true)
    }

    @Test("videoUnloaded comes once a session, and destroying inside it loses nothing", arguments: [true, false])
    func videoUnloaded(quiet: Bool) throws {
        let memory = MemoryReporter()
        let telemetry = try Telemetry(
            plugins: [Heartbeat.selection(Heartbeat.configuration.with(["quietMode": .bool(quiet)]))],
            catalog: RecordedRun.catalog(Heartbeat.sources),
            options: Telemetry.Options(),
            extraConsumers: [memory]
        )
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player)
        player.onVideoUnloaded { run.destroy(.cancel) }
        player.perform(.load, on: run)
        player.perform(.complete, on: run)
        player.perform(.unload, on: run)
        #expect(player.waitForUnloaded(1))
        run.destroy()
        telemetry.close()
        #expect(player.reports.unloaded.count == 1)
        let kinds = memory.contents.lines.filter { $0.kind != "beacon" }.map(\.kind)
        #expect(kinds == (quiet ? [] : ["load", "start", "complete", "unload"]))
    }
}
