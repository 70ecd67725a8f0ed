import EventModel
import Glibc
import PluginABI
import PluginKit
import Tally
import TallyTesting
import Testing

/// Players, their identifiers, commands and configuration at run time.
@Suite struct PlayerTests {
    private static func text(_ value: PlainValue?) -> String {
        guard case .string(let text)? = value else { return "" }
        return text
    }

    @Test("Nothing is said before the first event of the player")
    func firstEvent() {
        let host = Mux.host()
        host.beginSession()
        host.send(.chapterStart)
        host.send(.consent)
        host.send(.pause)
        host.advance(to: 60_000_000)
        #expect(host.records.isEmpty && host.beacons.isEmpty)
        host.send(.play)
        #expect(host.events() == ["viewinit", "playerready", "viewstart", "play"])
        #expect(host.records.allSatisfy { $0["player"] == .string("player-one") })
    }

    @Test(
        "What a view does not notice is not handed to it, whatever the application adds",
        arguments: [EventType.chapterStart, .applicationForeground, .interruptionEnd, .consent, .clockStep]
    )
    func unusedEvents(_ type: EventType) {
        let host = Mux.host()
        host.send(.playerReady)
        host.send(.play)
        let before = host.records.count
        host.send(type, [("video_title", .string("Other"))])
        #expect(host.records.count == before)
        host.send(.pause, [("video_title", .string("Other"))])
        #expect(host.records.count > before)
    }

    @Test("An error of a player of which nothing was heard has a view of its own")
    func errorFirst() {
        let host = Mux.host()
        host.send(.playerError, [("error_code", .int(3))])
        #expect(host.events() == ["viewinit", "playerready", "error"])
    }

    @Test("A player that is watched and destroyed: viewinit, data, playerready, viewend")
    func watchedAndDestroyed() {
        let host = Mux.host()
        host.send(.playerReady)
        host.command("destroyPlayer")
        #expect(host.records.map(\.kind) == ["globaldata", "viewinit", "data", "playerready", "viewend"])
    }

    @Test("destroyPlayer ends the view, nothing comes after it, and a later event of the player begins anew")
    func destroyPlayer() throws {
        let host = Mux.host(#"{"environmentKey":"hex","player":"main","timeUpdates":false}"#)
        host.send(.videoLoad, at: 0)
        host.send(.play, at: 100)
        host.send(.firstFrame, at: 200)
        #expect(host.command("destroyPlayer", ["player": "other"]).status == TALLY_ERR_STATE)
        #expect(host.error.contains("no player \"other\""))
        host.advance(to: 1_000_000)
        let answer = host.command("destroyPlayer", ["player": "main"])
        #expect(answer.status == TALLY_OK && answer.text == #"{"player":"main"}"#)
        #expect(Array(host.events().suffix(2)) == ["playing", "viewend"])
        let count = host.records.count
        let beacons = host.beacons.count
        host.advance(to: 60_000_000)
        #expect(host.records.count == count && host.beacons.count == beacons)
        #expect(host.command("destroyPlayer", text: "").status == TALLY_ERR_INVALID)

        host.send(.play)
        #expect(host.events(from: count) == ["viewinit", "playerready", "viewstart", "play"])
        let first = try #require(host.records.first { $0.kind == "viewinit" })
        let second = host.records[count]
        #expect(second.kind == "viewinit" && second["player_instance_id"] != first["player_instance_id"])
        #expect(second.int("player_view_count") == 1 && second.int("player_sequence_number") == 1)
        #expect(second["mux_viewer_id"] == first["mux_viewer_id"])
        #expect(second["session_id"] == first["session_id"])
    }

    @Test("A command, a query and a new configuration in a run replay the same")
    func controlledRun() throws {
        let selection = Mux.selection(["customData": ["custom1": "a"]])
        let run = try VirtualRun(plugins: [selection], sources: Mux.linked).record { player, run, clock in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            clock.advance(to: 1_000_000)
            run.pump()
            try run.configure(plugin: "mux", ["environmentKey": "hex", "timeUpdates": false])
            clock.advance(to: 2_000_000)
            run.pump()
            #expect(try run.command(plugin: "mux", "identifiers")["player"] == "mux")
            #expect(try run.command(plugin: "mux", "destroyPlayer")["player"] == "mux")
            clock.advance(to: 3_000_000)
            player.perform(.pause, on: run)
            player.perform(.play, on: run)
            run.pump()
        }
        let events = Mux.events(run.live)
        #expect(events == ["viewinit", "playerready", "viewstart", "play", "viewend"] + events.prefix(4) + ["viewend"])
        #expect(Mux.records("data", in: run.live).contains { $0["custom_1"] == .null })
        let replay = try run.replay(through: [selection], from: Mux.linked)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }

    @Test("Global data is said once, not again for a player that begins anew")
    func globalDataOnce() {
        let host = Mux.host()
        host.send(.play)
        host.command("destroyPlayer")
        host.send(.play)
        #expect(host.records.filter { $0.kind == "globaldata" }.count == 1)
    }

    @Test("The identifiers are full UUIDs in small letters, each its own")
    func identifiers() throws {
        let host = Mux.host()
        host.send(.play)
        let view = try #require(host.records.first { $0.kind == "viewinit" })
        let names = ["player_instance_id", "view_id", "mux_viewer_id", "session_id"]
        let identifiers = names.map { Self.text(view[$0]) }
        #expect(Set(identifiers).count == 4)
        for identifier in identifiers {
            #expect(identifier.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12], "\(identifier)")
            #expect(identifier.allSatisfy { "0123456789abcdef-".contains($0) })
            #expect(Array(identifier)[14] == "4" && "89ab".contains(Array(identifier)[19]))
        }
    }

    @Test("Two players have identifiers of their own; the same run has the same ones again")
    func severalPlayers() throws {
        let selections = [Mux.selection(["player": "left"], name: "a"), Mux.selection(["player": "right"], name: "b")]
        let runs = try (0..<2).map { _ in
            try VirtualRun(plugins: selections, sources: Mux.linked).record { player, run, _ in
                player.perform(.load, on: run)
                player.perform(.unload, on: run)
            }
        }
        #expect(OutputTranscript.difference(runs[0].live, runs[1].live) == nil)
        let views = Mux.records("viewinit", in: runs[0].live)
        #expect(views.map { $0["player"] } == [.string("left"), .string("right")])
        #expect(views[0]["player_instance_id"] != views[1]["player_instance_id"])
        #expect(views[0]["view_id"] != views[1]["view_id"])
    }

    @Test("The query tells the identifiers and says nothing")
    func query() {
        let host = Mux.host(#"{"environmentKey":"hex","customerPlayerData":{"viewerUserId":"u-1"}}"#)
        #expect(host.command("identifiers").text == "{}")
        host.send(.play)
        let count = host.records.count
        let answer = host.command("identifiers").text
        #expect(answer.contains(#""player":"player-one""#) && answer.contains(#""viewer_user_id":"u-1""#))
        #expect(answer.contains(#""view_id":""#) && answer.contains(#""mux_viewer_id":""#))
        #expect(host.records.count == count)
    }

    @Test("The viewer is who the customer says, else the device")
    func viewer() throws {
        for (configuration, viewer) in [
            (#"{"environmentKey":"hex","environmentData":{"muxViewerId":"device-7"}}"#, "device-7"),
            (
                #"{"environmentKey":"hex","environmentData":{"muxViewerId":"device-7"},"#
                    + #""customerPlayerData":{"viewerUserId":"user-3"}}"#, "user-3"
            ),
        ] {
            let host = Mux.host(configuration)
            host.send(.videoLoad)
            host.send(.play, at: 10)
            host.send(.videoUnload, at: 2_000)
            let metrics = try #require(host.records.last)
            #expect(metrics.kind == "viewmetrics" && metrics["viewer_id"] == .string(viewer))
            #expect(host.records[1]["mux_viewer_id"] == .string("device-7"))
        }
    }

    @Test("The host keeps viewer and session; a session is over 25 minutes after a view's begin or end")
    func kept() throws {
        let path = "/tmp/tally-test-mux-\(getpid()).json"
        defer { unsafe unlink(path) }
        var views: [[String: PlainValue]] = []
        for epoch in [1_700_000_000, 1_700_000_000 + 1_499, 1_700_000_000 + 3_100] as [Int64] {
            var virtual = VirtualRun(plugins: [Mux.selection()], sources: Mux.linked)
            virtual.storeFile = path
            virtual.epoch = epoch * 1_000_000
            let run = try virtual.record { player, run, _ in
                player.perform(.load, on: run)
                player.perform(.unload, on: run)
            }
            views += Mux.records("viewinit", in: run.live)
            let replay = try run.replay(through: [Mux.selection()], from: Mux.linked)
            #expect(OutputTranscript.difference(run.live, replay) == nil)
        }
        #expect(views.count == 3 && Set(views.map { Self.text($0["mux_viewer_id"]) }).count == 1)
        #expect(views[0]["session_id"] == views[1]["session_id"])
        #expect(views[1]["session_start"] == .int(1_700_000_000_000))
        #expect(views[1]["session_expires"] == .int(1_700_002_999_000))
        #expect(views[2]["session_id"] != views[1]["session_id"])
        #expect(views[2]["session_start"] == .int(1_700_003_100_000))
        #expect(views[2]["player_instance_id"] != views[1]["player_instance_id"])
    }

    @Test("A new configuration is said as the data that changed; what names the player stays")
    func reconfigure() {
        let host = Mux.host(
            #"{"environmentKey":"hex","customerVideoData":{"videoTitle":"A","videoSeries":"S"},"timeUpdates":false}"#
        )
        host.send(.play)
        let count = host.records.count
        let new =
            #"{"environmentKey":"hex","customerVideoData":{"videoTitle":"B"},"viewerData":{"viewerOsFamily":"Linux"}}"#
        #expect(host.reconfigure(text: new) == TALLY_OK)
        let said = host.records[count...]
        #expect(said.map(\.kind) == ["globaldata", "data"])
        #expect(said.first?["viewer_os_family"] == .string("Linux"))
        #expect(said.last?["video_title"] == .string("B") && said.last?["video_series"] == .null)
        #expect(said.last?.attributes.count == 3)
        for other in [#"{"environmentKey":"other"}"#, #"{"environmentKey":"hex","player":"x"}"#] {
            #expect(host.reconfigure(text: other) == TALLY_ERR_CONFIG)
            #expect(host.error.contains("until the player run ends"))
        }
        #expect(host.records.count == count + 2)
    }

    @Test("An event at the very microsecond of a heartbeat comes before it: a pause leaves none")
    func eventAtHeartbeat() throws {
        let run = try VirtualRun(plugins: [Mux.selection()], sources: Mux.linked).record { player, run, clock in
            for action in [PlayerAction.load, .play, .firstFrame] { player.perform(action, on: run) }
            run.pump()
            clock.advance(to: 10_000_000)
            player.perform(.pause, on: run)
            run.pump()
            clock.advance(to: 30_000_000)
            run.pump()
        }
        #expect(Mux.events(run.live).suffix(3) == ["playing", "pause", "viewend"])
        let replay = try run.replay(through: [Mux.selection()], from: Mux.linked)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }

    @Test("An event of a type that is not known changes nothing")
    func unknownType() {
        let host = Mux.host()
        host.send(.videoLoad, at: 0)
        host.send(.play, at: 0)
        let count = host.records.count
        host.send(EventType(rawValue: 70_000), at: 1_000)
        #expect(host.records.count == count)
    }
}
