import ChildPrograms
import LoopbackServer
import OTLP
import Tally
import TallyTesting
import TestFiles
import Testing

/// What of a session becomes spans, from when to when.
@Suite("Spans")
struct SpanTests {
    private static let steps: [(Int64, PlayerAction)] = [
        (0, .load), (1_000, .play), (1_000, .adBreakStart), (1_100, .adStart(1)), (4_000, .adComplete),
        (4_000, .adStart(2)), (5_000, .adSkip), (5_100, .adBreakComplete), (5_200, .bufferStart(.initial)),
        (5_500, .firstFrame), (5_600, .bufferComplete), (6_000, .chapterStart(1)), (9_000, .requestFailed(status: 404)),
        (10_000, .bufferStart(.stall)), (12_000, .bufferComplete), (13_000, .seekStart(to: 60)),
        (13_500, .seekStart(to: 90)), (14_000, .seekComplete), (20_000, .chapterComplete), (21_000, .chapterStart(2)),
        (22_000, .chapterSkip), (23_000, .requestCompleted(bytes: 1_000)), (24_000, .bufferStart(.stall)),
        (30_000, .unload),
    ]

    @Test("They begin and end as the events say, below the session's")
    func courses() throws {
        let run = try ExportRun()
        try run.record(steps: Self.steps)
        let spans = try run.spans()
        let session = try #require(spans.first { $0.name == "media.session" })
        #expect((session.start, session.end) == (0, 30_000))
        #expect(session.parent == nil)
        func courses(_ name: String) -> [[Int64]] { spans.filter { $0.name == name }.map { [$0.start, $0.end] } }
        #expect(courses("media.ad_break") == [[1_000, 5_100]])
        #expect(courses("media.ad") == [[1_100, 4_000], [4_000, 5_000]])
        #expect(courses("media.chapter") == [[6_000, 20_000], [21_000, 22_000]])
        #expect(courses("media.stall") == [[5_200, 5_600], [10_000, 12_000], [24_000, 30_000]])
        #expect(courses("media.seek") == [[13_000, 14_000]])
        #expect(spans.filter { $0.name == "media.request" }.map(\.end) == [9_000, 23_000])
        #expect(Set(spans.map(\.trace)).count == 1)
        #expect(Set(spans.map(\.id)).count == spans.count)
        let adBreak = try #require(spans.first { $0.name == "media.ad_break" })
        for span in spans where span.name != "media.session" {
            #expect(span.parent == (span.name == "media.ad" ? adBreak.id : session.id), "\(span.name)")
        }
    }

    @Test("They say what the events say")
    func attributes() throws {
        let run = try ExportRun()
        try run.record(steps: Self.steps)
        let spans = try run.spans()
        func said(_ span: String, _ attribute: String) -> [String?] {
            spans.filter { $0.name == "media.\(span)" }.map { $0.attribute(attribute) }
        }
        #expect(said("ad", "media.outcome") == ["completed", "skipped"])
        #expect(said("chapter", "media.outcome") == ["completed", "skipped"])
        #expect(said("stall", "media.stall.cause") == ["initial", "stall", "stall"])
        #expect(said("stall", "media.span.incomplete") == [nil, nil, "true"])
        #expect(said("seek", "media.seek.count") == ["2"])
        #expect(said("seek", "media.seek.to") == ["90000"])
        #expect(said("request", "media.request.status").first == "404")
        #expect(spans.filter { $0.name == "media.request" }.map(\.isFailed) == [true, false])
        #expect(said("session", "media.session.id") == ["virtualrun01/1"])
        #expect(said("session", "media.session.end_reason") == ["left"])
    }

    @Test("Every attribute of a span is one of the registry, on that span")
    func registered() throws {
        let run = try ExportRun()
        try run.record(steps: Self.steps)
        let spans = try run.spans()
        #expect(spans.count > 10)
        for span in spans {
            for pair in span.json["attributes"]?.array ?? [] {
                let name = pair["key"]?.string ?? ""
                guard !name.hasPrefix("media.custom.") else { continue }
                let known = MediaAttribute.all.first { $0.name == name }
                let isOnIt = known.map { $0.spans.contains { $0.name == span.name } } ?? false
                #expect(isOnIt, "\(name) on \(span.name)")
                let kind: MediaAttribute.Kind =
                    pair["value"]?["intValue"] != nil
                    ? .integer : pair["value"]?["boolValue"] != nil ? .truth : .text
                #expect(known?.kind == kind, "\(name)")
            }
        }
    }

    @Test("A replay makes the same bytes as the run")
    func replayed() async throws {
        func bodies(_ run: ExportRun) -> [String] { run.server.requests.map(\.text).sorted() }
        let run = try ExportRun()
        let recorded = try run.record(["events": true], steps: Self.steps)
        let again = try ExportRun()
        let settings = [
            "endpoint": "\"http://127.0.0.1:\(again.server.port)\"", "encoding": "\"json\"", "gzip": "false",
            "events": "true", "drain_ms": "600000",
        ]
        let replay = try await ChildProgram.run(
            "tally-replay",
            [recorded.archive, "--quiet", "--plugin-dir", PluginFiles.folder, "--plugins", "example-swift,otlp"]
                + settings.flatMap { ["--set", "plugins.otlp.config.\($0.key)=\($0.value)"] }
        )
        try #require(replay.code == 0, "\(replay.errors)")
        #expect(bodies(run) == bodies(again))
        #expect(bodies(run).count > 10)
    }
}
