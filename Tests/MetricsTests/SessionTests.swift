import ChildPrograms
import TestFiles
import Testing
import TextEncoding

/// One session whose figures were worked out by hand.
@Suite("The metrics of a session")
struct SessionTests {
    /// A video of ten minutes whose frames have a wall clock, over 200 s, with the clock set and a sleep.
    ///
    /// - Startup: asked for at 1 s, first frame at 4 s, of that 1 s of an ad: 2 s, with the ad 3 s.
    /// - Playing: 0-50 s of the content at 4-54 s, 300-310 s at 55-65 s, 40-44 s at 66-70 s, and 41-67 s from
    ///   70 s on, in which the machine sleeps for 100 s from 76 s on, so that it ends at 196 s.
    /// - Minutes: 0, 5, then 0 again, once more when it goes back within it, and 1. Those between 1 and 5 are skipped.
    private static let lines = [
        #""tally":{"format":1,"semantics":2,"core":"1.0.0","epoch_us":1700000000000000,"trackers":[]}"#,
        #""t_us":0,"event":"video_load","state":{"rate_milli":1000,"duration_ms":600000,"bitrate_bps":3000000,"height":720},"attributes":{"video_id":"v","user_id":"u","app_region":"north"}"#,
        #""t_us":1000000,"event":"play""#,
        #""t_us":1000000,"event":"ad_error""#,
        #""t_us":1000000,"event":"ad_break_start""#,
        #""t_us":1500000,"event":"ad_start""#,
        #""t_us":2000000,"event":"ad_skip""#,
        #""t_us":2000000,"event":"ad_break_complete""#,
        #""t_us":4000000,"event":"first_frame","state":{"playhead_ms":0,"live_wall_ms":1699999999000}"#,
        #""t_us":10000000,"event":"clock_step","attributes":{"step_us":5000000}"#,
        #""t_us":14000000,"event":"playhead_sample","state":{"playhead_ms":10000,"live_wall_ms":1700000009000}"#,
        #""t_us":24000000,"event":"rendition_change","state":{"playhead_ms":20000,"bitrate_bps":1000000,"height":360},"attributes":{"rendition_phase":"visible","rendition_shift":"down"}"#,
        #""t_us":44000000,"event":"rendition_change","state":{"playhead_ms":40000},"attributes":{"rendition_phase":"decided","rendition_shift":"up"}"#,
        #""t_us":54000000,"event":"seek_start","state":{"playhead_ms":50000,"dropped_frames":3,"rendered_frames":997},"attributes":{"seek_from_ms":50000,"seek_to_ms":300000}"#,
        #""t_us":55000000,"event":"seek_complete","state":{"playhead_ms":300000}"#,
        #""t_us":65000000,"event":"seek_start","state":{"playhead_ms":310000},"attributes":{"seek_from_ms":310000}"#,
        #""t_us":66000000,"event":"seek_complete","state":{"playhead_ms":40000}"#,
        #""t_us":70000000,"event":"seek_start","state":{"playhead_ms":44000},"attributes":{"seek_from_ms":44000}"#,
        #""t_us":70000000,"event":"seek_complete","state":{"playhead_ms":41000}"#,
        #""t_us":76000000,"event":"playhead_sample","state":{"playhead_ms":47000}"#,
        #""t_us":76000000,"event":"system_suspended","attributes":{"step_us":100000000}"#,
        #""t_us":196000000,"event":"player_error","state":{"playhead_ms":67000},"attributes":{"error_code":404,"error_fatal":true}"#,
        #""t_us":200000000,"event":"video_unload","state":{"playhead_ms":67000}"#,
        #""t_us":200000000,"end":"drained","dropped":0"#,
    ]

    @Test("Times, switches, minutes, latency and the end are those of the script")
    func figures() async throws {
        let folder = TemporaryFolder()
        let text = Self.lines.enumerated().map { "{\"run\":\"hand\",\"n\":\($0),\($1)}\n" }.joined()
        folder.write("hand.tally", text)
        let run = try await ChildProgram.run(
            "tally-replay",
            ["metrics", folder.file("hand.tally"), "--sessions", "--json", "--by", "app_region"]
        )
        try #require(run.code == 0, "\(run.errors)")
        let session = try JSONParser().parse(run.output)
        let expected: [String: JSONValue] = [
            "startup_ms": .int(2_000), "startup_with_ads_ms": .int(3_000), "ad_ms": .int(1_000),
            "play_ms": .int(90_000), "play_wall_ms": .int(94_000), "sleep_ms": .int(100_000),
            "seek_ms": .int(2_000), "seeks": .int(3), "starting_ms": .int(2_000),
            "average_bitrate_bps": .int((20 * 3_000_000 + 70 * 1_000_000) / 90), "peak_bitrate_bps": .int(3_000_000),
            "renditions": .int(1), "switches_up": .int(0), "switches_down": .int(1),
            "dropped_frames": .int(3), "rendered_frames": .int(997),
            "furthest_ms": .int(310_000), "length_ms": .int(600_000), "quartile": .int(2),
            "minutes_watched": .int(3), "minutes_skipped": .int(3), "minutes_replayed": .int(1),
            "ads_asked": .int(2), "ads": .int(1), "ads_skipped": .int(1), "ad_errors": .int(1), "ad_breaks": .int(1),
            "playback_failed": .int(1), "errors": .int(1), "end_reason": .string("playback_failed"),
            "errors_by_code": .object(["404": .int(1)]),
        ]
        for (name, value) in expected { #expect(session[name] == value, "\(name)") }
        #expect(session["minutes"]?.canonicalText == "[[0,3],[1,1],[5,1]]")
        // 5 s at the first frame; 10 s later the clock was set by 5 s, and the stream's has gone on by 10 s.
        let latencies = [5_000, 10_000].map { "[\(Self.bucket($0)),1]" }.joined(separator: ",")
        #expect(session["latency"]?["buckets"]?.canonicalText == "[\(latencies)]")
        #expect(
            session["groups"]?.canonicalText
                == #"{"video_id":"v","rendition":"360p","loaded_day":"2023-11-14","loaded_hour":"2023-11-14T22:00Z","loaded_minute":"2023-11-14T22:13Z","app_region":"north"}"#
        )
    }

    @Test(
        "A cause that the core gives is how a session ended, and one that a player gives is not",
        arguments: [
            (#"{"implicit":true,"cause":"silence"}"#, "silence"), (#"{"implicit":true}"#, "replaced"),
            (#"{"cause":"quit"}"#, "left"), ("{}", "left"),
        ]
    )
    func endReason(attributes: String, expected: String) async throws {
        let folder = TemporaryFolder()
        let lines = [
            Self.lines[0], #""t_us":0,"event":"video_load""#, #""t_us":0,"event":"play""#,
            #""t_us":1000000,"event":"first_frame""#,
            #""t_us":9000000,"event":"video_unload","attributes":\#(attributes)"#,
        ]
        folder.write("hand.tally", lines.enumerated().map { "{\"run\":\"hand\",\"n\":\($0),\($1)}\n" }.joined())
        let run = try await ChildProgram.run(
            "tally-replay",
            ["metrics", folder.file("hand.tally"), "--sessions", "--json"]
        )
        #expect(run.code == 0, "\(run.errors)")
        #expect(try JSONParser().parse(run.output)["end_reason"]?.string == expected)
    }

    /// The smallest bucket whose upper bound is not below the value.
    private static func bucket(_ value: Int) -> Int {
        var (index, bound) = (0, 1.010_889_286_051_700_5)
        while bound < Double(value) { (index, bound) = (index + 1, bound * 1.010_889_286_051_700_5) }
        return index
    }
}
