import Archive
import Campaigns
import Tally
import TallyTesting
import Testing
import TextEncoding

/// Outputs of several coordinators that have to wait in a file, because there is no room for them in memory.
struct SpillTests {
    /// Hands out an archive's bytes in pieces of every size, as a pipe or a decompressor does.
    private final class Pieces {
        private let bytes: [UInt8]
        private var place = 0
        private var random: SplitMix64

        init(_ text: String, seed: UInt64) {
            bytes = Array(text.utf8)
            random = SplitMix64(seed: seed)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let longest: UInt64 = random.next() % 4 == 0 ? 200_000 : 3_000
            let count = min(Int(1 + random.next() % longest), buffer.count, bytes.count - place)
            unsafe buffer.copyBytes(from: bytes[place..<place + count])
            place += count
            return count
        }
    }

    /// Three archives: one run after the other, all runs at once, and the same with neighbouring lines in any order.
    private static func archives(seed: UInt64) -> [String] {
        var random = SplitMix64(seed: seed)
        let separate = GeneratedArchive.text(runs: 12, samples: 300, order: .separate, trouble: false, &random)
        let interleaved = GeneratedArchive.text(runs: 12, samples: 300, order: .interleaved, trouble: true, &random)
        let ordered = GeneratedArchive.text(runs: 12, samples: 300, order: .interleaved, trouble: false, &random)
        var lines = ordered.split(separator: "\n")
        for start in stride(from: 0, to: lines.count - 8, by: 8)
        where !lines[start..<start + 8].contains(where: { $0.contains("\"tally\"") }) {
            lines[start..<start + 8].shuffle(using: &random)
        }
        return [separate, interleaved, lines.map { $0 + "\n" }.joined()]
    }

    private static func telemetry(_ memory: MemoryReporter) throws -> Telemetry {
        let catalog = PluginCatalog()
        try catalog.add(PluginSource.file(PluginFiles.fixture("witness")).library())
        var options = Telemetry.Options()
        options.mode = .replay
        let witness = PluginSelection(
            "org.tally.fixture.witness",
            name: "witness",
            configuration: ["timers": 3, "seed": 7]
        )
        return try Telemetry(plugins: [witness], catalog: catalog, options: options, extraConsumers: [memory])
    }

    @Test("what waits in a file comes out in the order of the input, for any number of coordinators", arguments: [1])
    func spilled(seed: UInt64) throws {
        let archives = Self.archives(seed: seed)
        let alone = MemoryReporter()
        var options = ReplayOptions()
        options.reorderWindow = 16
        options.endsOpenRuns = true
        let first = try Self.telemetry(alone)
        let single = Replay(telemetry: first, options: options)
        for text in archives {
            let pieces = Pieces(text, seed: seed)
            try single.replay(from: unsafe ArchiveSource(path: "archive") { unsafe pieces.read(into: $0) })
        }
        first.close()
        #expect(alone.contents.lines.count > 5_000)
        #expect(single.summary.reordered > 50)
        var summary = single.summary
        // What comes through a pipe is kept where one coordinator reads it.
        summary.keptBytes = 0
        for jobs in [1, 2, 3, 8] {
            let memory = MemoryReporter()
            let telemetry = try Self.telemetry(memory)
            options.jobs = jobs
            let parallel = ParallelReplay(telemetry: telemetry, options: options, memory: 0)
            parallel.replay(
                archives.map { text in
                    ReplayedArchive { () throws(ArchiveSource.Failure) in
                        let pieces = Pieces(text, seed: seed)
                        return unsafe ArchiveSource(path: "archive") { unsafe pieces.read(into: $0) }
                    }
                }
            )
            telemetry.close()
            #expect(parallel.failures.isEmpty)
            // One coordinator alone is never ahead of another.
            #expect((parallel.spilledBytes > 0) == (jobs > 1), "\(jobs) jobs")
            #expect(parallel.summary == summary, "\(jobs) jobs")
            #expect(memory.contents == alone.contents, "\(jobs) jobs")
            let difference = OutputTranscript.difference(memory.contents, alone.contents)
            #expect(difference == nil, "\(jobs) jobs: \(difference ?? "")")
        }
    }
}
