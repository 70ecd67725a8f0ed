import EventAPI
import Glibc
import LoopbackServer
import PluginKit
import Tally
import TallyTesting
import Testing

/// Delivery as a host has it: the tracker's file, the file of the HTTP reporter, and a strict Event API.
@Suite struct HTTPDeliveryTests {
    private static let key = "licence-\(getpid())"

    /// Plays through both files, and gives what the tracker said and what the service took.
    private static func deliver(
        _ delivery: JSONObject,
        generation: String
    ) throws -> (said: OutputTranscript, taken: EventAPI.Taken) {
        unsafe setenv("TALLY_TEST_NEW_RELIC", key, 1)
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let api = EventAPI(account: 4711, key: key, now: Int64(now.tv_sec) * 1000)
        var server = ServerConfiguration()
        server.onPost = { api.answer($0) }
        let service = try LoopbackServer(server)
        defer { service.stop() }
        var members: JSONObject = ["accountId": 4711, "endpoint": .string("http://127.0.0.1:\(service.port)")]
        for member in delivery { members[member.key] = member.value }
        let catalog = PluginCatalog()
        try catalog.add(PluginSource.file(PluginFiles.plugin("new-relic-video")).library())
        try catalog.add(PluginSource.file(PluginFiles.plugin("http")).library())
        let memory = MemoryReporter()
        let telemetry = try Telemetry(
            plugins: [
                PluginSelection(
                    "com.newrelic.video",
                    name: "newrelic",
                    configuration: ["generation": .string(generation), "delivery": .object(members)]
                ),
                PluginSelection(
                    "org.tally.reporter.http",
                    name: "http",
                    configuration: [
                        "commit_ms": 20, "drain_ms": 60_000,
                        "credentials": ["new-relic": ["header": "Api-Key", "environment": "TALLY_TEST_NEW_RELIC"]],
                    ]
                ),
            ],
            catalog: catalog,
            options: Telemetry.Options(),
            extraConsumers: [memory]
        )
        try play(telemetry)
        telemetry.close(limit: 60_000)
        return (memory.contents, api.contents)
    }

    private static func play(_ telemetry: Telemetry) throws {
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player)
        for action: PlayerAction in [.load, .play, .firstFrame] { player.perform(action, on: run) }
        for _ in 0..<100 {
            player.perform(.pause, on: run)
            player.perform(.play, on: run)
        }
        run.trackCustomEvent("ODD \"name\"") { event in
            event.set("text", String(repeating: "é😀", count: 3000))
            event.set("accountId", Int64(1))
            event.set("entity.guid", "g")
        }
        player.perform(.unload, on: run)
        run.destroy()
    }

    @Test("A strict Event API takes what the HTTP reporter brings, compressed, each event once", arguments: ["A", "B"])
    func compressed(generation: String) throws {
        let (said, taken) = try Self.deliver([:], generation: generation)
        #expect(taken.complaints == [])
        #expect(taken.refused == [])
        #expect(taken.requests > 0 && taken.compressed == taken.requests)
        let records = said.lines.filter { $0.kind != "beacon" }
        #expect(records.count > 200)
        #expect(Self.counts(taken.events.map { $0["actionName"]?.string }) == Self.counts(records.map(\.kind)))
        // 220 events of this kind are more than 200 KB.
        #expect(taken.bytes < 60_000, "\(taken.bytes) bytes")
        #expect(!said.lines.contains { $0.text.contains(Self.key) })
    }

    @Test("Without compression the same events come as they are, in requests of the configured size")
    func plain() throws {
        let (said, taken) = try Self.deliver(["gzip": false, "harvestBytes": 20_000], generation: "A")
        #expect(taken.complaints == [] && taken.refused == [] && taken.compressed == 0)
        #expect(taken.requests > 5)
        #expect(taken.bytes <= taken.requests * 20_000)
        #expect(taken.events.count == said.lines.count { $0.kind != "beacon" })
    }

    private static func counts(_ actions: [String?]) -> [String?: Int] {
        actions.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
