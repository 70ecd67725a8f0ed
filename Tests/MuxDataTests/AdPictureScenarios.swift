import EventModel
import Tally
import TallyTesting

/// Whose picture it is during an ad: the state holds what is shown, the source is the content's.
enum AdPictureScenarios {
    static let all: [Scenario] = [adPicture, adWithoutBreak, renditionInBreak, renditionAndBack, joinsInAd]

    private static func picture(
        width: Int32,
        height: Int32,
        bitrate: Int64,
        framesPerSecond: Double = 25
    ) -> PlayerAction {
        Act.show {
            $0.bitrate = bitrate
            $0.framesPerSecond = framesPerSecond
            $0.moreOfQuality = { $0.size(width: width, height: height) }
            $0.moreOfState = { $0.playerSize(width: 640, height: 360) }
        }
    }

    private static let content = picture(width: 640, height: 360, bitrate: 2_000_000)
    private static let ad = picture(width: 160, height: 90, bitrate: 300_000, framesPerSecond: 15)

    private static let source: [String: PlainValue] = [
        "video_source_width": .int(640), "video_source_height": .int(360), "video_source_bitrate": .int(2_000_000),
        "video_source_fps": .double(25),
    ]

    static let adPicture = Scenario(
        "During an ad the source is the content's, and the ad's small picture is no upscaling",
        tracker: Mux.selection(),
        steps: [
            .at(0, content), .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, .sample),
            .at(2_000, .adBreakStart), .at(2_000, ad), .at(2_000, .adStart(1)), .at(3_000, .sample),
            .at(3_500, .quality), .at(4_000, .adQuartile(.first)), .at(5_000, .adComplete), .at(5_000, content),
            .at(5_000, .adBreakComplete), .at(7_000, .sample), .at(7_000, .pause), .at(8_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing", source), .at(2_000, "pause"), .at(2_000, "adbreakstart", source),
            .at(2_000, "adplay", source), .at(2_000, "adplaying", source),
            .at(3_500, "data", ["view_dropped_frame_count": .int(1)], lacks: ["video_source_width"]),
            .at(4_000, "adfirstquartile", source), .at(5_000, "adended", source), .at(5_000, "adbreakend", source),
            .at(5_000, "play", source), .at(5_000, "playing", source),
            .at(7_000, "pause", ["view_max_upscale_percentage": .double(0), "view_total_upscaling": .double(0)]),
        ] + Says.end(8_000, ["upscale_percentage": .double(0), "video_quality_score": .double(100)])
    )

    static let adWithoutBreak = Scenario(
        "An ad outside a break brings its own picture as little",
        tracker: Mux.selection(),
        steps: [
            .at(0, content), .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(2_000, ad), .at(2_000, .adStart(1)),
            .at(3_000, .adComplete), .at(3_000, content), .at(4_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(2_000, "pause", source), .at(2_000, "adbreakstart", source), .at(2_000, "adplay"),
            .at(2_000, "adplaying"), .at(3_000, "adended"), .at(3_000, "adbreakend"), .at(3_000, "play"),
            .at(3_000, "playing", source),
        ] + Says.end(4_000)
    )

    static let renditionInBreak = Scenario(
        "Renditions that change within a break are one change, after it",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(1_000, Act.rendition { $0.bitrate = 2_000_000 }), .at(2_000, .adBreakStart), .at(2_000, .adStart(1)),
            .at(2_500, .rendition(bitrate: 900_000, shift: .down, phase: .visible)),
            .at(2_700, .rendition(bitrate: 5_000_000, shift: .up, phase: .decided)),
            .at(3_000, .rendition(bitrate: 1_200_000, shift: .up, phase: .visible)), .at(4_000, .adComplete),
            .at(4_000, .adBreakComplete), .at(5_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(1_000, "data"), .at(1_000, "renditionchange"), .at(2_000, "pause"),
            .at(2_000, "adbreakstart"), .at(2_000, "adplay"), .at(2_000, "adplaying"),
            .at(4_000, "adended", ["video_source_bitrate": .int(2_000_000)]),
            .at(4_000, "adbreakend", ["video_source_bitrate": .int(2_000_000)]),
            .at(4_000, "data", ["video_source_bitrate": .int(1_200_000)]),
            .at(4_000, "renditionchange", ["video_source_bitrate": .int(1_200_000)], lacks: ["ad_type"]),
            .at(4_000, "play", ["video_source_bitrate": .int(1_200_000)]), .at(4_000, "playing"),
        ] + Says.end(5_000)
    )

    static let renditionAndBack = Scenario(
        "A rendition that is the old one again at the break's end has not changed",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(0, .play), .at(0, .firstFrame),
            .at(1_000, Act.rendition { $0.bitrate = 2_000_000 }), .at(2_000, .adBreakStart),
            .at(2_500, Act.rendition { $0.bitrate = 900_000 }), .at(3_000, Act.rendition { $0.bitrate = 2_000_000 }),
            .at(4_000, .adBreakComplete), .at(5_000, .unload),
        ],
        expected: Says.opening() + Says.start(0) + [
            .at(0, "playing"), .at(1_000, "data"), .at(1_000, "renditionchange"), .at(2_000, "pause"),
            .at(2_000, "adbreakstart"), .at(4_000, "adbreakend"), .at(4_000, "play"), .at(4_000, "playing"),
        ] + Says.end(5_000)
    )

    static let joinsInAd = Scenario(
        "A tracker that joins in an ad does not take the ad's picture for the content's",
        tracker: Mux.selection(),
        steps: [
            .at(0, .disable("mux")), .at(0, content), .at(0, .load), .at(0, .play), .at(0, ad), .at(0, .adBreakStart),
            .at(0, .adStart(1)), .at(3_000, .enable("mux")), .at(4_000, content), .at(4_000, .adBreakComplete),
            .at(4_500, .sample), .at(5_000, .unload),
        ],
        expected: [
            .at(3_000, "globaldata"), .at(3_000, "viewinit", lacks: ["video_source_width", "video_source_bitrate"]),
            .at(3_000, "data"), .at(3_000, "playerready"), .at(3_000, "viewstart"), .at(3_000, "beacon"),
            .at(3_000, "adbreakstart"), .at(3_000, "adplay"), .at(3_000, "adplaying", lacks: ["video_source_width"]),
            .at(4_000, "adended"), .at(4_000, "adbreakend"), .at(4_000, "play"), .at(4_500, "data", source),
            .at(4_500, "playing", source),
        ] + Says.end(5_000)
    )
}
