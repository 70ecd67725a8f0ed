import AdobeShared
import Tally
import TallyTesting
import Testing

/// What the tracker writes into the host's log (both guides, "Troubleshoot the Integration").
@Suite struct TraceTests {
    @Test("The guides' sample lines come out byte for byte")
    func samples() {
        #expect(
            TraceStyle.leveled.line(
                .debug,
                atEpoch: 1_414_606_471_000,
                type: "ADB_HB_TimerManager",
                method: "_onTick",
                "----- ( 2 )"
            ) == "[DEBUG] [2014-10-29 at 18:14:31][ADB_HB_TimerManager] #_onTick > ----- ( 2 )"
        )
        #expect(
            TraceStyle.prefixed.line(
                .debug,
                atEpoch: 1_392_392_083_000,
                type: "ADBHeartbeatTimerManager",
                method: "_onTick",
                "----- ( 2 )"
            ) == "ADBMobile Debug: [2014-02-14 at 15:34:43][ADBHeartbeatTimerManager] #_onTick() > ----- ( 2 )"
        )
    }

    @Test("1.4 names the level, 1.3.1 does not", arguments: [TraceLevel.debug, .warning, .error])
    func levels(level: TraceLevel) {
        let new = TraceStyle.leveled.line(level, atEpoch: 0, type: "T", method: "m", "x")
        #expect(new == "[\(level.rawValue)] [1970-01-01 at 00:00:00][T] #m > x")
        let old = TraceStyle.prefixed.line(level, atEpoch: 0, type: "T", method: "m", "x")
        #expect(old == "ADBMobile Debug: [1970-01-01 at 00:00:00][T] #m() > x")
    }

    @Test("Without debugLogging no debug line is written")
    func off() throws {
        let lines = try Log.lines(Heartbeat.configuration)
        #expect(!lines.contains { $0.level == .debug })
        #expect(!lines.contains { $0.level == .warning })
    }

    @Test(
        "With debugLogging one warning says what it costs",
        arguments: [Heartbeat.configuration, Heartbeat.oldConfiguration]
    )
    func caution(configuration: JSONValue) throws {
        let lines = try Log.lines(configuration.with(["debugLogging": true]))
        let warnings = lines.filter { $0.level == .warning && $0.message.contains("debugLogging") }
        #expect(warnings.count == 1)
        #expect(warnings.first?.message.contains("performance") == true)
        #expect(warnings.first?.message.contains("attack surface") == true)
        #expect(warnings.first?.message.contains("production") == true)
    }

    @Test("Filtering for __job_id shows every network call, and nothing else")
    func networkCalls() throws {
        let log = Log()
        let run = try log.run(Heartbeat.configuration.with(["debugLogging": true]))
        let calls = log.lines.map(\.message).filter { $0.contains("__job_id") }
        let beacons = run.live.lines.filter { $0.kind == "beacon" }
        #expect(calls.count == beacons.count)
        for (call, beacon) in zip(calls, beacons) {
            let address = try #require(call.split(separator: " ").last)
            #expect(beacon.text.contains(address), "\(call)")
        }
    }

    @Test("Each track call is traced under the guides' name")
    func calls() throws {
        let calls: [(PlayerAction, String)] = [
            (.load, "trackVideoLoad()"), (.play, "trackPlay()"), (.bufferStart(.stall), "trackBufferStart()"),
            (.bufferComplete, "trackBufferComplete()"), (.pause, "trackPause()"),
            (.seekStart(to: 60), "trackSeekStart()"), (.seekComplete, "trackSeekComplete()"), (.play, "trackPlay()"),
            (.chapterStart(1), "trackChapterStart()"), (.chapterComplete, "trackChapterComplete()"),
            (.adStart(0), "trackAdStart()"), (.adComplete, "trackAdComplete()"), (.quality, "trackQoSUpdateInfo()"),
            (.rendition(bitrate: 900_000, shift: .down, phase: .visible), "trackBitrateChange()"),
            (.playerError("P"), "trackVideoPlayerError()"), (.applicationError("A"), "trackApplicationError()"),
            (.complete, "trackComplete()"), (.unload, "trackVideoUnload()"),
        ]
        let log = Log()
        let tracing = Heartbeat.configuration.with(["debugLogging": true])
        _ = try Playback(tracing, log: log) { player, run, _ in
            for (action, _) in calls { player.perform(action, on: run) }
        }
        let traced = log.lines.filter { $0.level == .debug }.compactMap { $0.message.split(separator: " ").last }
        #expect(traced.filter { $0.hasSuffix("()") }.map(String.init) == calls.map(\.1))
        #expect(try Log.lines(tracing).contains { $0.message.contains("#tick > ----- ( 10 )") })
    }

    @Test("Traces never hold who watches")
    func secrets() throws {
        var player = SyntheticPlayer.Model()
        player.videoAnswer = { info in
            info.id("v")
            info.playerName("p")
            info.streamType(.vod)
            info.length(seconds: 60)
            info.userID("viewer-4711")
        }
        let log = Log()
        let run = try log.run(
            Heartbeat.configuration.with(["debugLogging": true, "aid": "aid-0815", "mid": "mid-0816"]),
            player
        )
        let sent = run.live.lines.filter { $0.kind == "beacon" }.map(\.text)
        #expect(sent.allSatisfy { $0.contains("viewer-4711") && $0.contains("aid-0815") && $0.contains("mid-0816") })
        for secret in ["viewer-4711", "aid-0815", "mid-0816"] {
            #expect(log.lines.allSatisfy { !$0.message.contains(secret) })
        }
    }
}
