import NewRelicVideo
import PluginKit
import TallyTesting
import Testing

/// The time-since attributes over a run in which everything happens: which events have them, and how much they say.
@Suite struct TimeSinceRunTests {
    /// Which action an attribute counts from, and what the actions that have it begin with.
    private static let rows: [(attribute: String, trigger: String, prefix: String)] = [
        ("timeSinceTrackerReady", "TRACKER_READY", ""), ("timeSinceRequested", "CONTENT_REQUEST", "CONTENT_"),
        ("timeSinceStarted", "CONTENT_START", "CONTENT_"), ("timeSinceLastHeartbeat", "CONTENT_HEARTBEAT", "CONTENT_"),
        ("timeSinceLastError", "CONTENT_ERROR", "CONTENT_"), ("timeSinceLastAd", "AD_END", "CONTENT_"),
        ("timeSincePaused", "CONTENT_PAUSE", "CONTENT_RESUME"),
        ("timeSinceSeekBegin", "CONTENT_SEEK_START", "CONTENT_SEEK_END"),
        ("timeSinceBufferBegin", "CONTENT_BUFFER_START", "CONTENT_BUFFER_END"),
        ("timeSinceLastRenditionChange", "CONTENT_RENDITION_CHANGE", "CONTENT_RENDITION_CHANGE"),
        ("timeSinceAdRequested", "AD_REQUEST", "AD_"), ("timeSinceAdStarted", "AD_START", "AD_"),
        ("timeSinceLastAdHeartbeat", "AD_HEARTBEAT", "AD_"), ("timeSinceLastAdError", "AD_ERROR", "AD_"),
        ("timeSinceAdPaused", "AD_PAUSE", "AD_RESUME"), ("timeSinceAdSeekBegin", "AD_SEEK_START", "AD_SEEK_END"),
        ("timeSinceAdBufferBegin", "AD_BUFFER_START", "AD_BUFFER_END"),
        ("timeSinceLastAdRenditionChange", "AD_RENDITION_CHANGE", "AD_RENDITION_CHANGE"),
        ("timeSinceAdBreakBegin", "AD_BREAK_START", "AD_BREAK_END"),
        ("timeSinceLastAdQuartile", "AD_QUARTILE", "AD_QUARTILE"),
    ]

    @Test("each event of the content or the ad counts from the last time that the action was sent before it")
    func counted() {
        let events = eventful()
        for row in Self.rows {
            var trigger: Int64?
            for event in events {
                // Each of the two trackers is ready once, and has a table of its own.
                if row.prefix.isEmpty, event["isAd"] == .int(1) { continue }
                let now = timestamp(event)
                let isTold = event.action.hasPrefix(row.prefix) && event.action != "PLAYER_READY"
                let expected = isTold ? trigger.map { PlainValue.int(now - $0) } : nil
                if event.action != "PLAYER_READY" {
                    #expect(event[row.attribute] == expected, "\(row.attribute) of \(event.action)")
                }
                if event.action == row.trigger { trigger = now }
            }
        }
    }

    @Test("every action of the content has its counterpart of the ad, and both happen but for an ad's rendition")
    func counterparts() {
        let names = StandardAction.all.map { "\($0.name)" }
        let seen = Set(eventful().map(\.action))
        // The rendition of an ad no player event tells.
        for name in names where name != "QOE_AGGREGATE" && name != "AD_RENDITION_CHANGE" {
            #expect(seen.contains(name), "\(name)")
        }
        for name in names where name.hasPrefix("CONTENT_") {
            #expect(names.contains("AD_" + name.dropFirst("CONTENT_".count)), "\(name)")
        }
    }

    /// Everything that a player can tell, first of the content, then of an ad, then of the content again.
    private func eventful() -> [FakeHost.Record] {
        let host = NewRelic.host(configuration: #"{"heartbeatSeconds":1,"trackers":"pair"}"#)
        send([.applicationLaunched, .playerReady], host)
        host.beginSession()
        send([.videoLoad, .play, .firstFrame], host)
        everything(host)
        send([.adBreakStart, .adStart], host)
        everything(host)
        host.send(.adQuartile, [("ad_quartile", .int(1))])
        host.wait(milliseconds: 13)
        host.send(.adQuartile, [("ad_quartile", .int(2))])
        send([.adClick, .adError, .adError, .adComplete, .adBreakComplete], host)
        everything(host)
        send([.complete, .play, .videoUnload], host)
        return host.events
    }

    private func everything(_ host: FakeHost) {
        send([.pause, .seekStart, .seekComplete, .play, .bufferStart, .bufferComplete, .playerError], host)
        for shift in ["up", "down"] {
            host.send(.renditionChange, [("rendition_shift", .string(shift))])
            host.wait(milliseconds: 17)
        }
        host.send(.custom, [("custom_name", .string("CONTENT_MINE"))])
        host.wait(milliseconds: 2_100)
        send([.bufferStart, .bufferComplete, .pause, .play], host)
    }

    private func send(_ types: [EventType], _ host: FakeHost) {
        for type in types {
            host.send(type)
            host.wait(milliseconds: 11)
        }
    }

    private func timestamp(_ event: FakeHost.Record) -> Int64 {
        guard case .int(let time)? = event["timestamp"] else { return -1 }
        return time
    }
}
