import Archive
import Coordinator
import Tally
import Testing

/// A replay that goes on where an earlier process was killed.
struct ResumedReplayTests {
    private static let header =
        #"{"run":"a","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[]}}"#
    private static let event = #"{"run":"a","n":1,"t_us":1000,"event":"player_ready"}"#
    private static let end = #"{"run":"a","n":2,"t_us":2000,"end":"drained","dropped":0}"#

    /// Replays lines of which so many were done with, and says whether anything was found among them.
    private func findsNothing(_ lines: [String], done: Int, openRuns: [String]) throws -> Bool {
        var resumed = ReplayCheckpoint(archive: 0, line: done, summary: ReplaySummary())
        resumed.openRuns = openRuns
        var options = ReplayOptions()
        options.resumed = resumed
        let telemetry = try Telemetry(plugins: [], catalog: PluginCatalog(), options: Telemetry.Options())
        defer { telemetry.close() }
        let replay = Replay(telemetry: telemetry, options: options)
        let before = replay.summary
        var bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        try replay.replay(
            from: unsafe ArchiveSource(path: "archive") { buffer in
                let count = min(bytes.count, buffer.count)
                unsafe buffer.copyBytes(from: bytes[..<count])
                bytes.removeFirst(count)
                return count
            }
        )
        return replay.foundNothing(since: before)
    }

    @Test("An archive whose player runs an earlier process had begun is not taken for empty", arguments: 1...3)
    func begun(done: Int) throws {
        let lines = [Self.header, Self.event, Self.end]
        #expect(try !findsNothing(lines, done: done, openRuns: done < 3 ? ["a"] : []))
    }

    @Test("Nor is one whose damage an earlier process had told")
    func damaged() throws {
        #expect(try !findsNothing(["{", ""], done: 1, openRuns: []))
    }

    @Test("One of blank lines is")
    func blank() throws {
        #expect(try findsNothing(["", "", ""], done: 1, openRuns: []))
    }
}
