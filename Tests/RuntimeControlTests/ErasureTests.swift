import Tally
import TallyTesting
import Testing

/// What was recorded of a viewer can be deleted.
@Suite struct ErasureTests {
    /// A run with three sessions, each with another asset.
    private static func recorded() throws -> (ControlledRun, RecordedRun) {
        let run = try ControlledRun()
        for name in ["one", "two", "three"] {
            run.player.change { $0.name = "asset \(name)" }
            run.perform(.load)
            run.perform(.play)
            run.perform(.unload)
        }
        return (run, run.end())
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try TestFile.bytes(path), as: UTF8.self)
    }

    @Test("Of an erased run nothing is left but that it was erased, and a replay leaves it out")
    func run() throws {
        let (run, recorded) = try Self.recorded()
        let lines = try Self.text(recorded.archive).split(separator: "\n").count
        #expect(try Erasure.erase(archive: recorded.archive, run: "controlled") == lines)
        let text = try Self.text(recorded.archive)
        #expect(text.split(separator: "\n").count == 1 && text.contains(#""erased":true"#))
        #expect(!text.contains("asset") && !text.contains("witness"))
        let log = LogNotes()
        #expect(try run.replayAsRecorded(recorded.archive, log: log).lines.isEmpty)
        #expect(log.contains("the run controlled was erased"))
        #expect(try Erasure.erase(archive: recorded.archive, run: "controlled") == 0)
    }

    @Test("Of an erased session only time is left; the others are replayed as they were")
    func session() throws {
        let (run, recorded) = try Self.recorded()
        #expect(try Erasure.erase(archive: recorded.archive, run: "controlled", session: 2) > 2)
        let text = try Self.text(recorded.archive)
        #expect(!text.contains("asset two") && text.contains("asset one") && text.contains("asset three"))
        #expect(text.contains(#""erased_sessions":[2]"#))
        let log = LogNotes()
        let replayed = try run.replayAsRecorded(recorded.archive, log: log)
        #expect(!log.contains("missing"))
        #expect(replayed.events.contains { $0.contains("asset three") })
        #expect(!replayed.events.contains { $0.contains("asset two") })
        #expect(replayed.lines.contains { $0.text.contains("asset three") && $0.attributes["session"] == .int(3) })
    }

    @Test("A session has its number also when one before it was erased")
    func second() throws {
        let (_, recorded) = try Self.recorded()
        for session in [1, 2] as [UInt32] {
            #expect(try Erasure.erase(archive: recorded.archive, run: "controlled", session: session) > 2)
        }
        let text = try Self.text(recorded.archive)
        #expect(!text.contains("asset one") && !text.contains("asset two") && text.contains("asset three"))
        #expect(text.contains(#""erased_sessions":[1,2]"#))
    }

    @Test("A damaged line that names an erased run goes with it, and one that names another stays")
    func damaged() throws {
        let (_, recorded) = try Self.recorded()
        let damaged = ["controlled", "other"].map { "{\"run\":\"\($0)\",\"n\":7,\"attributes\":{\"title\":\"of \($0)" }
        let text = try Self.text(recorded.archive) + damaged.map { $0 + "\n" }.joined()
        TestFile.write(Array(text.utf8), to: recorded.archive)
        #expect(try Erasure.erase(archive: recorded.archive, run: "controlled") > 2)
        let left = try Self.text(recorded.archive)
        #expect(!left.contains("of controlled") && left.contains("of other"))
        #expect(left.split(separator: "\n").count == 2)
    }

    @Test("What is not there is not erased, and the file stays as it is")
    func nothing() throws {
        let (_, recorded) = try Self.recorded()
        let before = try Self.text(recorded.archive)
        #expect(try Erasure.erase(archive: recorded.archive, run: "another") == 0)
        #expect(try Erasure.erase(archive: recorded.archive, run: "controlled", session: 9) == 0)
        #expect(try Self.text(recorded.archive) == before)
        let missing = TemporaryFolder().file("a.tally")
        #expect(throws: TelemetryError.self) { try Erasure.erase(archive: missing, run: "controlled") }
    }

    @Test("A run that goes on can be erased: from then on nothing of it is recorded")
    func live() throws {
        let run = try ControlledRun()
        run.perform(.load)
        try run.run.eraseArchive()
        run.perform(.play)
        #expect(!run.output.lines.isEmpty)
        let recorded = run.end()
        let text = try Self.text(recorded.archive)
        #expect(text.split(separator: "\n").count == 1 && text.contains(#""erased":true"#))
    }
}
