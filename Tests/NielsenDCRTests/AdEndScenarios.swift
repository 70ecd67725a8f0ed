import EventModel
import TallyTesting
import TextEncoding

/// How an ad ends, and what follows it.
enum AdEndScenarios {
    static let all: [Scenario] = [
        lastSecond, lastSecondTooShort, lastSecondOfSkippedAd, lastSecondAtPause, endedByBreak,
        postrollBeforeComplete, contentAfterPostroll, seekAfterPostroll, playAfterPostroll,
    ]

    private static let adAlone: [Scenario.Step] = [.at(0, .load), .at(0, .play), .at(0, .adStart(3))]

    private static let adBegun: [Scenario.Expected] =
        [
            Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.load(0, "ad", "ad-3"),
            Expect.first(0, 0, "ad"),
        ] + Expect.view(0)

    static let lastSecond = Scenario(
        "an ad of 30 s that ends 10 ms before its last second is over counts 30",
        tracker: Setup.tracker(),
        steps: adAlone + [.at(29_990, .adComplete), .at(30_100, .unload)],
        expected: adBegun + Expect.playheads(from: 1_000, 1...29, "ad") + Expect.playheads(from: 29_990, 30...30, "ad")
            + [Expect.stop(29_990)] + Expect.final(29_990, 30) + [Expect.end(30_100)]
    )

    static let lastSecondTooShort = Scenario(
        "an ad that ends 51 ms before a second is over does not count it, one that ends 50 ms before does",
        tracker: Setup.tracker(),
        steps: adAlone + [
            .at(2_949, .adComplete), .at(3_000, .adStart(4)), .at(4_950, .adComplete), .at(5_100, .unload),
        ],
        expected: adBegun + Expect.playheads(from: 1_000, 1...2, "ad") + [Expect.stop(2_949)]
            + Expect.final(2_949, 2) + [Expect.load(3_000, "ad", "ad-4"), Expect.first(3_000, 0, "ad")]
            + Expect.view(3_000) + Expect.playheads(from: 4_000, 1...1, "ad")
            + Expect.playheads(from: 4_950, 2...2, "ad") + [Expect.stop(4_950)] + Expect.final(4_950, 2)
            + [Expect.end(5_100)]
    )

    static let lastSecondOfSkippedAd = Scenario(
        "a skipped ad has not come to its end: a second that was not played in full does not count",
        tracker: Setup.tracker(),
        steps: adAlone + [.at(2_990, .adSkip), .at(3_000, .adStart(4)), .at(4_990, .unload)],
        expected: adBegun + Expect.playheads(from: 1_000, 1...2, "ad") + [Expect.stop(2_990)]
            + Expect.final(2_990, 2) + [Expect.load(3_000, "ad", "ad-4"), Expect.first(3_000, 0, "ad")]
            + Expect.view(3_000) + Expect.playheads(from: 4_000, 1...1, "ad") + [Expect.stop(4_990)]
            + Expect.final(4_990, 1) + [Expect.end(4_990)]
    )

    static let lastSecondAtPause = Scenario(
        "a pause is not the end of an ad: the second that it breaks off does not count",
        tracker: Setup.tracker(),
        steps: adAlone + [.at(2_990, .pause), .at(4_000, .adComplete), .at(4_100, .unload)],
        expected: adBegun + Expect.playheads(from: 1_000, 1...2, "ad") + [Expect.stop(2_990)]
            + Expect.final(2_990, 2) + [Expect.end(4_100)]
    )

    private static func inBreak(_ type: String, _ rest: [Scenario.Step]) -> [Scenario.Step] {
        [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_400, .show(.adBreakType(type))),
            .at(2_400, .adBreakStart), .at(2_400, .adStart(7)),
        ] + rest
    }

    private static func begun(_ type: String) -> [Scenario.Expected] {
        [Expect.started(), Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0)]
            + Expect.view(0) + Expect.playheads(from: 1_000, 1...2)
            + [Expect.load(2_400, type, "ad-7"), Expect.first(2_400, 0, type)] + Expect.view(2_400, ["ad": "1"])
            + Expect.playheads(from: 3_400, 1...1, type)
    }

    static let endedByBreak = Scenario(
        "an ad that only the end of its break ends is complete there",
        tracker: Setup.tracker(),
        steps: inBreak("mid", [.at(4_390, .adBreakComplete), .at(5_500, .unload)]),
        expected: begun("midroll") + Expect.playheads(from: 4_390, 2...2, "midroll") + [Expect.stop(4_390)]
            + Expect.final(4_390, 2, ["ad": "1"])
            // The synthetic player's position runs on during the ad.
            + [Expect.load(4_390, "content", "asset-1"), Expect.first(4_390, 4)]
            + Expect.playheads(from: 5_390, 5...5) + [Expect.end(5_500)]
            + Expect.final(5_500, 3, ["ad": "0", "c51": "adl,2", "c52": "noad,1"])
    )

    /// A postroll whose ad was viewed for one second.
    private static let afterPostroll: [Scenario.Expected] =
        begun("postroll") + [Expect.stop(3_600)] + Expect.final(3_600, 1, ["ad": "1"])

    private static let postroll = inBreak("post", [.at(3_600, .adComplete), .at(3_600, .adBreakComplete)])

    /// The content stands while an ad is shown, as in a player with media.
    private static let stand = PlayerAction.call(
        PlayerCall("stand") { player, _ in player.change { $0.moving = false } }
    )

    static let postrollBeforeComplete = Scenario(
        "a postroll comes before complete: no content is loaded after it, and end has what was viewed",
        tracker: Setup.tracker(),
        steps: postroll + [
            .at(3_600, stand), .at(3_700, .sample), .at(3_950, .sample), .at(4_200, .complete), .at(4_300, .unload),
        ],
        expected: afterPostroll + [Expect.end(4_200)] + Expect.final(4_200, 2, ["c51": "adl,1", "c52": "noad,1"])
    )

    static let contentAfterPostroll = Scenario(
        "after a postroll the content is loaded when its playhead moves on all the same",
        tracker: Setup.tracker(),
        steps: postroll + [.at(3_700, .sample), .at(3_950, .sample), .at(5_000, .unload)],
        // The synthetic player's position runs on during the ad.
        expected: afterPostroll + [Expect.load(3_950, "content", "asset-1"), Expect.first(3_950, 3)]
            + Expect.playheads(from: 4_950, 4...4) + [Expect.end(5_000)] + Expect.final(5_000, 3)
    )

    static let seekAfterPostroll = Scenario(
        "after a postroll the content is loaded when the viewer seeks back into it",
        tracker: Setup.tracker(),
        steps: postroll + [.at(3_700, .seekStart(to: 1)), .at(4_000, .seekComplete), .at(5_100, .unload)],
        expected: afterPostroll + [Expect.load(4_000, "content", "asset-1"), Expect.first(4_000, 1)]
            + Expect.playheads(from: 5_000, 2...2) + [Expect.end(5_100)] + Expect.final(5_100, 3)
    )

    static let playAfterPostroll = Scenario(
        "played again after a postroll and the end, the content begins anew",
        tracker: Setup.tracker(),
        steps: postroll + [.at(3_700, .complete), .at(4_000, .play), .at(5_100, .unload)],
        expected: afterPostroll + [Expect.end(3_700)] + Expect.final(3_700, 2)
            + [Expect.play(4_000), Expect.load(4_000, "content", "asset-1"), Expect.first(4_000, 3)]
            + Expect.view(4_000) + Expect.playheads(from: 5_000, 4...4) + [Expect.end(5_100)]
            + Expect.final(5_100, 1)
    )
}
