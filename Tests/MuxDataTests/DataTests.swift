import EventModel
import MuxData
import PluginKit
import Tally
import TallyTesting
import Testing

/// What data events and events carry, field by field.
@Suite struct DataTests {
    @Test(
        "The domain is what somebody can register, or none",
        arguments: [
            ("https://vod.bbc.co.uk/a.mpd", "vod.bbc.co.uk", "bbc.co.uk"),
            ("https://bbc.co.uk/a.mpd", "bbc.co.uk", "bbc.co.uk"), ("https://co.uk/a.mpd", "co.uk", nil),
            ("https://VOD.BBC.CO.UK./a", "VOD.BBC.CO.UK.", "BBC.CO.UK"),
            ("https://a.b.customer.example/a", "a.b.customer.example", "customer.example"),
            ("https://cdn.someone.github.io/a", "cdn.someone.github.io", "someone.github.io"),
            ("https://github.io/a", "github.io", nil), ("https://a.b.www.ck/a", "a.b.www.ck", "www.ck"),
            ("https://a.b.c.ck/a", "a.b.c.ck", "b.c.ck"), ("https://x.食狮.公司.cn/a", "x.食狮.公司.cn", "食狮.公司.cn"),
            ("http://localhost:8080/a", "localhost", "localhost"), ("http://127.0.0.1:80/a", "127.0.0.1", "127.0.0.1"),
            ("http://[2001:db8::1]:80/a", "[2001:db8::1]", "[2001:db8::1]"),
            ("https://a..co.uk/a", "a..co.uk", nil), ("file:///films/a.mp4", nil, nil), ("films/a.mp4", nil, nil),
        ] as [(String, String?, String?)]
    )
    func domain(url: String, host: String?, domain: String?) throws {
        let fake = Mux.host()
        fake.send(.videoLoad, [("video_url", .string(url))])
        let view = try #require(fake.records.first { $0.kind == "viewinit" })
        #expect(view["video_source_hostname"] == host.map { .string($0) })
        #expect(view["video_source_domain"] == domain.map { .string($0) })
    }

    // MARK: - Data events

    private static let viewerData: [(key: String, name: String)] = [
        ("viewerApplicationEngine", "viewer_application_engine"), ("viewerApplicationName", "viewer_application_name"),
        ("viewerApplicationVersion", "viewer_application_version"),
        ("viewerConnectionType", "viewer_connection_type"), ("viewerDeviceCategory", "viewer_device_category"),
        ("viewerDeviceManufacturer", "viewer_device_manufacturer"), ("viewerDeviceName", "viewer_device_name"),
        ("viewerOsArchitecture", "viewer_os_architecture"), ("viewerOsFamily", "viewer_os_family"),
        ("viewerOsVersion", "viewer_os_version"),
    ]

    /// A host whose configuration has each of the guide's ten fields of the viewer with a value of its own.
    private static func viewerHost() -> FakeHost {
        var viewer = JSONObject()
        for (key, name) in viewerData { viewer[key] = .string("value of \(name)") }
        let configuration: JSONObject = [
            "environmentKey": "hex", "viewerData": .object(viewer),
            "environmentData": ["muxViewerId": "device-7"], "customerVideoData": ["videoTitle": "Title"],
        ]
        return Mux.host(JSONValue.object(configuration).canonicalText)
    }

    @Test("Environment and viewer are global data, before the first event and apart from the player's data")
    func globalData() throws {
        let host = Self.viewerHost()
        host.send(.play)
        #expect(host.records.prefix(3).map(\.kind) == ["globaldata", "viewinit", "data"])
        let global = host.records[0]
        let environment = [
            "mux_api_version": "2.1", "mux_embed": "tally", "mux_viewer_id": "device-7",
        ]
        for (name, value) in environment { #expect(global[name] == .string(value), "\(name)") }
        for name in ["mux_embed_version", "session_id", "session_start", "session_expires"] {
            #expect(global[name] != nil, "\(name)")
        }
        #expect(global["viewer_os_family"] == .string("value of viewer_os_family"))
        #expect(global["video_title"] == nil && global["env_key"] == nil)
        let ofPlayer = host.records.filter { $0.kind == "data" }.flatMap { $0.attributes.map(\.name) }
        #expect(ofPlayer.contains("video_title") && ofPlayer.contains("env_key"))
        #expect(ofPlayer.allSatisfy { !$0.hasPrefix("viewer_os") && !$0.hasPrefix("mux_") && !$0.hasPrefix("session") })
    }

    @Test("Each of the guide's ten fields of the viewer is in the global data under its name, with its own value")
    func viewerFields() throws {
        let host = Self.viewerHost()
        host.send(.play)
        let said = host.records.filter { $0.kind == "globaldata" }
        #expect(said.count == 1)
        for (_, name) in Self.viewerData { #expect(said[0][name] == .string("value of \(name)"), "\(name)") }
    }

    @Test("What changes at one time is one data event, which has that and nothing else")
    func oneDataEvent() throws {
        let host = Mux.host(#"{"environmentKey":"hex","customData":{"custom1":"a"}}"#)
        host.player.width = 640
        host.player.height = 360
        host.send(.videoLoad, [("video_name", .string("One"))])
        host.send(.play, at: 100)
        let before = host.records.count
        host.player.width = 1280
        host.player.height = 720
        host.player.droppedFrames = 3
        host.send(
            .metadataChange,
            [("video_name", .string("Two")), ("video_series", .string("Series")), ("custom_1", .string("b"))],
            at: 1_000
        )
        let said = host.records[before...]
        #expect(said.map(\.kind) == ["data"])
        let names = Set(try #require(said.first).attributes.map(\.name))
        #expect(
            names == [
                "player", "video_source_width", "video_source_height", "view_dropped_frame_count", "video_title",
                "video_series", "custom_1",
            ]
        )
        host.send(.metadataChange, [("video_name", .string("Two"))], at: 2_000)
        host.send(.metadataChange, [("video_series", .string("Other"))], at: 3_000)
        #expect(host.records[(before + 1)...].map(\.kind) == ["data"])
        #expect(Set(try #require(host.records.last).attributes.map(\.name)) == ["player", "video_series"])
    }

    // MARK: - PlayerData

    @Test("Each playback event has the latest of all that the guide asks for of the player")
    func playerData() throws {
        let host = Mux.host(#"{"environmentKey":"hex"}"#)
        host.player.playerWidth = 640
        host.player.playerHeight = 360
        host.player.isFullscreen = false
        host.player.playheadMilliseconds = 0
        host.send(.videoLoad, [("player_name", .string("Some player")), ("player_language", .string("en-US"))])
        host.send(.play, at: 100)
        host.send(.firstFrame, at: 200)
        host.player.playheadMilliseconds = 50
        host.send(.playheadSample, at: 250)
        host.player.playerWidth = 1920
        host.player.playerHeight = 1080
        host.player.isFullscreen = true
        host.player.playheadMilliseconds = 300
        host.send(.requestCompleted, at: 500)
        host.send(.bufferStart, at: 600)
        host.send(.bufferComplete, at: 700)
        host.send(.seekStart, at: 800)
        host.send(.seekComplete, at: 900)
        host.send(.playerError, [("error_code", .int(3)), ("error_fatal", .bool(false))], at: 950)
        host.send(.adBreakStart, at: 1_000)
        host.send(.adStart, at: 1_000)
        host.send(.adComplete, at: 1_100)
        host.send(.adBreakComplete, at: 1_100)
        host.send(.pause, [("player_language", .string("de-AT"))], at: 1_200)
        host.send(.videoUnload, at: 1_300)

        let events = host.records.filter { !["globaldata", "data", "viewmetrics"].contains($0.kind) }
        let kinds = Set(events.map(\.kind))
        #expect(
            kinds.isSuperset(of: [
                "viewinit", "playerready", "viewstart", "play", "playing", "timeupdate", "requestcompleted",
                "rebufferstart", "rebufferend", "seeking", "seeked", "error", "adbreakstart", "adplay", "adplaying",
                "adended", "adbreakend", "pause", "viewend", "playbackmodechange",
            ])
        )
        for event in events {
            let isLater = event.time >= 500_000
            let expected: [String: PlainValue] = [
                "player_mux_plugin_name": .string("tally"), "player_mux_plugin_version": .string("1.0.0"),
                "player_software_name": .string("Some player"), "player_language_code": .string("en-US"),
                "player_width": .int(isLater ? 1920 : 640), "player_height": .int(isLater ? 1080 : 360),
                "player_is_fullscreen": .bool(isLater),
                "player_playhead_time": .int(isLater ? 300 : event.time >= 250_000 ? 50 : 0),
            ]
            for (name, value) in expected { #expect(event[name] == value, "\(event.kind) \(event.time): \(name)") }
            let isPaused = ["viewinit", "playerready", "pause", "adbreakend", "viewend"].contains(event.kind)
            #expect(event["player_is_paused"] == .bool(isPaused), "\(event.kind)")
        }
    }
}
