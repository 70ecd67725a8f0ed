import AdobeHeartbeat
import PluginKit
import Tally
import TallyTesting
import Testing

/// What the player's delegate has to say, field by field (both guides, "Implement the Player Delegate").
@Suite struct DelegateTests {
    // MARK: - Video

    @Test(
        "A mandatory field of the video that is missing, empty or of another kind is an error at the load",
        arguments: [Heartbeat.configuration, Heartbeat.oldConfiguration]
    )
    func video(configuration: JSONValue) throws {
        let cases: [(String, @Sendable (borrowing VideoInfoEncoder) -> Void)] = [
            ("VideoInfo is nil", { _ in }),
            (
                "VideoInfo.id is missing or empty",
                { info in
                    info.playerName("p")
                    info.streamType(.vod)
                }
            ),
            (
                "VideoInfo.id is missing or empty",
                { info in
                    info.id("")
                    info.playerName("p")
                }
            ),
            (
                "VideoInfo.id is missing or empty",
                { info in
                    info.custom("video_id", .int(7))
                    info.playerName("p")
                }
            ),
            (
                "VideoInfo.streamType is none of vod, live, linear",
                { info in
                    info.id("v")
                    info.custom("stream_type", .string("podcast"))
                }
            ),
            (
                "VideoInfo.playerName is missing or empty",
                { info in
                    info.id("v")
                    info.streamType(.vod)
                    info.length(seconds: 60)
                }
            ),
        ]
        for (details, answer) in cases {
            let play = try Playback(configuration) { player, run, _ in
                player.change { $0.videoAnswer = answer }
                player.perform(.load, on: run)
                run.pump()
            }
            #expect(play.errors.map(\.details) == [details])
            #expect(play.entries == [])
        }
    }

    @Test("Of several wrong fields the first one counts: id, streamType, playerName")
    func order() throws {
        let play = try Playback { player, run, _ in
            player.change { $0.videoAnswer = { $0.custom("stream_type", .string("x")) } }
            player.perform(.load, on: run)
        }
        #expect(play.errors.map(\.details) == ["VideoInfo.id is missing or empty"])
    }

    @Test(
        "Stream type, length and playhead may come after the load; what is still missing after 30 s is an error",
        arguments: [
            "VideoInfo.streamType is missing or empty", "VideoInfo.length is missing or no number",
            "VideoInfo.playhead is missing or no number",
        ]
    )
    func patience(details: String) throws {
        let play = try Playback { player, run, clock in
            player.change { model in
                model.tellsPlayhead = !details.contains("playhead")
                model.videoAnswer = { info in
                    info.id("v")
                    info.playerName("p")
                    if !details.contains("streamType") { info.streamType(.vod) }
                    if !details.contains("length") { info.length(seconds: 60) }
                }
            }
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            clock.advance(to: 29_999_999)
            run.pump()
            player.perform(.firstFrame, on: run)
            run.pump()
            clock.advance(to: 40_000_000)
            run.pump()
        }
        #expect(play.errors.map(\.details) == [details])
        #expect(play.entries == [])
    }

    @Test("Once all is known the session has begun at the load, and the calls since then keep their times")
    func late() throws {
        let play = try Playback { player, run, clock in
            player.change { model in
                model.tellsPlayhead = false
                model.videoAnswer = { info in
                    info.id("v")
                    info.playerName("p")
                }
            }
            player.perform(.load, on: run)
            clock.advance(to: 500_000)
            player.perform(.play, on: run)
            clock.advance(to: 1_000_000)
            player.perform(.adStart(0), on: run)
            clock.advance(to: 3_000_000)
            player.perform(.adComplete, on: run)
            clock.advance(to: 4_000_000)
            player.change { model in
                model.tellsPlayhead = true
                model.videoAnswer = nil
            }
            player.perform(.metadata(name: "Late"), on: run)
            run.pump()
            clock.advance(to: 14_000_000)
            run.pump()
        }
        #expect(play.errors == [])
        #expect(
            play.entries == ["load", "start", "play", "start", "play", "complete", "active"]
        )
        #expect(play.run.live.lines.first { $0.kind == "start" }?.attributes["l:event:playhead"] == .int(0))
        let times = play.run.live.lines.filter { $0.kind != "beacon" }.map { line in
            (line.time / 1000, line.attributes["l:event:ts"], line.attributes["l:event:duration"])
        }
        let expected: [(Int64, Int64, Int64)] = [
            (4_000, 0, 0), (10_000, 0, 500), (10_000, 3_000, 7_500), (10_000, 1_000, 0), (10_000, 3_000, 2_000),
            (10_000, 3_000, 0), (10_000, 10_000, 10_000),
        ]
        #expect(times.count == expected.count)
        for (found, wanted) in zip(times, expected) {
            #expect(found.0 == wanted.0)
            #expect(found.1 == .int(Row.epoch + wanted.1))
            #expect(found.2 == .int(wanted.2))
        }
    }

    @Test("Live and linear streams need neither length nor playhead", arguments: [AssetType.live, .linear])
    func live(type: AssetType) throws {
        for length in [nil, -1.0] {
            let play = try Playback { player, run, _ in
                player.change { model in
                    model.streamType = type
                    model.length = length
                    model.tellsPlayhead = false
                }
                player.perform(.load, on: run)
            }
            #expect(play.entries == ["load"])
            #expect(play.addresses.first?.contains("&s:asset:type=\(type.rawValue)&") == true)
            #expect(play.addresses.first?.contains("&l:asset:duration=-1&") == true)
        }
    }

    @Test("A title that becomes known is told from then on; an id that is lost is an error")
    func metadata() throws {
        let play = try Playback { player, run, _ in
            player.perform(.load, on: run)
            player.perform(.metadata(name: "New & old"), on: run)
            player.perform(.playerError("E"), on: run)
            player.change { $0.id = "" }
            player.perform(.metadata(name: "Lost"), on: run)
        }
        #expect(play.addresses[1].contains("&s:stream:name=New%20%26%20old&"))
        #expect(play.errors.map(\.details) == ["VideoInfo.id is missing or empty"])
    }

    @Test("Without a title the id is the stream's name")
    func name() throws {
        let play = try Playback { player, run, _ in
            player.change { $0.name = nil }
            player.perform(.load, on: run)
        }
        #expect(play.addresses[0].contains("&s:stream:name=asset-1&"))
    }

    /// Performs something in an open session and expects the error state.
    func expectError(
        _ details: String,
        _ configuration: JSONValue = Heartbeat.configuration,
        _ body: (SyntheticPlayer, PlayerRun) -> Void
    ) throws {
        let play = try Playback(configuration) { player, run, clock in
            player.perform(.load, on: run)
            run.pump()
            body(player, run)
            run.pump()
            clock.advance(to: 30_000_000)
            run.pump()
        }
        #expect(play.errors.map(\.details) == [details])
        #expect(play.entries.filter { $0 != "error" } == ["load"])
    }
}
