internal import Advertising
internal import Streaming
internal import Testing
internal import XML

/// What a stream itself wants shown.
struct InterstitialTests {
    private func resolve(_ list: String?) -> AdPod {
        AdResolver { location throws(FetchFailure) in
            guard let list, location == "http://a.example/ads/list.json" else {
                throw FetchFailure(status: 404, reason: "the server answered with status 404")
            }
            return Array(list.utf8)
        }.resolve(.assetList("http://a.example/ads/list.json"))
    }

    @Test("A list has its assets as ads, in its order, with addresses relative to itself")
    func list() {
        let pod = resolve(
            #"{"ASSETS":[{"URI":"one.m3u8","DURATION":12.5},{"DURATION":3},{"URI":"/two.mp4"},{"URI":"file:///etc"}],"X":1}"#
        )
        #expect(pod.ads.map(\.location) == ["http://a.example/ads/one.m3u8", "http://a.example/two.mp4"])
        #expect(pod.ads.map(\.durationMs) == [12_500, nil])
        #expect(pod.ads.map(\.tag) == Array(repeating: "http://a.example/ads/list.json", count: 2))
        #expect(pod.failures.isEmpty)
    }

    @Test(
        "A list that cannot be used is a failure",
        arguments: [
            (nil, .unreachable), ("no list", .malformed), ("[]", .invalid), (#"{"ASSETS":[]}"#, .empty),
            (#"{"ASSETS":{}}"#, .invalid), (#"{"ASSETS":[1,null,{"URI":""}]}"#, .empty),
        ] as [(String?, AdFailure.Code)]
    )
    func failures(list: String?, code: AdFailure.Code) {
        let pod = resolve(list)
        #expect(pod.ads.isEmpty)
        #expect(pod.failures.map(\.code) == [code])
    }

    @Test("The ads of a stream's break have its name, and can be skipped unless it forbids that")
    func rules() throws {
        var scheduled = ScheduledBreak(offset: .time(2000), source: .asset("a.mp4", durationMs: 1000))
        scheduled.id = "spot"
        let tag = #"ID="spot",CLASS="com.apple.hls.interstitial",START-DATE="2026-01-17T12:00:00Z",X-ASSET-URI="a.mp4""#
        let resolver = AdResolver { _ throws(FetchFailure) in throw FetchFailure(reason: "nobody asks") }
        for isSkippable in [true, false] {
            let attributes = PlaylistAttributes((isSkippable ? tag : tag + ",X-RESTRICT=SKIP")[...])
            let interstitial = try Interstitial(#require(DateRange(attributes)))
            scheduled.interstitial = interstitial
            #expect(interstitial != nil)
            var pod = resolver.resolve(scheduled.source)
            pod.apply(scheduled)
            #expect(pod.ads.map(\.id) == ["spot"])
            #expect(pod.ads.map(\.durationMs) == [1000])
            #expect(pod.ads.map { $0.skipOffset != nil } == [isSkippable])
        }
    }

    @Test("A break that comes while the stream plays is due at its place")
    func added() {
        var clock = AdBreakClock([])
        #expect(clock.isOver)
        clock.add([ScheduledBreak(offset: .time(2000), source: .asset("a.mp4", durationMs: nil))])
        #expect(clock.next(atMs: 1999, ofDuration: nil) == nil)
        #expect(clock.next(atMs: 2000, ofDuration: nil)?.position == 1)
        #expect(clock.next(atMs: 2001, ofDuration: nil) == nil)
    }
}
