internal import EventModel
internal import PlayerReports
internal import Testing

/// What reports say of figures, and what stays with the next call.
struct CMCDFiguresTests {
    private func calls(_ lines: [String], _ options: CMCDOptions = CMCDOptions()) -> [TrackedCall] {
        var run = CMCDInterpretation(options)
        var calls: [TrackedCall] = []
        for line in lines {
            let sent = Timeline.Sent(line)
            _ = run.receive(sent.text, at: sent.time, into: &calls)
        }
        while let due = run.nextDue { run.advance(to: due, into: &calls) }
        return calls
    }

    private func sample(_ keys: String) -> TrackedCall? {
        calls(["0 e=ps,sn=0,sta=s", "100 e=t,sn=1,\(keys)"]).first { $0.type == .qualitySample }
    }

    @Test("A bitrate is that of video and audio, of both in one, or of what has no type")
    func bitrates() {
        #expect(sample("br=(2400;v 128;a 3;tt)")?.state.bitrate == 2_528_000)
        #expect(sample("br=(2400;v 900;av)")?.state.bitrate == 900_000)
        #expect(sample("br=(700)")?.state.bitrate == 700_000)
        #expect(sample("br=(700 800)")?.state.bitrate == nil)
        #expect(sample("br=(700),pb=(500)")?.state.bitrate == 500_000)
        #expect(sample("br=(999999999999999)")?.state.bitrate == nil)
    }

    @Test("Throughputs are not added, and of buffers the smallest counts")
    func network() {
        let call = sample("mtp=(900;a 4000;v),bl=(9800;v 700;a 5;c)")
        #expect(call?.state.throughput == 4_000_000)
        #expect(call?.attributes.contains(TrackedCall.Attribute("buffer_length_ms", .int(700))) == true)
    }

    @Test("A rate of 0 is none, and one that is left out at a change is 1")
    func rates() {
        #expect(sample("pr=0")?.state.rate == nil)
        #expect(sample("pr=1.5")?.state.rate == 1500)
        #expect(sample("")?.state.rate == nil)
        let made = calls(["0 e=ps,sn=0,sta=s,pr=2", "10 e=pr,sn=1", "20 e=t,sn=2"])
        #expect(made.first { $0.type == .qualitySample }?.state.rate == 1000)
    }

    @Test("What makes no call goes out with the next one, but for where playback stood")
    func unsaid() {
        let made = calls(["0 e=ps,sn=0,sta=s", "10 e=m,sn=1,pt=5000,pb=(9)", "20 e=t,sn=2", "30 e=t,sn=3"])
        let samples = made.filter { $0.type == .qualitySample }
        #expect(samples.map(\.state.isMuted) == [true, nil])
        #expect(samples.map(\.state.bitrate) == [9000, nil])
        #expect(samples.map(\.state.playhead) == [nil, nil])
        #expect(!made.contains { $0.type == .playheadSample })
    }

    @Test("Dropped frames begin anew with a session, and never fall")
    func droppedFrames() {
        let made = calls([
            #"0 e=ps,sn=0,sta=s,cid="f",dfa=3"#, "10 e=t,sn=1,dfa=10", "20 e=t,sn=2,dfa=7", #"30 e=c,sn=3,cid="g""#,
            "40 e=t,sn=4,dfa=14",
        ])
        #expect(made.filter { $0.type == .qualitySample }.map(\.state.droppedFrames) == [10, 10, 4])
    }

    @Test("A place is the time of day where the stream is live, and a film's never")
    func places() {
        let place = "pt=1790000000000"
        #expect(sample("st=l,\(place)")?.state.liveWall == 1_790_000_000_000)
        #expect(sample("st=v,\(place)")?.state.playhead == 1_790_000_000_000)
        #expect(sample("st=l,pt=4000")?.state.playhead == 4000)
        #expect(sample("pt=-1")?.state.playhead == nil)
    }

    @Test("Options: programmes of a channel, hosts, larger players, all keys")
    func options() {
        var options = CMCDOptions()
        options.contentIsProgramme = true
        options.tellsHosts = true
        options.enlargedIsFullscreen = true
        options.keepsAllKeys = true
        let made = calls(
            [
                #"0 e=ps,sn=0,sta=s,cid="f",h="a""#, #"10 e=c,sn=1,cid="g""#, #"20 e=h,sn=2,h="b""#,
                "30 e=pe,sn=3,rtp=900",
            ],
            options
        )
        #expect(
            made.map(Timeline.described) == [
                "0 video_load video_id=f video_cdn=a", "0 play cmcd_sn=0",
                "10 metadata_change video_id=g video_cdn=a cmcd_sn=1",
                "20 metadata_change video_id=g video_cdn=b cmcd_sn=2",
                "30 custom custom_name=cmcd_player_enlarged cmcd_sn=3 cmcd_rtp=900", "30 video_unload ended_by=timeout",
            ]
        )
        #expect(made.first { $0.type == .custom }?.state.isFullscreen == true)
    }
}
