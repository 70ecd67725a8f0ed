import NewRelicVideo
import PluginABI
import PluginKit
import TallyTesting
import Testing

/// A record as a whole: names, values and their order.
struct RecordTests {
    @Test func `a record has its attributes in the documented order`() {
        let host = NewRelic.host(
            configuration: #"{"userId":"u-1","attributes":{"plan":"gold","contentTitle":"Other"}}"#
        )
        host.send(.playerReady, [("player_name", .string("gst")), ("player_version", .string("1.22"))])
        host.beginSession()
        host.send(
            .videoLoad,
            [
                ("video_name", .string("Sintel")), ("video_url", .string("http://localhost/a.m3u8")),
                ("video_language", .string("en")), ("stream_type", .string("vod")),
            ]
        )
        host.wait(milliseconds: 250)
        host.send(.play)
        host.player = FakePlayer {
            $0.playheadMilliseconds = 40
            $0.durationMilliseconds = 60_000
            $0.bitrate = 1_400_000
            $0.framesPerSecondMilli = 23_976
            $0.width = 640
            $0.height = 360
            $0.rateMilli = 1000
            $0.isMuted = false
            $0.isLive = false
        }
        host.send(.firstFrame)
        let expected: [(String, PlainValue)] = [
            ("eventType", .string("MobileVideo")), ("actionName", .string("CONTENT_START")),
            ("timestamp", .int(1_600_000_000_250)), ("trackerName", .string("tally")),
            ("trackerVersion", .string("1.0.0")), ("coreVersion", .string("1.0.0")), ("playerName", .string("gst")),
            ("playerVersion", .string("1.22")),
            ("agentSession", .string("63CBE1E4-5932-4DD7-844C-3CD7F43C661C")),
            ("viewSession", .string("63CBE1E4-5932-4DD7-844C-3CD7F43C661C-16000000009346")),
            ("viewId", .string("63CBE1E4-5932-4DD7-844C-3CD7F43C661C-16000000009346-0")),
            ("isAd", .int(0)), ("numberOfVideos", .int(1)), ("numberOfAds", .int(0)), ("numberOfErrors", .int(0)),
            ("playtimeSinceLastEvent", .int(0)), ("totalPlaytime", .int(0)), ("totalAdPlaytime", .int(0)),
            ("contentTitle", .string("Other")), ("contentId", .string("4277D78A109111639A488854224892FA")),
            ("contentSrc", .string("http://localhost/a.m3u8")), ("contentLanguage", .string("en")),
            ("contentIsLive", .int(0)), ("contentDuration", .int(60_000)), ("contentPlayhead", .int(40)),
            ("contentPlayrate", .double(1)), ("contentIsMuted", .int(0)), ("contentBitrate", .int(1_400_000)),
            ("contentRenditionWidth", .int(640)), ("contentRenditionHeight", .int(360)),
            ("contentFps", .double(23.976)), ("timeSinceTrackerReady", .int(250)), ("timeSinceRequested", .int(250)),
            ("enduser.id", .string("u-1")), ("plan", .string("gold")),
        ]
        let start = host.events.last
        #expect(start?.action == "CONTENT_START")
        #expect(start?.names == expected.map(\.0))
        for (name, value) in expected {
            #expect(start?[name] == value)
        }
    }

    @Test func `what the player has not told is absent`() {
        let host = NewRelic.host()
        host.beginSession()
        host.send(.videoLoad)
        let expected = [
            "eventType", "actionName", "timestamp", "trackerName", "trackerVersion", "coreVersion", "agentSession",
            "viewSession", "viewId", "isAd", "numberOfVideos", "numberOfAds", "numberOfErrors",
            "playtimeSinceLastEvent", "totalPlaytime", "contentId", "timeSinceTrackerReady",
        ]
        #expect(host.events.last?.names == expected)
        #expect(host.events.last?["contentId"] == .string("D41D8CD98F00B204E9800998ECF8427E"))
    }

    @Test func `a live stream has no duration`() {
        let host = NewRelic.host()
        host.player.durationMilliseconds = -1
        host.beginSession()
        host.send(.videoLoad, [("stream_type", .string("linear"))])
        #expect(host.events.last?["contentDuration"] == nil)
        #expect(host.events.last?["contentIsLive"] == .int(1))
        host.player.isLive = false
        host.send(.play)
        host.send(.firstFrame)
        #expect(host.events.last?["contentIsLive"] == .int(0))
    }

    @Test func `metadata of the video changes, and null takes it away`() {
        let host = NewRelic.host()
        host.beginSession()
        host.send(.videoLoad, [("video_name", .string("One")), ("video_url", .string("a"))])
        host.send(.metadataChange, [("video_name", .string("Two")), ("video_url", .null)])
        host.send(.bufferStart)
        #expect(host.events.last?["contentTitle"] == .string("Two"))
        #expect(host.events.last?["contentSrc"] == nil)
        #expect(host.events.last?["contentId"] == .string("D41D8CD98F00B204E9800998ECF8427E"))
    }

    @Test func `the same script gives the same records`() {
        #expect(script(seed: 3) == script(seed: 3))
        #expect(script(seed: 3) != script(seed: 4))
    }

    private func script(seed: UInt64) -> [FakeHost.Record] {
        let host = NewRelic.host(seed: seed)
        host.beginSession()
        host.send(.videoLoad, [("video_url", .string("http://localhost/a"))])
        host.send(.play)
        host.wait(milliseconds: 100)
        host.send(.firstFrame)
        host.wait(milliseconds: 65_000)
        host.send(.videoUnload)
        return host.events
    }
}
