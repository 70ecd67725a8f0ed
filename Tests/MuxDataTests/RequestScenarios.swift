import EventModel
import Tally
import TallyTesting

/// What the tracker says of the player's requests.
enum RequestScenarios {
    static let all: [Scenario] = [requests, requestsByDefault, renditionLists]

    static let requests = Scenario(
        "A request tells when it was asked, answered and complete; throughput counts from the answer's begin",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load),
            .at(
                1_000,
                Act.call { _, run in
                    var request = NetworkRequest()
                    request.url = "https://media.example/1.ts"
                    request.host = "media.example"
                    request.type = "media"
                    request.id = "r-1"
                    request.bytes = 50_000
                    request.duration = 0.5
                    request.firstByte = 0.1
                    request.mediaStart = 12
                    request.mediaDuration = 6.006
                    request.bitrate = 800_000
                    request.width = 640
                    request.height = 360
                    run.trackRequestCompleted(request)
                }
            ),
            .at(
                2_000,
                Act.call { _, run in
                    var request = NetworkRequest()
                    request.bytes = 10_000
                    request.duration = 0.2
                    run.trackRequestCompleted(request)
                }
            ),
            .at(3_000, .requestFailed(status: 404)), .at(4_000, .requestCancelled), .at(5_000, .unload),
        ],
        expected: Says.opening() + [
            .at(
                1_000,
                "requestcompleted",
                [
                    "request_start": .int(1_700_000_000_500), "request_response_start": .int(1_700_000_000_600),
                    "request_response_end": .int(1_700_000_001_000), "request_bytes_loaded": .int(50_000),
                    "request_type": .string("media"), "request_hostname": .string("media.example"),
                    "request_id": .string("r-1"), "request_url": .string("https://media.example/1.ts"),
                    "request_labeled_bitrate": .int(800_000), "request_media_duration": .double(6.006),
                    "request_media_start_time": .double(12), "request_video_width": .int(640),
                    "request_video_height": .int(360), "view_request_count": .int(1),
                    "view_min_request_throughput": .int(1_000_000),
                    "view_average_request_throughput": .int(1_000_000), "view_max_request_latency": .int(100),
                    "view_average_request_latency": .int(100),
                ]
            ),
            .at(
                2_000,
                "requestcompleted",
                [
                    "view_min_request_throughput": .int(400_000), "view_average_request_throughput": .int(800_000),
                    "request_start": .int(1_700_000_001_800),
                ],
                lacks: ["request_response_start", "request_url", "request_type"]
            ),
            .at(
                3_000,
                "requestfailed",
                [
                    "request_error": .string("HTTP 404"), "request_error_code": .int(404),
                    "view_request_failed_count": .int(1),
                ]
            ),
            .at(
                4_000,
                "requestcanceled",
                ["request_cancel": .bool(true), "view_request_canceled_count": .int(1)],
                lacks: ["request_error"]
            ), .at(5_000, "viewend", ["view_request_count": .int(4)]), .at(5_000, "beacon"),
        ]
    )

    static let requestsByDefault = Scenario(
        "A request without times and bytes is counted and measures nothing",
        tracker: Mux.selection(),
        steps: [.at(0, .load), .at(500, .requestCompleted(bytes: 0)), .at(1_000, .unload)],
        expected: Says.opening() + [
            .at(
                500,
                "requestcompleted",
                ["view_request_count": .int(1)],
                lacks: ["view_min_request_throughput", "view_max_request_latency", "request_start"]
            ), .at(1_000, "viewend"), .at(1_000, "beacon"),
        ]
    )

    static let renditionLists = Scenario(
        "A manifest request carries the renditions that are known; the application's own list wins",
        tracker: Mux.selection(),
        steps: [
            .at(0, .load),
            .at(
                100,
                Act.rendition {
                    $0.phase = .decided
                    $0.bitrate = 800_000
                    $0.width = 640
                    $0.height = 360
                    $0.framesPerSecond = 25
                    $0.codec = "avc1.4d401e"
                    $0.name = "360p"
                }
            ),
            .at(
                200,
                Act.call { _, run in
                    var request = NetworkRequest()
                    request.type = "manifest"
                    run.trackRequestCompleted(request)
                }
            ), .at(1_000, .unload),
        ],
        expected: Says.opening() + [
            .at(
                200,
                "requestcompleted",
                [
                    "request_rendition_lists": .string(
                        #"[{"name":"360p","width":640,"height":360,"fps":25,"bitrate":800000,"codec":"avc1.4d401e"}]"#
                    )
                ]
            ), .at(1_000, "viewend"), .at(1_000, "beacon"),
        ]
    )
}
