import Tally
import TallyTesting
import Testing

/// The error state (both guides, "Monitor the Error State").
@Suite struct ErrorStateTests {
    @Test("A mandatory parameter that is missing or empty leads to the error state, not to a refusal")
    func configuration() throws {
        let cases: [(JSONObject, String)] = [
            (["trackingServer": ""], "trackingServer is missing or empty"),
            (["trackingServer": "http://"], "trackingServer is missing or empty"),
            (
                ["trackingServer": "not a host"],
                "trackingServer \"not a host\" is no host with an optional port and path"
            ),
            (["trackingServer": "host:0"], "trackingServer \"host:0\" is no host with an optional port and path"),
            (["jobId": ""], "jobId is missing or empty"),
            (["publisher": ""], "publisher is missing or empty"),
        ]
        let missing: [(JSONValue, String)] = [
            (["jobId": "j2", "publisher": "tally"], "trackingServer is missing or empty"),
            (["trackingServer": "a.example", "publisher": "tally"], "jobId is missing or empty"),
            (["trackingServer": "a.example", "jobId": "j2"], "publisher is missing or empty"),
        ]
        for (configuration, details) in missing + cases.map({ (Heartbeat.configuration.with($0.0), $0.1) }) {
            let play = try Playback(configuration) { player, run, _ in
                player.perform(.playerReady, on: run)
                run.pump()
            }
            #expect(play.errors.map(\.details) == [details])
            #expect(play.entries == [])
        }
    }

    @Test("Each load that the configuration costs is an error to the host, and told by the delegate's report alone")
    func countedLoads() throws {
        let log = Log()
        let play = try Playback(Heartbeat.configuration.with(["jobId": ""]), log: log) { player, run, _ in
            for action: PlayerAction in [.playerReady, .load, .play, .unload, .load, .unload] {
                player.perform(action, on: run)
            }
            run.pump()
            #expect(run.trackerStatistics.map(\.statistics.errors) == [2])
        }
        #expect(play.errors.map(\.details) == Array(repeating: "jobId is missing or empty", count: 3))
        #expect(!log.lines.contains { $0.level == .error })
    }

    @Test("Where no delegate is told, the host logs the load that the configuration costs")
    func loggedLoad() throws {
        let log = Log()
        try log.run([Heartbeat.selection(Heartbeat.configuration.with(["jobId": ""]))]) { run in
            SyntheticPlayer().perform(.load, on: run)
        }
        let errors = log.lines.filter { $0.level == .error }.map(\.message)
        #expect(errors == ["returned error -6: the configuration cannot be used: jobId is missing or empty"])
    }

    @Test("In the error state calls do nothing but warn; the next load leaves it")
    func leaving() throws {
        let log = Log()
        let play = try Playback(Heartbeat.configuration, log: log) { player, run, clock in
            player.change { $0.id = "" }
            player.perform(.load, on: run)
            for action: PlayerAction in [.play, .pause, .playerError("E"), .chapterStart(1), .adStart(1), .complete] {
                player.perform(action, on: run)
            }
            clock.advance(to: 30_000_000)
            run.pump()
            player.change { $0.id = "good" }
            player.perform(.load, on: run)
            run.pump()
        }
        #expect(play.errors.map(\.details) == ["VideoInfo.id is missing or empty"])
        #expect(play.errors.map(\.message) == ["the player delegate's information cannot be used"])
        #expect(play.entries == ["load"])
        let warnings = log.lines.filter { $0.level == .warning && $0.message.contains("error state") }
        for call in [
            "trackPlay", "trackPause", "trackVideoPlayerError", "trackChapterStart", "trackAdStart", "trackComplete",
        ] {
            #expect(warnings.contains { $0.message.contains("#\(call) >") }, "\(call)")
        }
    }

    @Test("A load in an ordinary state tells nothing to the error call-back")
    func wellFormed() throws {
        let play = try Playback { player, run, _ in
            player.perform(.load, on: run)
            player.perform(.unload, on: run)
        }
        #expect(play.errors == [])
        #expect(play.entries == ["load", "unload"])
    }

    @Test("1.4 says in the session's last entry that it cannot go on; 1.3.1 says nothing", arguments: [true, false])
    func internalError(new: Bool) throws {
        let play = try Playback(new ? Heartbeat.configuration : Heartbeat.oldConfiguration) { player, run, clock in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            player.change { $0.chapterAnswer = { $0.name("no position") } }
            player.perform(.chapterStart(1), on: run)
            clock.advance(to: 40_000_000)
            run.pump()
            player.perform(.unload, on: run)
        }
        #expect(play.errors.map(\.details) == ["ChapterInfo.position is missing or no number"])
        #expect(play.entries == (new ? ["load", "error"] : ["load"]))
        guard new else { return }
        let entry = try #require(play.run.live.lines.first { $0.kind == "error" }).attributes
        #expect(entry["s:event:source"] == .string("sourceErrorHeartbeat"))
        #expect(entry["l:event:playhead"] == .int(0))
        #expect(
            entry["s:event:id"]
                == .string(
                    "the player delegate's information cannot be used|ChapterInfo.position is missing or no number"
                )
        )
    }

    @Test("What the tracker itself cannot do leads to the error state; only twice in a row it is the host's business")
    func internalFailure() throws {
        // No beacon can be as large as this becomes when its bytes are escaped: the host refuses it.
        let huge = JSONValue.string(String(repeating: "ä", count: 400_000))
        let play = try Playback(Heartbeat.configuration.with(["channel": huge])) { player, run, _ in
            player.perform(.load, on: run)
            run.pump()
            for _ in 0..<40 { player.perform(.playerError("E"), on: run) }
            run.pump()
        }
        #expect(play.errors.map(\.code) == ["internal"])
        let again = try Playback(Heartbeat.configuration.with(["channel": huge])) { player, run, _ in
            player.perform(.load, on: run)
            player.perform(.load, on: run)
            for _ in 0..<40 { player.perform(.playerError("E"), on: run) }
            run.pump()
        }
        #expect(again.errors.map(\.code) == ["internal", "internal", "disabled"])
    }

    @Test("Errors reach the player's delegate with message and details")
    func callBack() throws {
        let telemetry = try Telemetry(
            plugins: [Heartbeat.selection()],
            catalog: RecordedRun.catalog(Heartbeat.sources),
            options: Telemetry.Options()
        )
        let player = SyntheticPlayer()
        player.change { $0.id = nil }
        let run = try telemetry.startRun(delegate: player)
        player.perform(.load, on: run)
        run.destroy()
        telemetry.close()
        let errors = player.reports.errors
        #expect(errors.map(\.plugin) == ["adobe"])
        #expect(errors.map(\.message) == ["the player delegate's information cannot be used"])
        #expect(errors.map(\.details) == ["VideoInfo.id is missing or empty"])
    }
}
