internal import PlayerReports

extension Timeline {
    /// What whole runs make of their reports.
    static let runs: [Timeline] = [
        Timeline(
            "a film with a seek to its end",
            [
                #"0 cid="film-9",e=t,sn=0,st=v,sta=s"#,
                #"840 e=ps,msd=840,sn=1,sta=p"#,
                #"900 br=(2400;v 128;a),e=bc,sn=2"#,
                #"310 d=4000,e=rr,ot=v,rc=200,sn=3,ttfb=45,ttlb=420,url="https://cdn.example/s1.m4s?t=1""#,
                #"9000 e=ps,pt=8100,sn=4,sta=k"#,
                #"9020 e=ps,sn=5,sta=r"#,
                #"9600 e=ps,sn=7,sta=p"#,
                #"30000 bl=(12000),e=t,pt=61000,sn=8,sta=p"#,
                #"41000 e=ps,sn=9,sta=a"#,
                #"41300 e=ps,sn=10,sta=e"#,
            ],
            makes: [
                "0 video_load video_id=film-9 stream_type=vod",
                "0 play",
                "0 quality_sample",
                "730 request_completed request_url=https://cdn.example/s1.m4s request_host=cdn.example request_type=video"
                    + " request_status=200 request_duration_ms=420 request_first_byte_ms=45"
                    + " request_media_duration_ms=4000",
                "840 first_frame startup_time_ms=840",
                "900 rendition_change rendition_phase=decided rendition_bitrate_bps=2528000",
                "9000 seek_start",
                "9020 buffer_start buffer_cause=seek",
                "9600 buffer_complete",
                "9600 seek_complete",
                "30000 playhead_sample at=61000",
                "30000 quality_sample buffer_length_ms=12000",
                "41300 complete",
                "41300 video_unload ended_by=timeout",
            ]
        ),
        Timeline(
            "an ad with a reporter of its own",
            [
                #"-2000 cid="film-9",e=ps,sn=0,sta=s"#,
                #"-1000 cid="film-9",e=ps,sn=1,sta=p"#,
                #"0 cid="film-9",e=abs,nr,sn=2"#,
                #"40 cid="spot-2",e=as,sn=0"#,
                #"70 cid="spot-2",e=ps,sn=1,sta=p"#,
                #"5100 cid="spot-2",e=sk,sn=2"#,
                #"5110 cid="spot-2",e=ae,nr,sn=3"#,
                #"5200 cid="film-9",e=abe,sn=3"#,
            ],
            makes: [
                "-2000 video_load video_id=film-9",
                "-2000 play",
                "-1000 first_frame",
                "0 ad_break_start cmcd_nr=true",
                "40 ad_start ad_id=spot-2",
                "5100 ad_skip",
                "5200 ad_break_complete",
                "5200 video_unload ended_by=timeout",
            ]
        ),
        Timeline(
            "an ad without a break opens one, which ends 5 s behind it or with the content",
            [
                #"0 cid="f",e=ps,sn=0,sta=s"#,
                #"100 cid="x",e=as,sn=0"#, #"200 cid="x",e=ae,sn=1"#,
                #"400 cid="f",e=t,sn=1"#,
                #"500 cid="y",e=as,sn=0"#, #"600 cid="y",e=ae,sn=1"#,
                #"9000 e=t,sn=2"#,
            ],
            makes: [
                "0 video_load video_id=f", "0 play",
                "100 ad_break_start", "100 ad_start ad_id=x", "200 ad_complete",
                "400 ad_break_complete", "400 quality_sample",
                "500 ad_break_start", "500 ad_start ad_id=y", "600 ad_complete",
                "5600 ad_break_complete", "9000 quality_sample", "9000 video_unload ended_by=timeout",
            ]
        ),
        Timeline(
            "joined midway",
            ["0 e=t,sn=70,sta=a,pt=5000"],
            makes: [
                "0 video_load cmcd_joined=true", "0 play", "0 first_frame", "0 pause", "0 playhead_sample at=5000",
                "0 quality_sample", "0 video_unload ended_by=timeout",
            ]
        ),
        Timeline(
            "the start delay says since when it played",
            ["2000 e=ps,sn=3,sta=p,msd=900,cid=\"f\""],
            makes: [
                "1100 video_load video_id=f cmcd_joined=true startup_time_ms=900",
                "1100 play startup_time_ms=900", "2000 first_frame startup_time_ms=900",
                "2000 video_unload ended_by=timeout",
            ]
        ),
        Timeline(
            "failed, with an error that says why",
            [
                "0 e=ps,sn=0,sta=s", "500 e=ps,sn=1,sta=f", #"700 e=e,ec=("2001"),sn=2,sta=f"#,
                #"9000 e=e,ec=("net" "404"),sn=3,sta=f"#,
            ],
            makes: [
                "0 video_load", "0 play",
                "500 player_error error_id=2001 error_message=2001 error_code=2001 error_fatal=true",
                "9000 player_error error_id=net error_message=net, 404 error_fatal=false",
                "9000 video_unload ended_by=timeout",
            ]
        ),
        Timeline(
            "played again after the end is another session, unless it was sought",
            [
                #"0 cid="f",e=ps,sn=0,sta=s"#, "100 e=ps,sn=1,sta=p", "200 e=ps,sn=2,sta=e", "300 e=ps,sn=3,sta=k",
                "400 e=ps,sn=4,sta=p", "500 e=ps,sn=5,sta=e", "600 e=ps,sn=6,sta=s", "700 e=ps,sn=7,sta=p",
                "800 e=ps,sn=8,sta=q", #"700 e=rr,rc=0,sn=9,ttlb=200,url="/a""#,
            ],
            makes: [
                "0 video_load video_id=f", "0 play", "100 first_frame", "200 complete", "300 seek_start",
                "400 seek_complete", "400 play", "500 complete", "600 video_unload", "600 video_load video_id=f",
                "600 play", "700 first_frame", "800 video_unload",
            ]
        ),
        Timeline(
            "another content is another session, and a response brings none back",
            [
                #"0 cid="f",e=ps,sn=0,sta=p"#, #"100 cid="g",e=c,sn=1,sta=p"#,
                #"50 cid="f",e=rr,rc=503,sn=2,ttlb=90,ot=i,br=(96;a),url="https://u:p@h:8080/i""#,
            ],
            makes: [
                "0 video_load video_id=f cmcd_joined=true", "0 play", "0 first_frame",
                "100 video_unload", "100 video_load video_id=g", "100 play", "100 first_frame",
                "140 request_failed request_url=https://h:8080/i request_host=h request_type=audio_init"
                    + " request_status=503 request_duration_ms=90 request_bitrate_bps=96000",
                "140 video_unload ended_by=timeout",
            ]
        ),
        Timeline(
            "live, in the background, with keys of its own",
            [
                "0 st=ll,e=ps,sn=0,sta=s,sf=h", "10 e=t,sn=1,pt=1790000000000,bsd=(300;v 20;a),com.acme-x=\"y\"",
                "20 e=b,bg,sn=2", "30 e=b,sn=3", "40 e=m,sn=4", "50 e=ce,cen=\"poll\",sn=5", "60 e=pe,sn=6",
                "70 e=ps,sn=7,sta=w",
            ],
            makes: [
                "0 video_load stream_type=live video_mime_type=application/vnd.apple.mpegurl", "0 play",
                "10 playhead_sample wall=1790000000000", "10 quality_sample cmcd_bsd_a=20 cmcd_bsd_v=300 com.acme-x=y",
                "20 application_background", "30 application_foreground", "50 custom custom_name=poll",
                "60 custom custom_name=cmcd_player_enlarged", "70 custom custom_name=cmcd_waiting",
                "70 video_unload ended_by=timeout",
            ]
        ),
    ]

    /// What players are known to do otherwise.
    static let players: [Timeline] = [
        Timeline(
            "hls.js: waiting in a seek; paused; a new source under the same id",
            [
                "0 e=ps,sn=0,sta=s", "100 e=ps,sn=1,sta=p", "200 e=ps,sn=2,sta=k", "210 e=ps,sn=3,sta=r",
                "300 e=ps,sn=4,sta=p", "400 e=ps,sn=5,sta=a", "500 e=ps,sn=6,sta=k", "600 e=ps,sn=7,sta=a",
                "700 e=ps,sn=0,sta=a", "800 e=ps,sn=1,sta=s", "900 e=ps,sn=2,sta=p",
            ],
            makes: [
                "0 video_load", "0 play", "100 first_frame", "200 seek_start", "210 buffer_start buffer_cause=seek",
                "300 buffer_complete", "300 seek_complete", "400 pause", "500 seek_start", "600 seek_complete",
                "700 video_unload", "700 video_load", "800 play", "900 first_frame",
                "900 video_unload ended_by=timeout",
            ]
        ),
        Timeline(
            "Shaka: waits first, fails without being failed, and says 'playing' while paused",
            [
                "0 e=ps,sn=0,sta=r", "500 e=ps,sn=1,sta=p", "600 e=ps,sn=2,sta=f", "610 e=e,sn=3,sta=f",
                "700 e=ps,sn=4,sta=p", "800 e=ps,sn=5,sta=a", "900 e=ps,sn=6,sta=r", "1000 e=ps,sn=7,sta=p",
                "1100 e=ps,sn=8,sta=a", "1200 e=ps,sn=9,sta=e",
            ],
            makes: [
                "0 video_load", "0 play", "0 buffer_start buffer_cause=initial", "500 buffer_complete",
                "500 first_frame", "600 player_error", "800 pause", "900 buffer_start buffer_cause=stall",
                "1000 buffer_complete", "1200 complete", "1200 video_unload ended_by=timeout",
            ]
        ),
        Timeline(
            "dash.js: a code that is no list, again and again",
            [
                "0 e=ps,sn=0,sta=s", "90 e=ps,sn=1,sta=f,ec=27", "100 e=e,sn=2,ec=27,sta=f",
                "3000 e=t,sn=3,ec=27,sta=f",
            ],
            makes: [
                "0 video_load", "0 play", "90 player_error error_fatal=true", "3000 quality_sample",
                "3000 video_unload ended_by=timeout",
            ]
        ),
        Timeline(
            "a target that hears of intervals alone",
            ["0 e=t,sta=s", "30000 e=t,sta=p,bsd=(900)", "60000 e=t,sta=a", "90000 e=t,sta=p"],
            makes: [
                "0 video_load", "0 play", "0 quality_sample", "30000 first_frame",
                "30000 quality_sample cmcd_bsd=900", "60000 pause", "60000 quality_sample", "90000 play",
                "90000 quality_sample", "90000 video_unload ended_by=timeout",
            ]
        ),
    ]
}
