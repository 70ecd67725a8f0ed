extension EventTimeline {
    /// Sessions as the specification has them.
    static let sessions: [EventTimeline] = [
        EventTimeline(
            "a film with a stall, a pause, a seek, and its end",
            [
                "0 init -1 -1",
                #"10 metadata -1 -1 {"live":false,"contentId":"film","contentUrl":"https://u:p@cdn.example/m?t=1"}"#,
                "20 loading 0 -1",
                "900 loaded 0 60000",
                "1000 playing 0 60000",
                #"1500 bitrate_changed 500 60000 {"bitrate":2400,"width":1280,"height":720,"audioBitrate":128}"#,
                "6000 heartbeat 5000 60000",
                "7000 buffering 6000 60000",
                "9000 buffered 6000 60000",
                "10000 paused 7000 60000",
                "20000 playing 7000 60000",
                "21000 seeking 8000 60000",
                "21500 seeked 50000 60000",
                #"22000 warning 50500 60000 {"code":"W1","category":"net","data":{"a":1}}"#,
                #"23000 metadata 51000 60000 {"contentTitle":"A film"}"#,
                #"31500 stopped 60000 60000 {"reason":"ended"}"#,
            ],
            makes: [
                "0 player_ready",
                "20 video_load video_id=film video_url=https://cdn.example/m stream_type=vod",
                "900 custom custom_name=loaded",
                "1000 play",
                "1000 first_frame",
                "1500 rendition_change rendition_bitrate_bps=2400000 rendition_width=1280 rendition_height=720 "
                    + "epas_audio_bitrate_bps=128000",
                "6000 quality_sample",
                "6000 playhead_sample at=5000",
                "7000 buffer_start buffer_cause=stall",
                "9000 buffer_complete",
                "10000 pause",
                "20000 play",
                "21000 seek_start seek_from_ms=8000",
                "21500 seek_complete seek_to_ms=50000",
                #"22000 player_error error_id=W1 error_domain=net error_fatal=false error_context={"a":1}"#,
                "23000 metadata_change video_id=film video_name=A film video_url=https://cdn.example/m stream_type=vod",
                "31500 complete",
                "31500 video_unload epas_reason=ended",
            ]
        ),
        EventTimeline(
            "an error ends playback when the session stops behind it",
            [
                "0 init -1 -1", "10 loading 0 -1", "1000 playing 0 60000",
                #"3000 error 2000 60000 {"code":"404","category":"network","message":"gone"}"#,
                "3200 stopped 2000 60000 {\"reason\":\"error\"}",
            ],
            makes: [
                "0 player_ready", "10 video_load", "1000 play", "1000 first_frame",
                "3000 player_error error_code=404 error_message=gone error_domain=network error_fatal=true",
                "3200 video_unload epas_reason=error",
            ]
        ),
        EventTimeline(
            "an error behind which nothing comes ends playback, and silence the session",
            ["0 init -1 -1", "10 loading 0 -1", "1000 playing 0 60000", "3000 error 2000 60000 {\"code\":\"E\"}"],
            makes: [
                "0 player_ready", "10 video_load", "1000 play", "1000 first_frame",
                "3000 player_error error_id=E error_fatal=true", "3000 video_unload ended_by=timeout",
            ]
        ),
        EventTimeline(
            "a live stream has the time since 1970 as its playhead, and no length",
            [
                "0 init -1 -1", #"5 metadata -1 -1 {"live":true}"#, "10 loading -1 -1", "1000 playing -1 -1",
                "6000 heartbeat 1789999990000 7200000", "7000 stopped -1 -1 {\"reason\":\"aborted\"}",
            ],
            makes: [
                "0 player_ready", "10 video_load stream_type=live", "1000 play", "1000 first_frame",
                "6000 quality_sample", "6000 playhead_sample wall=1789999990000",
                "7000 video_unload epas_reason=aborted",
            ],
            unit: nil
        ),
        EventTimeline(
            "a seek and a stop cut a wait off; waiting in a seek and at the start is named so",
            [
                "0 init -1 -1", "10 loading 0 -1", "20 buffering 0 -1", "900 buffered 0 60000", "1000 playing 0 60000",
                "5000 buffering 4000 60000", "6000 seeking 4000 60000", "6100 buffering 4000 60000",
                "7000 seeked 30000 60000", "9000 buffering 32000 60000",
                "9500 stopped 32000 60000 {\"reason\":\"aborted\"}",
            ],
            makes: [
                "0 player_ready", "10 video_load", "20 buffer_start buffer_cause=initial", "900 buffer_complete",
                "1000 play", "1000 first_frame", "5000 buffer_start buffer_cause=stall", "6000 buffer_complete",
                "6000 seek_start seek_from_ms=4000", "6100 buffer_start buffer_cause=seek", "7000 buffer_complete",
                "7000 seek_complete seek_to_ms=30000", "9000 buffer_start buffer_cause=stall",
                "9500 video_unload epas_reason=aborted",
            ]
        ),
    ]

    /// What player libraries do otherwise.
    static let players: [EventTimeline] = [
        EventTimeline(
            "web: seconds with fractions, heartbeats in a pause, members of its own",
            [
                "0 init -1 -1", "10 loading -1 -1", "900 loaded -1 634.5667", "1000 playing 0.04 634.5667",
                "31000 heartbeat 30.04 634.5667", "40000 paused 39.04 634.5667", "61000 heartbeat 39.04 634.5667",
                #"62000 stopped 39.04 634.5667 {"reason":"aborted"}"#,
            ],
            makes: [
                "0 player_ready", "10 video_load", "900 custom custom_name=loaded", "1000 play", "1000 first_frame",
                "31000 quality_sample", "31000 playhead_sample at=30040", "40000 pause", "61000 quality_sample",
                "62000 video_unload epas_reason=aborted",
            ],
            unit: nil
        ),
        EventTimeline(
            "Android: waits at the start and in seeks, playing twice, a seek without an end, its own words",
            [
                "0 init 0 -9223372036854775807", #"5 metadata 0 0 {"deviceModel":"Android TV"}"#, "10 loading 0 0",
                "20 buffering 0 0", "900 playing 0 60000", "910 playing 0 60000",
                #"950 bitrate_changed 0 60000 {"bitrate":0}"#,
                #"960 bitrate_changed 0 60000 {"bitrate":0,"width":640,"height":360}"#,
                "5000 seeking 4000 60000", "5010 buffering 4000 60000", "6000 playing 40000 60000",
                "8000 paused 42000 60000", "8100 seeking 42000 60000", "8200 paused 10000 60000",
                "9000 playing 10000 60000", #"12000 stopped 60000 60000 {"reason":"Playback ended"}"#,
            ],
            makes: [
                "0 player_ready", "10 video_load epas_device_model=Android TV", "20 buffer_start buffer_cause=initial",
                "900 buffer_complete", "900 play", "900 first_frame",
                "960 rendition_change rendition_phase=visible rendition_width=640 rendition_height=360",
                "5000 seek_start seek_from_ms=4000", "5010 buffer_start buffer_cause=seek", "6000 buffer_complete",
                "6000 seek_complete seek_to_ms=40000", "8000 pause", "8100 seek_start seek_from_ms=42000",
                "8200 seek_complete seek_to_ms=10000", "9000 play", "12000 complete",
                "12000 video_unload epas_reason=Playback ended",
            ]
        ),
        EventTimeline(
            "Swift: bit/s, errors that end nothing, no code, a seek that says where it goes, jumps, no reason",
            [
                "0 init 0 0", "10 loading 0 0", "1000 playing 0 60000",
                #"1500 bitrate_changed 500 60000 {"bitrate":2400000.5}"#, "3000 error 2000 60000 {}",
                "4000 heartbeat 3000 60000", "5000 seeking 30000 60000", "5500 seeked 30000 60000",
                "8500 seeked 50000 60000", "9000 report 50500 60000 {\"size\":1}",
                "10000 stopped 51500 60000 {\"reason\":null}",
            ],
            makes: [
                "0 player_ready", "10 video_load", "1000 play", "1000 first_frame",
                "1500 rendition_change rendition_bitrate_bps=2400001", "3000 player_error error_fatal=false",
                "4000 quality_sample", "4000 playhead_sample at=3000",
                "5000 seek_start seek_from_ms=4000 seek_to_ms=30000", "5500 seek_complete seek_to_ms=30000",
                "8500 seek_start seek_from_ms=33000", "8500 seek_complete seek_to_ms=50000",
                "9000 custom custom_name=report", "10000 video_unload",
            ]
        ),
        EventTimeline(
            "the end of a seek that comes behind the end of waiting in it is told once",
            [
                "0 loading 0 0", "1000 playing 0 60000", "2000 seeking 1000 60000", "2100 buffering 1000 60000",
                "3000 buffered 30000 60000", "3100 seeked 30000 60000", "4000 stopped 31000 60000 {}",
            ],
            makes: [
                "0 video_load", "1000 play", "1000 first_frame", "2000 seek_start seek_from_ms=1000",
                "2100 buffer_start buffer_cause=seek", "3000 buffer_complete", "3000 seek_complete seek_to_ms=30000",
                "4000 video_unload",
            ]
        ),
        EventTimeline(
            "a session whose beginning got lost has one all the same",
            [
                "0 heartbeat 5000 60000", "5000 heartbeat 10000 60000", "6000 pause 11000 60000",
                "7000 resume 11000 60000", "8000 stopped 12000 60000 {\"reason\":\"unknown\"}",
            ],
            makes: [
                "0 video_load epas_joined=true", "0 quality_sample", "5000 play", "5000 first_frame",
                "5000 quality_sample", "5000 playhead_sample at=10000", "6000 pause", "7000 play",
                "8000 video_unload epas_reason=unknown",
            ]
        ),
        EventTimeline(
            "whole seconds of a short clip are seen by two heartbeats, and are no playhead before",
            [
                "0 init 0 0", "10 loading 0 0", "1000 playing 0 30", "6000 heartbeat 5 30", "11000 heartbeat 10 30",
                "12000 stopped 11 30 {\"reason\":\"aborted\"}",
            ],
            makes: [
                "0 player_ready", "10 video_load", "1000 play", "1000 first_frame", "6000 quality_sample",
                "11000 quality_sample", "11000 playhead_sample at=10000", "12000 video_unload epas_reason=aborted",
            ],
            unit: nil
        ),
    ]
}
