import Tally
import TallyTesting

/// What 1.3.1 does otherwise than 1.4.
enum OldVersionScenarios {
    static let all: [Scenario] = [
        ads, adPlace, adPlaceAtTheBreaksEnd, adPlaceWithTheEnd, breaksFromZero, playback, chapters, errorSources,
        noAdPosition,
        noReportSuite, badServer,
    ]

    static let ads = Scenario(
        "1.3.1 tells the place in the ad and the price, and counts breaks from 0",
        Heartbeat.oldConfiguration,
        player: {
            var player = SyntheticPlayer.Model()
            player.adAnswer = { info in
                info.id("ad-0")
                info.length(seconds: 15)
                info.position(1)
                info.playhead(seconds: 7)
                info.cpm("49750702676yfh074757")
            }
            return player
        }(),
        steps: [.at(0, .load), .at(0, .adBreakStart), .at(0, .adStart(0)), .at(10_500, .unload)],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1, has: ["s:sc:rsid": .string("suite1"), "h:sc:ssl": .int(0)]),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "start/ad", 7, 0, 1, 0, 0, -1, has: ad),
            Row(10_000, "play/ad", 7, 10_000, 1, 10_000, 0, -1, has: ad),
            Row(10_000, "active", 0, 10_000, 1, 10_000, 10_000, -1),
            Row(10_500, "unload/ad", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    private static let ad: [String: PlainValue] = [
        "s:asset:cpm": .string("49750702676yfh074757"),
        "s:asset:pod_id": .string("a5fcc136799945189a0c22117b61ddfd_0"),
    ]

    /// Reports the place in the ad, ms, as a sample does.
    private static func place(_ milliseconds: Int64) -> PlayerAction {
        .call(
            PlayerCall("place in the ad \(milliseconds)") { player, run in
                player.change { $0.moreOfState = { $0.adPlayhead(milliseconds: milliseconds) } }
                run.trackPlayhead()
                player.change { $0.moreOfState = nil }
            }
        )
    }

    private static let adFromItsBeginning: SyntheticPlayer.Model = {
        var player = SyntheticPlayer.Model()
        player.adAnswer = { info in
            info.id("ad-0")
            info.length(seconds: 8)
            info.position(1)
            info.playhead(seconds: 0)
        }
        return player
    }()

    /// An ad of 8 s from 1 s on, of which the player says what `places` say.
    private static func end(_ name: String, places: [Scenario.Step], _ end: PlayerAction) -> Scenario {
        Scenario(
            name,
            Heartbeat.oldConfiguration,
            player: adFromItsBeginning,
            steps: [
                .at(0, .load), .at(0, .show(.position(101_000))), .at(0, .play), .at(1_000, .adStart(0)),
            ] + places + [.at(9_000, end), .at(10_500, .unload)],
            rows: [
                Row(0, "load", 0, 0, 1, 0, 0, -1),
                Row(10_000, "start", 0, 0, 1, 0, 0, -1),
                Row(10_000, "play", 110, 2_000, 2, 2_000, 9_000, -1),
                Row(10_000, "start/ad", 0, 0, 1, 0, 1_000, -1),
                Row(10_000, "play/ad", 8, 8_000, 2, 8_000, 9_000, -1),
                Row(10_000, "complete/ad", 8, 0, 1, 0, 9_000, -1),
                Row(10_000, "active", 110, 10_000, 1, 10_000, 10_000, -1),
                Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
            ]
        )
    }

    /// Ends the ad with a call at which the player says no more where in the ad it stood.
    private static func silent(_ name: String, _ end: @escaping @Sendable (PlayerRun) -> Void) -> PlayerAction {
        .call(
            PlayerCall(name) { player, run in
                player.change { $0.ad = nil }
                end(run)
            }
        )
    }

    private static let lastPlaces: [Scenario.Step] = [.at(5_000, place(4_000)), .at(8_750, place(7_750))]

    static let adPlace = end(
        "1.3.1 tells the last place in the ad at its end",
        places: lastPlaces,
        silent("ad complete") { $0.trackAdComplete() }
    )

    static let adPlaceAtTheBreaksEnd = end(
        "1.3.1 tells the last place in the ad also when only the break's end tells that it is over",
        places: lastPlaces,
        silent("ad break complete") { $0.trackAdBreakComplete() }
    )

    static let adPlaceWithTheEnd = end(
        "1.3.1 tells the place in the ad that the player says with the ad's end",
        places: [],
        .adComplete
    )

    private static func breakPosition(_ position: Int) -> PlayerAction {
        .call(
            PlayerCall("break \(position)") { player, _ in
                player.change {
                    $0.adBreakAnswer = { info in
                        info.playerName("p")
                        info.position(position)
                    }
                }
            }
        )
    }

    static let breaksFromZero = Scenario(
        "1.3.1 leaves the positions of breaks as they are once the delegate counts from 0",
        Heartbeat.oldConfiguration,
        steps: [
            .at(0, .load), .at(0, breakPosition(0)), .at(0, .adStart(0)), .at(100, .playerError("P")),
            .at(200, .adComplete), .at(200, breakPosition(1)), .at(300, .adStart(0)), .at(400, .playerError("P")),
            .at(500, .unload),
        ],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(100, "error/ad", 0, 0, 1, 0, 100, -1, has: pod(0)),
            Row(400, "error/ad", 0, 0, 1, 0, 400, 100, has: pod(1)),
            Row(500, "unload/ad", 0, 0, 1, 0, 500, -1, has: pod(1)),
        ]
    )

    private static func pod(_ position: Int) -> [String: PlainValue] {
        ["s:asset:pod_id": .string("a5fcc136799945189a0c22117b61ddfd_\(position)")]
    }

    static let playback = Scenario(
        "1.3.1 follows each of the nine playback calls",
        Heartbeat.oldConfiguration,
        steps: [
            .at(0, .load), .at(1_000, .play), .at(3_000, .pause), .at(5_000, .play), .at(6_000, .bufferStart(.stall)),
            .at(8_000, .bufferComplete), .at(9_000, .seekStart(to: 60)), .at(12_000, .seekComplete),
            .at(16_000, .complete), .at(16_500, .unload),
        ],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(15_000, "start", 0, 1_000, 1, 1_000, 0, -1),
            Row(15_000, "play", 60, 7_000, 4, 7_000, 12_000, -1),
            Row(15_000, "buffer", 3, 2_000, 1, 2_000, 6_000, -1),
            Row(15_000, "active", 60, 15_000, 1, 15_000, 15_000, -1),
            Row(16_000, "play", 60, 1_000, 5, 8_000, 15_000, 12_000),
            Row(16_000, "complete", 600, 0, 1, 0, 16_000, -1),
            Row(16_000, "active", 600, 1_000, 2, 16_000, 16_000, 15_000),
            Row(16_500, "unload", 0, 0, 1, 0, 16_500, -1),
        ]
    )

    static let chapters = Scenario(
        "1.3.1 counts playback once more around each chapter",
        Heartbeat.oldConfiguration,
        steps: [
            .at(0, .load), .at(0, .play), .at(4_000, .chapterStart(1)), .at(7_000, .chapterComplete),
            .at(10_500, .unload),
        ],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(4_000, "chapter_start", 4, 0, 1, 0, 4_000, -1),
            Row(7_000, "chapter_complete", 7, 0, 1, 0, 7_000, -1, has: ["l:stream:chapter_pos": .int(1)]),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play", 7, 7_000, 5, 10_000, 7_000, -1, lacks: ["s:stream:chapter_id"]),
            Row(10_000, "play", 4, 3_000, 5, 10_000, 4_000, 0, has: ["l:stream:chapter_pos": .int(1)]),
            Row(10_000, "active", 7, 10_000, 1, 10_000, 10_000, -1, lacks: ["s:stream:chapter_id"]),
            Row(10_500, "unload", 0, 0, 1, 0, 10_500, -1),
        ]
    )

    static let errorSources = Scenario(
        "1.3.1 names the sources of errors otherwise",
        Heartbeat.oldConfiguration,
        steps: [.at(0, .load), .at(100, .playerError("P")), .at(200, .applicationError("A")), .at(300, .unload)],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(100, "error", 0, 0, 1, 0, 100, -1, has: BehaviourScenarios.error("P", "player")),
            Row(200, "error", 0, 0, 2, 0, 200, 100, has: BehaviourScenarios.error("A", "application")),
            Row(300, "unload", 0, 0, 1, 0, 300, -1),
        ]
    )

    static let noAdPosition = Scenario(
        "1.3.1 does not need an ad's position",
        Heartbeat.oldConfiguration,
        player: {
            var player = SyntheticPlayer.Model()
            player.adAnswer = { info in
                info.id("ad-0")
                info.length(seconds: 15)
                info.playhead(seconds: 0)
            }
            return player
        }(),
        steps: [.at(0, .load), .at(0, .adStart(0)), .at(100, .unload)],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(100, "unload/ad", 0, 0, 1, 0, 100, -1, lacks: ["s:asset:pod_position"]),
        ]
    )

    private static func refused(_ name: String, _ settings: JSONObject, _ details: String) -> Scenario {
        let error = Scenario.Expected.at(
            0,
            "tracker_error",
            [
                "code": .string("configuration"), "message": .string("the configuration cannot be used"),
                "details": .string(details),
            ]
        )
        return Scenario(
            name,
            Heartbeat.oldConfiguration.with(["ADBMobileConfig": ["analytics": .object(settings)]]),
            steps: [.at(0, .load), .at(0, .play), .at(15_000, .unload)],
            rows: [],
            errors: [error, error]
        )
    }

    static let noReportSuite = refused(
        "1.3.1 without an RSID is in the error state from the start, and again at each load",
        ["server": "metrics.example.com"],
        "1.3.1 needs analytics.rsids in ADBMobileConfig.json"
    )

    static let badServer = refused(
        "1.3.1 with an end-point that is no address is in the error state",
        ["rsids": "suite1", "server": "not a host"],
        "1.3.1 needs a host as analytics.server in ADBMobileConfig.json"
    )
}
