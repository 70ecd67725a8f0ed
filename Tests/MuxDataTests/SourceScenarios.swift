import EventModel
import Tally
import TallyTesting

/// What the tracker says of where the media comes from, and of what kind of stream it is.
enum SourceScenarios {
    static let all: [Scenario] = [liveByStreamType, onDemandByStreamType, liveByState, requestHosts, sourceHost]

    private static func stream(_ type: String) -> PlayerAction {
        Act.show { $0.videoAnswer = { $0.custom("stream_type", .string(type)) } }
    }

    static let liveByStreamType = Scenario(
        "A player that says of its state nothing is live by the type of its stream",
        tracker: Mux.selection(),
        steps: [.at(0, stream("linear")), .at(0, .load), .at(0, .play), .at(1_000, .unload)],
        expected: [
            .at(0, "globaldata"),
            .at(0, "viewinit", ["video_stream_type": .string("live"), "video_source_is_live": .string("true")]),
            .at(0, "data"), .at(0, "playerready"),
        ] + Says.start(0) + Says.end(1_000)
    )

    static let onDemandByStreamType = Scenario(
        "A player that says of its state nothing is not live by the type of its stream, until that is another one",
        tracker: Mux.selection(),
        steps: [
            .at(0, stream("vod")), .at(0, .load), .at(0, .play), .at(1_000, stream("live")),
            .at(1_000, .metadata(name: "")), .at(2_000, .unload),
        ],
        expected: [
            .at(0, "globaldata"),
            .at(0, "viewinit", ["video_stream_type": .string("on-demand"), "video_source_is_live": .string("false")]),
            .at(0, "data"), .at(0, "playerready"),
        ] + Says.start(0) + [
            .at(1_000, "data", ["video_stream_type": .string("live"), "video_source_is_live": .string("true")])
        ] + Says.end(2_000)
    )

    static let liveByState = Scenario(
        "What the player's state says of live goes before the type that the customer gave the stream",
        tracker: Mux.selection(["customerVideoData": ["videoStreamType": "on-demand"]]),
        steps: [.at(0, Act.show { $0.streamType = .live }), .at(0, .load), .at(1_000, .unload)],
        expected: [
            .at(0, "globaldata"),
            .at(0, "viewinit", ["video_stream_type": .string("on-demand"), "video_source_is_live": .string("true")]),
            .at(0, "data"), .at(0, "playerready"), .at(1_000, "viewend"), .at(1_000, "beacon"),
        ]
    )

    private static func request(_ url: String, host: String? = nil) -> PlayerAction {
        Act.call { _, run in
            var request = NetworkRequest()
            request.url = url
            request.host = host
            run.trackRequestCompleted(request)
        }
    }

    private static func completed(_ time: Int64, _ host: String) -> Scenario.Expected {
        .at(time, "requestcompleted", ["request_hostname": .string(host)])
    }

    static let requestHosts = Scenario(
        "The host of a request is that of its address, unless the player names it",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load), .at(100, request("https://media.example:8443/a.ts")),
            .at(200, request("//edge.example/b.ts?x=//other.example/")), .at(300, request("/c.ts")),
            .at(400, request("seg-1.ts")),
            .at(500, request("https://user:secret@[2001:db8::1]:80/d.ts")),
            .at(600, request("https://media.example/e.ts", host: "pop-7.example")), .at(700, request("a//b/c.ts")),
            .at(1_000, .unload),
        ],
        expected: Says.opening() + [
            completed(100, "media.example"), completed(200, "edge.example"),
            .at(300, "requestcompleted", lacks: ["request_hostname"]),
            .at(400, "requestcompleted", lacks: ["request_hostname"]), completed(500, "[2001:db8::1]"),
            completed(600, "pop-7.example"), .at(700, "requestcompleted", lacks: ["request_hostname"]),
            .at(1_000, "viewend"), .at(1_000, "beacon"),
        ]
    )

    static let sourceHost = Scenario(
        "An address without a scheme has its host and domain, too",
        tracker: Mux.selection(),
        steps: [.at(0, .show(.url("//vod-1.cdn.bbc.co.uk/film.mpd"))), .at(0, .load), .at(1_000, .unload)],
        expected: [
            .at(0, "globaldata"),
            .at(
                0,
                "viewinit",
                [
                    "video_source_url": .string("//vod-1.cdn.bbc.co.uk/film.mpd"),
                    "video_source_hostname": .string("vod-1.cdn.bbc.co.uk"),
                    "video_source_domain": .string("bbc.co.uk"),
                ]
            ), .at(0, "data"), .at(0, "playerready"), .at(1_000, "viewend"), .at(1_000, "beacon"),
        ]
    )
}
