import Campaigns
import ChildPrograms
import Glibc
import TestFiles
import Testing
import TextEncoding

/// Events of Open Analytics, from the request to the archive.
@Suite struct OpenAnalyticsReportTests {
    private let files = TemporaryFolder()

    private func start(_ configuration: String) async throws -> RunningCollector {
        try await RunningCollector(
            files.file("collected"),
            ["--config", files.write("tally.json5", "{ collector: { \(configuration) } }")]
        )
    }

    private static let now = Int64(time(nil)) * 1000

    /// An event `milliseconds` behind now.
    private func event(
        _ name: String,
        _ milliseconds: Int64,
        session: String? = "s-1",
        playhead: Int64 = 0,
        payload: String = "{}"
    ) -> String {
        let session = session.map { "\"sessionId\":\"\($0)\"," } ?? ""
        return "{\"event\":\"\(name)\",\(session)\"timestamp\":\(Self.now + milliseconds),\"playhead\":\(playhead),"
            + "\"duration\":60000,\"payload\":\(payload)}"
    }

    private func isUUID(_ text: String?) -> Bool {
        text?.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
    }

    @Test("Events in any order are a run in an archive, also when the collector is killed between them")
    func run() async throws {
        let collector = try await start("settled: true, silenceAfterEndSeconds: 1")
        let events = [
            event("playing", 1000), event("init", 0),
            event("loading", 10), event("metadata", 5, payload: #"{"contentId":"film"}"#),
            event("heartbeat", 1500, playhead: 500),
        ]
        for text in events { #expect(collector.post("/", text)?.status == 200) }
        try await collector.killAndBegin()
        let end = event("stopped", 1800, playhead: 800, payload: #"{"reason":"ended"}"#)
        #expect(collector.post("/", end)?.status == 200)
        #expect(await collector.shelved(1))
        #expect(try await collector.end() == 0)
        let lines = try await collector.archived().compactMap { try? JSONParser().parse($0) }
        #expect(
            lines.compactMap { $0["event"]?.string } == [
                "player_ready", "video_load", "play", "first_frame", "quality_sample", "playhead_sample", "complete",
                "video_unload",
            ]
        )
        #expect(lines.compactMap { $0["attributes"]?["video_id"]?.string } == ["film"])
        #expect(lines.contains { $0["t_us"] == 1_500_000 && $0["event"] == "playhead_sample" })
    }

    @Test("Answers are the event sink's")
    func answers() async throws {
        let collector = try await start("tenants: { acme: { openAnalytics: true, openAnalyticsHeartbeatMs: 9000 } }")
        let begun = collector.post("/", event("init", 0, session: nil))
        #expect(begun?.status == 200 && begun?.body["heartbeatInterval"] == 9000)
        #expect(isUUID(begun?.body["sessionId"]?.string))
        #expect(begun?.body["sessionId"] != collector.post("/", event("init", 0, session: nil))?.body["sessionId"])
        #expect(collector.post("/", event("init", 0))?.body == ["sessionId": "s-1", "heartbeatInterval": 9000])
        #expect(collector.post("/", event("loading", 0))?.body == ["sessionId": "s-1", "valid": true])
        for text in ["nonsense", event("loading", 0, session: nil), "{\"event\":\"loading\"}"] {
            let refused = collector.post("/", text)
            #expect(refused?.status == 400 && refused?.body["sessionId"] == -1 && refused?.body["valid"] == false)
            #expect(refused?.body["message"]?.string?.isEmpty == false)
        }
        let unknown = collector.post("/", event("dancing", 0))
        #expect(unknown?.status == 400 && unknown?.body["sessionId"] == "s-1")
        #expect(collector.post("/other", "")?.status == 404)
        #expect(collector.post("/", "", method: "PUT")?.status == 405)
        #expect(collector.post("/health", "", method: "GET")?.status == 200)
    }

    @Test("A tenant that holds to the schema refuses what players' libraries do wrong, and says why")
    func strict() async throws {
        let collector = try await start("tenants: { acme: { openAnalytics: true, openAnalyticsStrict: true } }")
        let refused = collector.post("/", event("stopped", 0, payload: #"{"reason":null}"#))
        #expect(refused?.status == 400 && refused?.body["sessionId"] == "s-1")
        #expect(refused?.body["message"]?.string?.contains("payload.reason is not a string") == true)
        #expect(collector.post("/", event("stopped", 0, payload: #"{"reason":"ended"}"#))?.status == 200)
    }

    @Test("While the disk does not answer an event is answered with 502, and is kept once it does")
    func overdue() async throws {
        let hold = files.write("hold", "")
        let collector = try await RunningCollector(
            files.file("collected"),
            environment: [
                "LD_PRELOAD": "\(TestFile.products)/libsystem-faults.fixture.so",
                "TALLY_FAULTS_FILE": "/journal/", "TALLY_FAULTS_HOLD": hold,
            ]
        )
        let overdue = collector.post("/", event("init", 0))
        #expect(overdue?.status == 502 && overdue?.body["valid"] == false)
        #expect(collector.figure("journal_entries_total") == 0)
        unsafe unlink(hold)
        #expect(await eventually { collector.figure("journal_entries_total") == 1 })
        #expect(collector.post("/", event("loading", 1))?.status == 200)
        let metrics = collector.connection.get("/metrics") ?? ""
        #expect(metrics.contains("answers_total{status=\"502\"} 1\n"))
        #expect(try await collector.end() == 0)
    }

    @Test("A page asks before it posts, and who names no tenant is of the one that takes these events")
    func tenants() async throws {
        let collector = try await start(
            """
            tenants: {
              acme: { keys: ["k1"], openAnalytics: true, origins: ["https://tv.example"] },
              other: { keys: ["k2"] },
            }
            """
        )
        let origin = "Origin: https://tv.example\r\n"
        let asked = collector.post("/", "", headers: origin, method: "OPTIONS")
        #expect(asked?.status == 200)
        #expect(asked?.head.contains("Access-Control-Allow-Origin: https://tv.example\r\n") == true)
        #expect(
            asked?.head.contains("Access-Control-Allow-Headers: Content-Type, Origin, X-EPAS-Event, X-EPAS-Version\r\n")
                == true
        )
        #expect(asked?.head.contains("Access-Control-Allow-Methods: POST, OPTIONS\r\n") == true)
        let elsewhere = collector.post("/", "", headers: "Origin: https://x.example\r\n", method: "OPTIONS")
        #expect(elsewhere?.status == 200 && elsewhere?.head.contains("Access-Control-Allow-Origin") == false)
        let any = collector.post("/?key=k2", "", method: "OPTIONS")
        #expect(any?.head.contains("Access-Control-Allow-Origin: *") == true)
        #expect(collector.post("/?key=k3", event("stopped", 0))?.status == 401)
        #expect(collector.post("/", event("loading", 0), headers: origin)?.status == 200)
        #expect(collector.post("/", event("stopped", 1), headers: origin)?.status == 200)
        #expect(collector.post("/?key=k2", event("loading", 0))?.status == 200)
        #expect(collector.post("/?key=k2", event("stopped", 1))?.status == 200)
        #expect(await collector.shelved(2))
        #expect(try await collector.archived(tenant: "acme").count(where: { $0.contains("video_load") }) == 1)
        #expect(try await collector.archived(tenant: "other").count(where: { $0.contains("video_load") }) == 1)
    }
}
