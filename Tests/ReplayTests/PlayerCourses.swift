import Testing

/// A course, and the rules that it breaks with the lines.
struct PlayerCourse: Sendable, CustomTestStringConvertible {
    let name: String
    let calls: [String]
    let finds: [String]
    var hasEnd = true
    var testDescription: String { name }

    init(_ name: String, _ calls: [String], finds: [String], hasEnd: Bool = true) {
        self.name = name
        self.calls = calls
        self.finds = finds
        self.hasEnd = hasEnd
    }
}

extension PlayerCourse {
    static let load = #"0 video_load - "attributes":{"video_id":"film"}"#
    static let begin = [load, "1000 play", "2000 first_frame 0"]

    /// Samples from a time and a place on, one in 500 ms.
    private static func samples(_ time: Int, _ playhead: Int, _ count: Int, step: Int = 500) -> [String] {
        (0..<count).map { "\(time + $0 * 500) playhead_sample \(playhead + $0 * step)" }
    }

    static let unload = ["then video_unload"]

    /// What a good player says; none of it is found.
    static let good: [PlayerCourse] = [
        PlayerCourse("a viewing", begin + samples(2500, 500, 20) + ["13000 complete 11000"] + unload, finds: []),
        PlayerCourse(
            "left in a stall",
            begin + samples(2500, 500, 20) + ["12500 buffer_start 10500"] + unload,
            finds: []
        ),
        PlayerCourse(
            "a seek with waiting in it, of which samples come late",
            begin + samples(2500, 500, 20) + ["12500 seek_start 10500", "12510 buffer_start 10500"]
                + ["12600 playhead_sample 10500", "12800 playhead_sample 50000", "14000 buffer_complete 50000"]
                + ["14000 seek_complete 50000"] + samples(14500, 50500, 10) + unload,
            finds: []
        ),
        PlayerCourse(
            "a pause of a minute, and a break of ads",
            begin + samples(2500, 500, 8) + ["6500 pause 4500", "70000 play 4500"] + samples(70500, 5000, 4)
                + ["72500 ad_break_start 6500", "72500 ad_start", "90000 ad_complete", "90000 ad_break_complete"]
                + samples(90500, 7000, 4) + ["99000 video_unload"],
            finds: []
        ),
        PlayerCourse(
            "another viewing behind the end, by a seek",
            begin + samples(2500, 500, 4) + ["4500 complete 2500", "5000 seek_start 2500", "5100 seek_complete 0"]
                + ["5200 play 0"] + samples(5700, 500, 8) + unload,
            finds: []
        ),
        PlayerCourse(
            "sparse samples of a player elsewhere",
            begin + (0..<6).map { "\(2000 + $0 * 30_000) playhead_sample \($0 * 30_000)" } + ["152000 video_unload"],
            finds: []
        ),
    ]

    /// What a player should not say: each has one fault.
    static let faulty: [PlayerCourse] = [
        PlayerCourse("no load", ["0 play", "10 first_frame 0", "20 pause"], finds: ["play-without-load:2"]),
        PlayerCourse("no unload", begin, finds: ["session-without-unload:2"]),
        PlayerCourse(
            "a second load",
            begin + [load.replacing("0 ", with: "5000 ", maxReplacements: 1)] + unload,
            finds: ["session-without-unload:2"]
        ),
        PlayerCourse("no end", begin + unload, finds: ["run-without-end:5"], hasEnd: false),
        PlayerCourse("no id", ["0 video_load"] + unload, finds: ["load-without-video-id:2"]),
        PlayerCourse(
            "a stall goes on",
            begin + ["3000 buffer_start 1000"] + samples(3500, 1000, 6) + unload,
            finds: ["buffer-without-end:5"]
        ),
        PlayerCourse(
            "two stalls",
            begin + ["3000 buffer_start", "4000 buffer_start", "5000 buffer_complete"] + unload,
            finds: ["buffer-without-end:5"]
        ),
        PlayerCourse(
            "a seek goes on",
            begin + ["3000 seek_start 1000"] + samples(3500, 30_000, 6) + unload,
            finds: ["seek-without-end:5"]
        ),
        PlayerCourse(
            "a pause in a pause",
            begin + ["3000 pause", "4000 pause"] + unload,
            finds: ["pause-while-paused:6"]
        ),
        PlayerCourse(
            "a second first frame",
            begin + ["3000 first_frame 1000"] + unload,
            finds: ["first-frame-twice:5"]
        ),
        PlayerCourse(
            "an ad without a break",
            begin + ["3000 ad_start", "4000 ad_complete"] + unload,
            finds: ["ad-outside-break:5"]
        ),
        PlayerCourse(
            "an ad within an ad",
            begin + ["3000 ad_break_start", "3000 ad_start", "4000 ad_start", "5000 ad_complete"]
                + ["5000 ad_break_complete"] + unload,
            finds: ["ad-without-end:6"]
        ),
        PlayerCourse(
            "a break ends before its ad",
            begin + ["3000 ad_break_start", "3000 ad_start", "4000 ad_break_complete"]
                + unload,
            finds: ["ad-without-end:6"]
        ),
        PlayerCourse(
            "a break goes on",
            begin + ["3000 ad_break_start 1000"] + samples(3500, 1000, 6) + unload,
            finds: ["ad-break-without-end:5"]
        ),
        PlayerCourse(
            "back without a seek",
            begin + samples(2500, 20_500 - 20_000, 6) + ["5500 playhead_sample 0"] + unload,
            finds: ["playhead-goes-back:11"]
        ),
        PlayerCourse(
            "far without a seek",
            begin + samples(2500, 500, 6) + ["5500 playhead_sample 30000"] + unload,
            finds: ["playhead-jumps:11"]
        ),
        PlayerCourse(
            "no samples for a while",
            begin + samples(2500, 500, 6) + samples(25_000, 23_000, 4) + ["60000 video_unload"],
            finds: ["samples-stop:11", "samples-stop:15"]
        ),
        PlayerCourse(
            "play behind the end",
            begin + ["5000 complete 3000", "6000 play 3000"] + unload,
            finds: ["event-after-complete:6"]
        ),
        PlayerCourse(
            "it plays on behind the end",
            begin + ["5000 complete 3000"] + samples(5500, 3500, 6) + unload,
            finds: ["event-after-complete:8"]
        ),
        PlayerCourse(
            "seconds for milliseconds",
            begin + (0..<15).map { "\(2500 + $0 * 500) playhead_sample \($0 / 2)" } + ["10000 pause 7"] + unload,
            finds: ["playhead-in-seconds:15"]
        ),
        PlayerCourse(
            "a duration in seconds",
            [load, "1000 play", #"2000 first_frame - "state":{"playhead_ms":0,"duration_ms":600}"#]
                + samples(2500, 500, 6) + ["5500 pause"] + unload,
            finds: ["playhead-beyond-duration:10"]
        ),
        PlayerCourse(
            "a fatal error that is none",
            begin + [#"3000 player_error - "attributes":{"error_fatal":true}"#] + samples(3500, 1500, 6) + unload,
            finds: ["playback-after-fatal-error:5"]
        ),
        PlayerCourse(
            "words that nobody knows, each told once",
            begin + [
                "2500 pluy 500", #"2600 playhead_sample - "state":{"playhead_ms":600,"playhed_ms":1},"color":1"#,
                "2700 pluy 700", #"2800 playhead_sample - "state":{"playhead_ms":800,"playhed_ms":1}"#,
                #"2900 custom - "attributes":{"custom_name":"x","any_name":1}"#,
            ] + unload,
            finds: ["unknown-event:5", "unknown-member:6"]
        ),
    ]
}
