import NewRelicVideo
import PluginABI
import PluginKit
import TallyTesting
import Testing

/// What events of ads tell.
@Suite struct AdAttributeTests {
    @Test("every attribute of the content has its counterpart of the ad")
    func counterparts() {
        let names = StandardAttribute.allCases.map { "\($0.name)" }
        let isOfGenerationBAlone = ["contentManifestBitrate", "contentNetworkDownloadBitrate"]
        for name in names where name.hasPrefix("content") && !isOfGenerationBAlone.contains(name) {
            #expect(names.contains("ad" + name.dropFirst("content".count)), "\(name)")
        }
        let start = adStart(NewRelic.host())
        let expected: [String: PlainValue] = [
            "adTitle": .string("Cola"), "adId": .string("4277D78A109111639A488854224892FA"),
            "adSrc": .string("http://localhost/a.m3u8"), "adLanguage": .string("en"), "adDuration": .int(15_000),
            "adPlayhead": .int(20), "adPlayrate": .double(1), "adIsMuted": .int(1), "adBitrate": .int(800_000),
            "adRenditionWidth": .int(640), "adRenditionHeight": .int(360), "adFps": .double(25),
            "adCreativeId": .string("c-1"), "adPartner": .string("p-1"), "adPosition": .string("mid"),
            "adQuartile": .int(0), "isAd": .int(1),
        ]
        for (name, value) in expected { #expect(start?[name] == value, "\(name)") }
        #expect(start?["adIsLive"] == nil)
        #expect(start?.names.contains { $0.hasPrefix("content") } == false)
    }

    @Test("a change of rendition while an ad is shown does not make the content's picture the ad's")
    func renditionOfContent() {
        let host = NewRelic.host()
        _ = adStart(host)
        host.send(
            .renditionChange,
            [
                ("rendition_width", .int(1920)), ("rendition_height", .int(1080)),
                ("rendition_fps_milli", .int(50_000)), ("rendition_bitrate_bps", .int(6_000_000)),
                ("rendition_shift", .string("up")),
            ]
        )
        #expect(host.events.last?.action == "CONTENT_RENDITION_CHANGE")
        #expect(host.events.last?["contentRenditionWidth"] == .int(1920))
        #expect(host.events.last?["contentPlayhead"] == .int(5000))
        host.send(.adClick)
        #expect(host.events.last?["adRenditionWidth"] == .int(640))
        #expect(host.events.last?["adRenditionHeight"] == .int(360))
        #expect(host.events.last?["adFps"] == .double(25))
        #expect(host.events.last?["adRenditionBitrate"] == nil)
    }

    @Test("what is known of an ad is forgotten with its end")
    func forgotten() {
        let host = NewRelic.host()
        _ = adStart(host)
        host.send(.adComplete)
        host.send(.adStart)
        let next = host.events.last
        #expect(next?.action == "AD_START")
        for name in ["adTitle", "adSrc", "adLanguage", "adDuration", "adCreativeId", "adPartner"] {
            #expect(next?[name] == nil, "\(name)")
        }
    }

    @Test("V30: events of ads have the view of the content; breaks are numbered from 1")
    func identifiers() {
        let collector = EventCollector()
        let content = collector.makeTracker()
        let identifiers = content.identifiers
        let ad = VideoTracker(TrackerConfiguration(), identifiers: identifiers, isAd: true, recorder: collector)
        content.linked = ad
        ad.linked = content
        content.send(.request, at: collector.moment)
        ad.send(.adBreakStart, at: collector.moment)
        ad.send(.request, at: collector.moment)
        ad.send(.end, at: collector.moment)
        ad.send(.adBreakEnd, at: collector.moment)
        content.send(.end, at: collector.moment)
        ad.send(.adBreakStart, at: collector.moment)
        let views = collector.events.map { $0["viewId"] }
        let session = "00000000-0000-4000-8000-000000000000-16000000001234"
        #expect(views.dropLast().allSatisfy { $0 == .string(session + "-0") })
        #expect(views.last == .string(session + "-1"))
        #expect(collector.events[1]["adBreakId"] == .string(session + "-1"))
        #expect(collector.events.last?["adBreakId"] == .string(session + "-2"))
        #expect(collector.events[0]["adBreakId"] == nil)
    }

    @Test("three quartiles, each once, and never the fourth")
    func quartiles() {
        let host = NewRelic.host()
        _ = adStart(host)
        for quartile in [0, 1, 1, 2, 1, 3, 4, 3] as [Int64] {
            host.send(.adQuartile, [("ad_quartile", .int(quartile))])
        }
        host.send(.adComplete)
        host.send(.adQuartile, [("ad_quartile", .int(3))])
        let quartiles = host.events.filter { $0.action == "AD_QUARTILE" }
        #expect(quartiles.map { $0["adQuartile"] } == [.int(1), .int(2), .int(3)])
        #expect(host.events.last?.action == "AD_END")
    }

    @Test("V22: the end of a break ends the request of an ad, and a break that is open begins no other")
    func breaks() {
        var state = TrackerState(isAd: true)
        let steps = [
            state.go(.request), state.go(.adBreakStart), state.go(.adBreakStart), state.go(.adBreakEnd),
            state.go(.adBreakEnd),
        ]
        #expect(steps == [true, true, false, true, false])
        #expect(!state.isRequested)
        #expect(!state.isAdBreak)
    }

    @Test(
        "the position of a break follows from where it lies",
        arguments: [
            (0, "pre"), (5000, "mid"), (60_000, "post"), (70_000, "post"),
        ]
    )
    func position(start: Int64, expected: String) {
        let host = NewRelic.host()
        host.player.playheadMilliseconds = 500
        host.player.durationMilliseconds = 60_000
        host.beginSession()
        host.send(.videoLoad)
        host.send(.adBreakStart, [("ad_break_start_ms", .int(start))])
        #expect(host.events.last?["adPosition"] == .string(expected))
    }

    @Test("a skipped ad says so in the second generation")
    func skipped() {
        let host = NewRelic.host(configuration: #"{"generation":"B"}"#)
        _ = adStart(host)
        host.send(.adSkip)
        let ends = host.events.filter { $0.action == "AD_END" }
        #expect(ends.map { $0["adSkipped"] } == [.int(1)])
        host.send(.adStart)
        #expect(host.events.last?["adSkipped"] == .int(0))
    }

    @Test("an ad that the viewer pauses leaves the content paused")
    func pausedAd() {
        let host = NewRelic.host()
        host.beginSession()
        for type: EventType in [.videoLoad, .play, .firstFrame, .adStart, .pause, .adComplete] { host.send(type) }
        #expect(host.events.last?.action == "AD_END")
        host.send(.play)
        #expect(host.events.last?.action == "CONTENT_RESUME")
    }

    @Test("joining in an ad says the break and the ad")
    func joining() {
        let host = NewRelic.host()
        host.player.flags =
            TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_STARTED | TALLY_STATE_IN_AD_BREAK
            | TALLY_STATE_IN_AD
        host.beginSession([("joined", .bool(true)), ("first_play_at_us", .int(0)), ("ad_name", .string("Cola"))])
        #expect(
            host.events.map(\.action) == [
                "TRACKER_READY", "PLAYER_READY", "CONTENT_REQUEST", "CONTENT_START", "TRACKER_READY",
                "AD_BREAK_START", "AD_REQUEST", "CONTENT_PAUSE", "AD_START",
            ]
        )
        #expect(host.events.last?["adTitle"] == .string("Cola"))
    }

    @Test("a custom tracker of ads says what its getter knows: adIsLive")
    func customOfAds() {
        let host = NewRelic.host(
            configuration: #"{"trackers":"ad"}"#,
            plugin: "org.tally.example.new-relic-custom"
        )
        host.beginSession()
        host.send(.videoLoad)
        #expect(host.events.last?.action == "AD_REQUEST")
        #expect(host.events.last?["adIsLive"] == .int(0))
        #expect(host.events.last?["isAd"] == .int(1))
    }

    @Test("a custom tracker that is released hears nothing, and registers again when it is enabled")
    func released() {
        let host = NewRelic.host(plugin: "org.tally.example.new-relic-custom")
        host.beginSession()
        for type: EventType in [.videoLoad, .firstFrame, .pause] { host.send(type) }
        host.endSession(.disable)
        host.disable()
        let count = host.events.count
        host.wait(milliseconds: 60_000)
        #expect(host.events.count == count)
        host.enable()
        host.beginSession()
        for type: EventType in [.videoLoad, .firstFrame] { host.send(type) }
        #expect(
            host.events.dropFirst(count).map(\.action) == [
                "TRACKER_READY", "PLAYER_READY", "CONTENT_REQUEST", "CONTENT_START",
            ]
        )
        host.wait(milliseconds: 30_000)
        #expect(host.events.last?.action == "CONTENT_HEARTBEAT")
    }

    private func adStart(_ host: FakeHost) -> FakeHost.Record? {
        host.player = FakePlayer {
            $0.playheadMilliseconds = 5000
            $0.adPlayheadMilliseconds = 20
            $0.durationMilliseconds = 60_000
            $0.bitrate = 800_000
            $0.framesPerSecondMilli = 25_000
            $0.width = 640
            $0.height = 360
            $0.rateMilli = 1000
            $0.isMuted = true
        }
        host.beginSession()
        host.send(.videoLoad)
        host.send(.adBreakStart, [("ad_break_type", .string("mid"))])
        host.send(
            .adStart,
            [
                ("ad_name", .string("Cola")), ("ad_url", .string("http://localhost/a.m3u8")),
                ("ad_language", .string("en")), ("ad_duration_ms", .int(15_000)), ("ad_creative_id", .string("c-1")),
                ("ad_partner", .string("p-1")),
            ]
        )
        return host.events.last { $0.action == "AD_START" }
    }
}
