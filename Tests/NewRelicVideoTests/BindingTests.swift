import PluginABI
import PluginKit
import TallyTesting
import Testing

/// What player events mean: the mapping of the documentation, through the plugin's table of functions.
struct BindingTests {
    @Test func `the tracker is ready with the first thing that it hears`() {
        let host = NewRelic.host()
        host.send(.playheadSample)
        host.send(.qualitySample)
        host.send(EventType(rawValue: 0x10000))
        host.send(.pluginEnabled)
        #expect(host.events.isEmpty)
        host.wait(milliseconds: 70)
        host.send(.playerReady)
        #expect(actions(host) == ["TRACKER_READY", "PLAYER_READY"])
        #expect(host.events.first?["timestamp"] == .int(1_600_000_000_070))
        host.send(.playerReady)
        #expect(actions(host) == ["TRACKER_READY", "PLAYER_READY", "PLAYER_READY"])
    }

    @Test func `a frame that is shown before playback is wanted is no start`() {
        let host = playing([.videoLoad, .firstFrame])
        #expect(actions(host) == ["TRACKER_READY", "CONTENT_REQUEST"])
        host.send(.play)
        #expect(actions(host).last == "CONTENT_START")
    }

    @Test func `a pause before the start is none, and the start waits for the wish to play`() {
        let host = playing([.videoLoad, .play, .pause, .firstFrame])
        #expect(actions(host) == ["TRACKER_READY", "CONTENT_REQUEST"])
        host.send(.play)
        #expect(actions(host).last == "CONTENT_START")
    }

    @Test func `heartbeats come every 30 seconds between start and end, paused or not`() {
        let host = playing([.videoLoad, .play])
        host.wait(milliseconds: 60_000)
        #expect(host.runningTimerCount == 0)
        host.send(.firstFrame)
        host.wait(milliseconds: 30_000)
        host.send(.pause)
        host.wait(milliseconds: 35_000)
        host.send(.complete)
        host.wait(milliseconds: 90_000)
        #expect(
            actions(host) == [
                "TRACKER_READY", "CONTENT_REQUEST", "CONTENT_START", "CONTENT_HEARTBEAT", "CONTENT_PAUSE",
                "CONTENT_HEARTBEAT", "CONTENT_RESUME", "CONTENT_END",
            ]
        )
        let beats = host.events.filter { $0.action == "CONTENT_HEARTBEAT" }
        #expect(beats.map { $0["timeSinceStarted"] } == [.int(30_000), .int(60_000)])
        #expect(beats.map { $0["timeSinceLastHeartbeat"] } == [nil, .int(30_000)])
        #expect(beats.map { $0["playtimeSinceLastEvent"] } == [.int(30_000), .int(0)])
    }

    @Test(arguments: [(0, 0), (5, 12)])
    func `the heartbeat is configured in seconds`(seconds: Int, beats: Int) {
        let host = playing([.videoLoad, .play, .firstFrame], configuration: "{\"heartbeatSeconds\":\(seconds)}")
        host.wait(milliseconds: 60_000)
        #expect(actions(host).count { $0 == "CONTENT_HEARTBEAT" } == beats)
    }

    @Test func `an end closes what is open`() {
        let host = playing([.videoLoad, .play, .firstFrame, .pause, .seekStart, .bufferStart, .videoUnload])
        let end = ["CONTENT_BUFFER_END", "CONTENT_SEEK_END", "CONTENT_RESUME", "CONTENT_END"]
        #expect(Array(actions(host).suffix(4)) == end)
        #expect(host.events.last?["playtimeSinceLastEvent"] == .int(0))
    }

    @Test func `an unload after the end says nothing`() {
        let host = playing([.videoLoad, .play, .firstFrame, .complete])
        let count = host.events.count
        host.send(.videoUnload)
        host.endSession()
        #expect(host.events.count == count)
    }

    @Test func `playing again after the end is a new view`() {
        let host = playing([.videoLoad, .play, .firstFrame, .complete, .seekStart, .seekComplete, .play])
        #expect(Array(actions(host).suffix(3)) == ["CONTENT_END", "CONTENT_REQUEST", "CONTENT_START"])
        #expect(host.events.last?["numberOfVideos"] == .int(2))
        host.wait(milliseconds: 30_000)
        #expect(actions(host).last == "CONTENT_HEARTBEAT")
    }

    @Test func `two sessions are two views of one tracker`() {
        let host = playing([.videoLoad, .play, .firstFrame, .videoUnload])
        host.endSession()
        host.wait(milliseconds: 10)
        host.beginSession()
        host.send(.videoLoad)
        let first = host.events.first { $0.action == "CONTENT_REQUEST" }
        let second = host.events.last { $0.action == "CONTENT_REQUEST" }
        #expect(first?["viewSession"] == second?["viewSession"])
        #expect(first?["viewId"] != second?["viewId"])
        #expect(second?["timeSinceRequested"] == .int(10))
    }

    @Test func `outside a session only the player itself, errors and own events are heard`() {
        let host = NewRelic.host()
        for type: EventType in [.play, .firstFrame, .bufferStart, .videoUnload, .renditionChange] {
            host.send(type)
        }
        #expect(actions(host) == ["TRACKER_READY"])
        host.send(.playerError)
        host.send(.custom, [("custom_name", .string("HELLO"))])
        #expect(actions(host) == ["TRACKER_READY", "CONTENT_ERROR", "HELLO"])
    }

    @Test func `an error has what is known of it, and is counted until the end`() {
        let host = playing([.videoLoad])
        host.send(
            .playerError,
            [("error_message", .string("gone")), ("error_domain", .string("http")), ("error_code", .int(404))]
        )
        #expect(host.events.last?["errorMessage"] == .string("gone"))
        #expect(host.events.last?["errorDomain"] == .string("http"))
        #expect(host.events.last?["errorCode"] == .int(404))
        #expect(host.events.last?["numberOfErrors"] == .int(1))
        host.wait(milliseconds: 20)
        host.send(.playerError)
        #expect(host.events.last?.names.filter { $0.hasPrefix("error") } == [])
        #expect(host.events.last?["timeSinceLastError"] == .int(20))
        host.send(.complete)
        #expect(host.events.last?["numberOfErrors"] == .int(2))
        host.send(.play)
        #expect(host.events.last?["numberOfErrors"] == .int(0))
    }

    @Test func `a rendition counts when it is visible`() {
        let host = playing([.videoLoad, .play, .firstFrame])
        let count = host.events.count
        change(host, "decided", 640, 360, shift: "up")
        change(host, "visible", 320, 180, shift: nil)
        #expect(host.events.count == count)
        #expect(send(host, .bufferStart)?["contentRenditionWidth"] == .int(320))
        change(host, "visible", 640, 360, shift: "up")
        #expect(host.events.last?.action == "CONTENT_RENDITION_CHANGE")
        #expect(host.events.last?["shift"] == .string("up"))
        #expect(host.events.last?["contentRenditionWidth"] == .int(640))
        #expect(host.events.last?["contentRenditionBitrate"] == .int(640_000))
        #expect(host.events.last?["contentFps"] == .double(25))
        #expect(host.events.last?["timeSinceLastRenditionChange"] == nil)
        host.wait(milliseconds: 9)
        change(host, "visible", 320, 180, shift: nil)
        #expect(host.events.last?["shift"] == .string("down"))
        #expect(host.events.last?["timeSinceLastRenditionChange"] == .int(9))
        change(host, "visible", 320, 180, shift: "same")
        #expect(host.events.last?["shift"] == nil)
    }

    @Test func `an own event has its attributes, and those of the tracker win`() {
        let host = playing([.videoLoad], configuration: #"{"attributes":{"plan":"gold"}}"#)
        host.send(
            .custom,
            [
                ("custom_name", .string("My action 1")), ("myAttr", .string("myVal")), ("flag", .bool(true)),
                ("viewId", .string("forged")), ("plan", .string("none")), ("list", .list([.int(1)])),
                ("errorMessage", .string("mine")), ("contentTitle", .string("forged")), ("gap_events", .int(3)),
                ("timestamp", .int(1)),
            ]
        )
        let event = host.events.last
        #expect(event?.action == "My action 1")
        #expect(event?["eventType"] == .string("MobileVideo"))
        #expect(event?["actionName"] == .string("My action 1"))
        #expect(event?["myAttr"] == .string("myVal"))
        #expect(event?["flag"] == .int(1))
        #expect(event?["viewId"] == host.events.first?["viewId"])
        #expect(event?["plan"] == .string("gold"))
        #expect(event?["errorMessage"] == .string("mine"))
        #expect(event?["timestamp"] == .int(1_600_000_000_000))
        for absent in ["custom_name", "list", "contentTitle", "gap_events", "timeSinceTrackerReady"] {
            #expect(event?[absent] == nil)
        }
        #expect(Array((event?.names ?? []).suffix(4)) == ["myAttr", "flag", "plan", "errorMessage"])
    }

    @Test(arguments: ["", String(repeating: "X", count: 256)])
    func `an own event without a usable name says nothing`(name: String) {
        let host = playing([.videoLoad])
        let count = host.events.count
        host.send(.custom, [("custom_name", .string(name))])
        host.send(.custom)
        #expect(host.events.count == count)
    }

    @Test func `the user and the attributes for all events are on all, whatever the spelling`() {
        let host = playing([.playerReady, .videoLoad], configuration: #"{"userId":"u","attributes":{"a":1}}"#)
        host.send(.custom, [("custom_name", .string("lower case 1"))])
        #expect(host.events.count == 4)
        for event in host.events {
            #expect(event["enduser.id"] == .string("u"))
            #expect(event["a"] == .int(1))
        }
    }

    private func change(_ host: FakeHost, _ phase: String, _ width: Int64, _ height: Int64, shift: String?) {
        var attributes: [(String, PlainValue)] = [
            ("rendition_phase", .string(phase)), ("rendition_width", .int(width)), ("rendition_height", .int(height)),
            ("rendition_bitrate_bps", .int(width * 1000)), ("rendition_fps_milli", .int(25_000)),
        ]
        if let shift {
            attributes.append(("rendition_shift", .string(shift)))
        }
        host.send(.renditionChange, attributes)
    }

    private func send(_ host: FakeHost, _ type: EventType) -> FakeHost.Record? {
        host.send(type)
        return host.events.last
    }

    private func playing(_ events: [EventType], configuration: String = "{}") -> FakeHost {
        let host = NewRelic.host(configuration: configuration)
        for type in events {
            if type == .videoLoad { host.beginSession() }
            host.send(type)
        }
        return host
    }

    private func actions(_ host: FakeHost) -> [String] {
        host.events.map(\.action)
    }
}
