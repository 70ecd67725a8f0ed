import Tally
import TallyTesting

/// What 1.3.1 does otherwise than 1.4.
enum OldVersionScenarios {
    static let all: [Scenario] = [ads, chapters, errorSources, noAdPosition, noReportSuite, badServer]

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

    static let chapters = Scenario(
        "1.3.1 counts playback once more around each chapter",
        Heartbeat.oldConfiguration,
        steps: [.at(0, .load), .at(0, .play), .at(4_000, .chapterStart(1)), .at(10_500, .unload)],
        rows: [
            Row(0, "load", 0, 0, 1, 0, 0, -1),
            Row(4_000, "chapter_start", 4, 0, 1, 0, 4_000, -1),
            Row(10_000, "start", 0, 0, 1, 0, 0, -1),
            Row(10_000, "play", 0, 4_000, 3, 10_000, 0, -1, lacks: ["s:stream:chapter_id"]),
            Row(10_000, "play", 4, 6_000, 3, 10_000, 4_000, 0, has: ["l:stream:chapter_pos": .int(1)]),
            Row(10_000, "active", 4, 10_000, 1, 10_000, 10_000, -1),
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
