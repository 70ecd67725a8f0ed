import Glibc
import HostSupport
import Tally
import TestFiles
import Testing
import TextEncoding

/// Taps beside the reporter that writes lines, on a real run.
struct TapTests {
    private let folder = TemporaryFolder()

    /// Lines that a subscriber took, from any thread.
    private final class Taken: Sendable {
        private let lines = Lock<[String]>([])

        var all: [String] { lines.with { $0 } }

        func take(_ line: [UInt8]) -> Bool {
            lines.with { $0.append(String(decoding: line, as: UTF8.self)) }
            return true
        }
    }

    private func play(_ tap: OutputTap, events: Bool = true) throws -> [String] {
        let file = folder.file("out.jsonl")
        let telemetry = try Telemetry(
            plugins: [
                PluginSelection("example-c"), PluginSelection("example-c", name: "second"),
                PluginSelection("jsonlines", configuration: ["path": .string(file), "events": .bool(events)]),
            ],
            catalog: Products.catalog(),
            options: Telemetry.Options(),
            extraConsumers: [tap]
        )
        let run = try telemetry.startRun()
        for _ in 0..<2 {
            run.trackVideoLoad()
            run.trackPlay()
            run.trackFirstFrame()
            for _ in 0..<20 {
                run.trackSeekStart(from: 1, to: 2)
                run.trackSeekComplete()
            }
            run.trackCustomEvent("mark \u{e4}\"\\")
            run.trackComplete()
            run.trackVideoUnload()
        }
        run.destroy()
        telemetry.close()
        return try TestFile.text(file).split(separator: "\n").map { $0 + "\n" }
    }

    @Test("A tap's lines are the reporter's lines, byte for byte and in the same order")
    func sameLines() throws {
        let tap = OutputTap()
        let taken = Taken()
        tap.subscribe(1, TapFilter()) { taken.take($0) }
        let written = try play(tap).filter { line in
            ["event", "record", "beacon"].contains { line.hasPrefix("{\"line\":\"\($0)\",") }
        }
        #expect(written.count > 100)
        #expect(taken.all == written)
        #expect(tap.unsubscribe(1)?.sent == UInt64(written.count))
    }

    @Test(
        "Each filter shows what it names and nothing else",
        arguments: [
            (["events"], "\"line\":\"event\"", 96), (["records", "plugin=second"], "\"instance\":\"second\"", -1),
            (["plugin=org.tally.*"], "\"plugin\":\"org.tally.example.c\"", -1),
            (["events", "name=seek_*"], "\"type\":\"seek_", 80), (["events", "session=2"], "\"session\":2", 46),
            (["events", "name=custom"], "\"type\":\"custom\"", 2), (["events", "plugin=example-c"], "never", 0),
        ] as [([String], String, Int)]
    )
    func filters(words: [String], text: String, count: Int) throws {
        guard case .tap(let filter) = try ControlCommand(words: ["tap"] + words) else { return }
        let tap = OutputTap()
        let taken = Taken()
        tap.subscribe(1, filter) { taken.take($0) }
        let written = try play(tap)
        #expect(taken.all.allSatisfy { $0.contains(text) })
        let session = words.contains("session=2") || words.contains("name=custom")
        let expected = written.filter { line in
            line.contains(text) && (!session || line.contains("\"line\":\"event\""))
        }
        #expect(taken.all == expected)
        #expect(count == 0 ? taken.all.isEmpty : !taken.all.isEmpty)
    }

    @Test("What is over the limit of a second and what finds no room is counted, and told before the next line")
    func counts() throws {
        let second = Lock<Int64>(0)
        let tap = OutputTap { second.with { $0 } }
        let taken = Taken()
        var filter = TapFilter()
        filter.kinds = [.events]
        filter.limit = 5
        let room = Lock(3)
        tap.subscribe(1, filter) { line in
            room.with { room -> Bool in
                room -= 1
                return room >= 0
            } && taken.take(line)
        }
        let events = try play(tap).count { $0.hasPrefix("{\"line\":\"event\",") }
        #expect(taken.all.count == 3)
        #expect(tap.totals.sent == 3 && tap.totals.unsent == 2 && tap.totals.overLimit == UInt64(events - 5))
        second.with { $0 = 1_000_000 }
        room.with { $0 = .max }
        _ = try play(tap)
        let told = try JSONParser().parse(taken.all[3])
        #expect(told["line"]?.string == "tap_lost")
        #expect(told["unsent"]?.int == 2 && told["over_limit"]?.int == Int64(events - 5))
        #expect(taken.all.count == 3 + 1 + 5)
    }

}
