import LoopbackServer
import PluginKit
import Tally
import TallyTesting
import Testing

/// Both Adobe trackers and the reporter that sends, against a server.
@Suite struct DeliveryTests {
    @Test("What both trackers say arrives as requests, in order, before videoUnloaded comes")
    func arrives() throws {
        var answers = ServerConfiguration()
        answers.faults = [try FaultRule(parsing: "*=status:200")]
        let server = try LoopbackServer(answers)
        let address = "127.0.0.1:\(server.port)"
        let settings: JSONValue = ["analytics": ["rsids": "suite", "server": .string(address)]]
        let catalog = PluginCatalog()
        for name in ["adobe-analytics", "adobe-heartbeat", "http"] {
            try catalog.add(PluginSource.file(PluginFiles.plugin(name)).library())
        }
        let telemetry = try Telemetry(
            plugins: [
                PluginSelection("adobe-analytics", configuration: ["ADBMobileConfig": settings]),
                PluginSelection(
                    "adobe-heartbeat",
                    configuration: Heartbeat.configuration.with([
                        "trackingServer": .string(address), "ADBMobileConfig": settings,
                    ])
                ),
                PluginSelection("http"),
            ],
            catalog: catalog
        )
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player)
        let arrived = Lock(0)
        player.onVideoUnloaded { arrived.with { $0 = server.requests.count } }
        let actions: [PlayerAction] = [
            .load, .play, .chapterStart(1), .playerError("E"), .adStart(0), .adComplete, .complete, .unload,
        ]
        for action in actions {
            player.perform(action, on: run)
        }
        #expect(player.waitForUnloaded(1))
        run.destroy()
        telemetry.close()
        let heartbeats = server.requests.filter { $0.method == "GET" }
        let types = heartbeats.compactMap { request in
            request.query?.split(separator: "&").first { $0.hasPrefix("s:event:type=") }.map {
                String($0.dropFirst(13))
            }
        }
        #expect(
            types == [
                "load", "chapter_start", "error", "start", "play", "play", "start", "play", "complete", "complete",
                "unload",
            ]
        )
        #expect(heartbeats.allSatisfy { $0.path == "/" && $0.body.isEmpty })
        let hits = server.requests.filter { $0.method == "POST" }
        #expect(hits.map { $0.path.hasPrefix("/b/ss/suite/0/") } == [true, true])
        #expect(hits.map { $0.text.contains("&pev3=video&") } == [true, false])
        #expect(arrived.with { $0 } == server.requests.count)
    }
}
