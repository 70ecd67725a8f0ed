import Archive
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

    @Test("Progress is told, and a checkpoint can be kept, also where two runs take turns line by line")
    func interleaved() throws {
        let other = Self.header.replacing("\"a\"", with: "\"b\"")
        var lines = [Self.header, other]
        for number in 1..<200 {
            for run in ["a", "b"] {
                lines.append(#"{"run":"\#(run)","n":\#(number),"t_us":\#(number),"event":"custom"}"#)
            }
        }
        var bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        let told = Lock<[UInt64]>([])
        var options = ReplayOptions()
        options.onProgress = { progress in told.with { $0.append(progress.events) } }
        let telemetry = try Telemetry(plugins: [], catalog: PluginCatalog(), options: Telemetry.Options())
        defer { telemetry.close() }
        try Replay(telemetry: telemetry, options: options).replay(
            from: unsafe ArchiveSource(path: "archive") { buffer in
                let count = min(bytes.count, buffer.count, 1_000)
                unsafe buffer.copyBytes(from: bytes[..<count])
                bytes.removeFirst(count)
                return count
            }
        )
        #expect(told.with { $0.contains { 50...300 ~= $0 } }, "\(told.with { $0 })")
    }

    // MARK: - Several coordinators

    /// Checkpoints that a replay with two coordinators keeps when it goes on behind so many lines of 4,000.
    private func checkpoints(resumedAt done: Int) throws -> [ReplayCheckpoint] {
        let count = 4_000
        var lines = [Self.header]
        for number in 1..<count {
            lines.append(
                #"{"run":"a","n":\#(number),"t_us":\#(number),"event":"custom","attributes":{"x":"\#(String(repeating: "x", count: 200))"}}"#
            )
        }
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        var counted = ReplaySummary()
        counted.runs = 1
        counted.events = UInt64(done - 1)
        var resumed = ReplayCheckpoint(archive: 0, line: done, summary: counted)
        resumed.openRuns = ["a"]
        let kept = Lock<[ReplayCheckpoint]>([])
        var options = ReplayOptions()
        options.jobs = 2
        options.resumed = resumed
        options.checkpoint = CheckpointKeeper(isDue: { true }, write: { state in kept.with { $0.append(state) } })
        let telemetry = try Telemetry(plugins: [], catalog: PluginCatalog(), options: Telemetry.Options())
        defer { telemetry.close() }
        let read = Lock(0)
        ParallelReplay(telemetry: telemetry, options: options).replay([
            ReplayedArchive { () throws(ArchiveSource.Failure) in
                unsafe ArchiveSource(path: "archive") { buffer in
                    let start = read.with { $0 }
                    let count = min(bytes.count - start, buffer.count)
                    unsafe buffer.copyBytes(from: bytes[start..<start + count])
                    read.with { $0 += count }
                    return count
                }
            }
        ])
        return kept.with { $0 }
    }

    @Test("What an earlier process had done is no place for a checkpoint: its own is still the right one")
    func noCheckpointBefore() throws {
        let kept = try checkpoints(resumedAt: 2_000)
        #expect(kept.count > 2)
        for state in kept {
            // Behind the last line the next archive's beginning is the place.
            let lines = state.archive == 0 ? state.line : 4_000
            #expect(lines >= 2_000)
            #expect(state.summary.events == UInt64(lines - 1), "counted twice")
        }
    }
}
