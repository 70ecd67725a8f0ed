import EventAPI
import LoopbackServer
import NewRelicVideo
import PluginABI
import PluginKit
import TallyTesting
import Testing

/// Delivery to the Event API within its limits.
@Suite struct DeliveryTests {
    @Test("a strict Event API takes everything, and each cut is counted")
    func accepted() throws {
        let api = EventAPI(account: 4711, key: "secret", now: 1_600_000_000_000)
        var configuration = ServerConfiguration()
        configuration.onPost = { api.answer($0) }
        let server = try LoopbackServer(configuration)
        let host = NewRelic.host(
            configuration: #"{"delivery":{"accountId":4711,"endpoint":"http://127.0.0.1:\#(server.port)"}}"#
        )
        host.beginSession()
        for type: EventType in [.videoLoad, .play, .firstFrame] { host.send(type) }
        host.send(.metadataChange, [("video_name", .string(String(repeating: "é", count: 4097)))])
        host.send(
            .custom,
            [
                ("custom_name", .string("ODD \"name\"\n")), ("accountId", .int(1)), ("entity.guid", .string("g")),
                ("appId", .string("x")), ("number", .double(.nan)), ("ü", .string("\u{1}")),
            ]
        )
        var many = JSONObject()
        for index in 0..<300 { many["a\(index)"] = .int(Int64(index)) }
        host.command("sendEvent", ["action": "MANY", "attributes": .object(many)])
        var large = JSONObject()
        for index in 0..<80 { large["a\(index)"] = .string(String(repeating: "😀", count: 4096)) }
        host.command("sendEvent", ["action": "LARGE", "attributes": .object(large)])
        for _ in 0..<300 {
            host.wait(milliseconds: 900)
            host.send(.pause)
            host.send(.play)
        }
        host.endSession()
        let statistics = try #require(host.command("delivery").value)
        for beacon in host.beacons { #expect(try PostClient.post(beacon, port: server.port, key: "secret") == 200) }
        let contents = api.contents
        #expect(contents.complaints == [])
        #expect(contents.events.count == host.events.count - 1)
        #expect(contents.requests == host.beacons.count)
        #expect(statistics["events"] == .int(Int64(contents.events.count)))
        #expect(statistics["requests"] == .int(Int64(host.beacons.count)))
        #expect(statistics["eventsTooLarge"] == 1)
        #expect(statistics["namesRefused"] == 3)
        #expect(statistics["valuesRefused"] == 1)
        #expect((statistics["attributesTooMany"]?.int ?? 0) > 45)
        #expect((statistics["valuesCut"]?.int ?? 0) > 600)
        #expect(host.beacons.allSatisfy { $0.body.count <= 65_536 })
        let records = host.beacons.flatMap(\.records)
        #expect(records.sorted() == records)
        #expect(Set(records).count == contents.events.count)
    }

    @Test("the service that the tests play refuses what breaks a limit")
    func strict() throws {
        let api = EventAPI(account: 1, key: "k", now: 0)
        var configuration = ServerConfiguration()
        configuration.onPost = { api.answer($0) }
        let server = try LoopbackServer(configuration)
        func status(
            _ body: String,
            url: String = "http://x/v1/accounts/1/events",
            key: String = "k",
            encoding: String? = nil
        ) throws -> Int {
            var beacon = FakeHost.Beacon(destination: "", url: url, body: Array(body.utf8))
            beacon.headers = [.init("Content-Type", "application/json")]
            if let encoding { beacon.headers.append(.init("Content-Encoding", encoding)) }
            return try PostClient.post(beacon, port: server.port, key: key)
        }
        #expect(try status("[]") == 400)
        #expect(try status("{") == 400)
        #expect(try status("[{}]", url: "http://x/v1/accounts/2/events") == 404)
        #expect(try status("[{}]", key: "other") == 403)
        #expect(try status(#"[{"eventType":""# + String(repeating: "a", count: 1_000_000) + #""}]"#) == 413)
        #expect(try status(#"[{"eventType":"A"}]"#, encoding: "gzip") == 400)
        #expect(try status(#"[{"eventType":"A"}]"#, encoding: "br") == 415)
        let long = String(repeating: "a", count: 4097)
        #expect(try status(#"[{"eventType":"A-B","x":"\#(long)","y":[],"timestamp":86400001}]"#) == 200)
        #expect(api.contents.complaints.count == 4)
    }

    @Test(
        "a beacon names account, region and credential, and holds no secret",
        arguments: [
            ("US", "https://insights-collector.newrelic.com/v1/accounts/9/events"),
            ("EU", "https://insights-collector.eu01.nr-data.net/v1/accounts/9/events"),
        ]
    )
    func address(region: String, url: String) throws {
        let host = playing(#"{"delivery":{"accountId":9,"region":"\#(region)","credential":"nr","gzip":false}}"#)
        host.endSession()
        let beacon = try #require(host.beacons.last)
        #expect(beacon.url == url)
        #expect(beacon.method == "POST")
        #expect(beacon.destination == "newrelic.event-api")
        #expect(beacon.credential == "nr")
        #expect(!beacon.options.contains(.gzipWanted))
        #expect(beacon.headers.map(\.name) == ["Content-Type"])
        #expect(
            beacon.events.compactMap { $0["actionName"]?.string } == [
                "TRACKER_READY", "CONTENT_REQUEST", "CONTENT_START", "CONTENT_END",
            ]
        )
    }

    @Test(
        "events of a live stream wait less long; generation B's first harvest comes early, whatever came before the load",
        arguments: [
            ("A", false, [300_000, 600_000] as [Int64]), ("A", true, [30_000, 60_000]), ("B", false, [1_000, 301_000]),
            ("B", true, [500, 30_500]),
        ],
        [[], [.applicationLaunched, .playerReady]] as [[EventType]]
    )
    func harvest(_ course: (generation: String, isLive: Bool, expected: [Int64]), before: [EventType]) {
        let (generation, isLive, expected) = course
        let host = NewRelic.host(
            configuration: #"{"generation":"\#(generation)","heartbeatSeconds":0,"delivery":{"accountId":1}}"#
        )
        for type in before { host.send(type) }
        #expect(host.beacons.count == before.count)
        host.player.isLive = isLive
        host.beginSession()
        for type: EventType in [.videoLoad, .play, .firstFrame] { host.send(type) }
        var seen: [Int64] = []
        while seen.count < expected.count, host.time < 700_000_000 {
            let count = host.beacons.count
            host.wait(milliseconds: 100)
            guard host.beacons.count > count else { continue }
            seen.append(host.time / 1000)
            host.send(seen.count % 2 == 1 ? .pause : .play)
        }
        #expect(seen == expected)
    }

    @Test("a batch ends at its size and at its number of events")
    func size() {
        let host = playing(#"{"delivery":{"accountId":1,"harvestBytes":2048,"maximumEvents":3}}"#)
        for _ in 0..<20 {
            host.send(.pause)
            host.send(.play)
        }
        host.endSession()
        #expect(host.beacons.count > 10)
        #expect(host.beacons.allSatisfy { $0.body.count <= 2048 && $0.events.count <= 3 })
        #expect(host.beacons.reduce(0) { $0 + $1.events.count } == host.events.count)
    }

    @Test("outside a session nothing waits, and a rule may keep an event back as a record")
    func outside() {
        let host = NewRelic.host(
            configuration: #"{"delivery":{"accountId":1},"rules":[{"actions":"PLAYER_READY","deliver":false}]}"#
        )
        host.send(.playerReady)
        #expect(host.events.count == 2)
        #expect(host.beacons.map { $0.events.count } == [1])
        #expect(host.runningTimerCount == 0)
    }

    private func playing(_ configuration: String) -> FakeHost {
        let host = NewRelic.host(configuration: configuration)
        host.beginSession()
        for type: EventType in [.videoLoad, .play, .firstFrame] { host.send(type) }
        return host
    }
}
