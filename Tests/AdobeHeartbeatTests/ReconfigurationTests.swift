import Tally
import TallyTesting
import Testing

/// The guides' configure, called again while the player runs.
@Suite struct ReconfigurationTests {
    private static func with(_ members: JSONObject) -> JSONValue {
        Heartbeat.configuration.with(members)
    }

    @Test("A new configuration holds from the next entry on, and the session goes on; so it does in a replay")
    func goesOn() throws {
        let play = try Playback { player, run, _ in
            player.perform(.load, on: run)
            run.pump()
            try run.configure(plugin: "adobe", Self.with(["channel": "news", "jobId": "j3"]))
            player.perform(.playerError("E"), on: run)
            try run.configure(plugin: "adobe", Self.with(["quietMode": true]))
            player.perform(.playerError("E"), on: run)
            player.perform(.unload, on: run)
        }
        #expect(play.entries == ["load", "error"])
        #expect(play.addresses[0].contains("?__job_id=j2&") && !play.addresses[0].contains("s:sp:channel"))
        #expect(play.addresses[1].contains("?__job_id=j3&") && play.addresses[1].contains("&s:sp:channel=news&"))
        let replay = try play.run.replay(through: [Heartbeat.selection()], from: Heartbeat.sources)
        #expect(OutputTranscript.difference(play.run.live, replay) == nil)
    }

    @Test("A new interval holds for the quantum that goes on")
    func interval() throws {
        let play = try Playback { player, run, clock in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            run.pump()
            clock.advance(to: 2_000_000)
            try run.configure(plugin: "adobe", Self.with(["trackingInterval": 5]))
            clock.advance(to: 5_000_000)
            run.pump()
        }
        #expect(play.entries == ["load", "start", "play", "active"])
    }

    @Test("An invalid configuration leads to the error state at once; a valid one leaves it at the next load alone")
    func errorState() throws {
        let invalid = Self.with(["trackingServer": ""])
        let play = try Playback { player, run, clock in
            player.perform(.load, on: run)
            run.pump()
            try run.configure(plugin: "adobe", invalid)
            player.perform(.playerError("1"), on: run)
            player.perform(.load, on: run)
            player.perform(.playerError("2"), on: run)
            run.pump()
            try run.configure(plugin: "adobe", Heartbeat.configuration)
            player.perform(.playerError("3"), on: run)
            clock.advance(to: 30_000_000)
            run.pump()
            player.perform(.load, on: run)
            player.perform(.playerError("4"), on: run)
        }
        #expect(play.errors.map(\.details) == Array(repeating: "trackingServer is missing or empty", count: 2))
        #expect(play.entries == ["load", "load", "error"])
        #expect(play.addresses.last?.contains("&s:event:id=4&") == true)
    }

    @Test("Tracing can be switched on and off in mid-run, with a warning each time it goes on")
    func tracing() throws {
        let log = Log()
        _ = try Playback(log: log) { player, run, _ in
            player.perform(.load, on: run)
            run.pump()
            try run.configure(plugin: "adobe", Self.with(["debugLogging": true]))
            player.perform(.playerError("1"), on: run)
            run.pump()
            try run.configure(plugin: "adobe", Heartbeat.configuration)
            player.perform(.playerError("2"), on: run)
            run.pump()
            try run.configure(plugin: "adobe", Self.with(["debugLogging": true]))
            player.perform(.playerError("3"), on: run)
            run.pump()
            try run.configure(plugin: "adobe", Self.with(["debugLogging": true, "channel": "news"]))
        }
        let calls = log.lines.filter { $0.message.contains("__job_id") }
        #expect(calls.map { $0.message.contains("s:event:id=1&") } == [true, false])
        #expect(calls.map { $0.message.contains("s:event:id=3&") } == [false, true])
        let traced = log.lines.filter { $0.level == .debug }.map(\.message)
        #expect(traced.filter { $0.contains("trackVideoPlayerError()") }.count == 2)
        #expect(!traced.contains { $0.contains("trackVideoLoad()") })
        #expect(log.lines.filter { $0.message.contains("attack surface") }.count == 2)
    }

    @Test("Version and settings file are constant until a restart: a change is warned about and has no effect")
    func constants() throws {
        let log = Log()
        let play = try Playback(log: log) { player, run, _ in
            try run.configure(
                plugin: "adobe",
                Heartbeat.oldConfiguration.with(["ADBMobileConfig": ["analytics": ["rsids": "other", "ssl": true]]])
            )
            player.perform(.load, on: run)
        }
        let address = try #require(play.addresses.first)
        #expect(address.hasPrefix("http://"))
        #expect(address.contains("&l:sp:hb_api_lvl=2&") && !address.contains("s:sc:rsid"))
        let warnings = log.lines.filter { $0.level == .warning }.map(\.message)
        #expect(warnings.count == 2)
        #expect(warnings.contains { $0.contains("compatibility stays 1.4 until a restart") })
        #expect(warnings.contains { $0.contains("ADBMobileConfig.json is read once") })
    }
}
