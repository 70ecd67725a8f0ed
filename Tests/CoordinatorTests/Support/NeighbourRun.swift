import Coordinator
import EventModel
import Glibc
import PluginABI
import Tally
import TallyTesting

/// A run with the fixture `bad-neighbour`, live and in replay: what came out to the byte, what was counted and logged.
struct NeighbourRun {
    /// What the fixture does, by its number.
    enum Deed: Int64 {
        case texts = 1
        case refused, thread, leftBehind, flood, fork
    }

    static let sources: [PluginSource] = [.file(PluginFiles.fixture("bad-neighbour"))]

    let live: OutputTranscript
    /// The texts of live records and beacons as they are, without repair.
    let bytes: [[UInt8]]
    let counts: [String: Int]
    let statistics: TrackerStatistics
    let log: [String]
    let replay: OutputTranscript
    let replayedBytes: [[UInt8]]
    let replayedCounts: [String: Int]

    /// Loads a video and plays, with `body` at the end.
    init(
        _ deed: Deed?,
        records: Int64 = 0,
        keepsLines: Bool = true,
        _ body: (PlayerRun) throws -> Void = { _ in }
    ) throws {
        let selection = PluginSelection(
            "org.tally.fixture.bad-neighbour",
            name: "bad",
            configuration: ["do": .int(deed?.rawValue ?? 0), "records": .int(records)]
        )
        let lines = Notes<String>()
        let (memory, raw) = (MemoryReporter(), RawTexts())
        let archive = "/tmp/tally-test-\(getpid())-\(UInt64.random(in: 0 ... .max)).tally"
        defer { unsafe unlink(archive) }
        var options = Telemetry.Options()
        options.log = { lines.add($0.message) }
        let telemetry = try Telemetry(
            plugins: [selection],
            catalog: RecordedRun.catalog(Self.sources),
            options: options,
            extraConsumers: keepsLines ? [memory, raw] : [raw]
        )
        let player = SyntheticPlayer()
        let clock = VirtualClock()
        let run = try PlayerRun(
            telemetry: telemetry,
            delegate: player,
            archive: archive,
            environment: RunEnvironment(
                description: RunDescription(id: "neighbours", epoch: 0),
                clock: clock,
                pumped: true
            )
        )
        player.perform(.load, on: run)
        player.perform(.play, on: run)
        run.advance(clock, to: 2_000_000)
        try body(run)
        run.destroy()
        telemetry.close()
        statistics = run.trackerStatistics.first?.statistics ?? TrackerStatistics()
        (live, bytes, counts, log) = (memory.contents, raw.texts, raw.counts, lines.all)

        let (memoryAgain, rawAgain) = (MemoryReporter(), RawTexts())
        options.mode = .replay
        options.log = nil
        let replaying = try Telemetry(
            plugins: [selection],
            catalog: RecordedRun.catalog(Self.sources),
            options: options,
            extraConsumers: keepsLines ? [memoryAgain, rawAgain] : [rawAgain]
        )
        try Replay(telemetry: replaying, options: ReplayOptions()).replay(path: archive)
        replaying.close()
        (replay, replayedBytes, replayedCounts) = (memoryAgain.contents, rawAgain.texts, rawAgain.counts)
    }
}

/// Keeps the texts of records and beacons as bytes, and counts records by kind.
final class RawTexts: OutputConsumer, @unchecked Sendable {
    let wanted: UInt32 = (1 << TALLY_OUTPUT_RECORD) | (1 << TALLY_OUTPUT_BEACON)
    private(set) var texts: [[UInt8]] = []
    private(set) var counts: [String: Int] = [:]

    func consume(_ output: Output) {
        guard let item = unsafe output.item else { return }
        if output.what == TALLY_OUTPUT_BEACON {
            let beacon = unsafe item.assumingMemoryBound(to: tally_beacon.self).pointee
            let headers = unsafe UnsafeBufferPointer(start: beacon.headers, count: Int(beacon.header_count))
            unsafe add(
                [beacon.destination, beacon.method, beacon.url] + headers.flatMap { unsafe [$0.name, $0.value] }
            )
            return
        }
        let record = unsafe RecordView(item.assumingMemoryBound(to: tally_record.self))
        let count = counts[record.kind.string, default: 0]
        counts[record.kind.string] = count + 1
        guard count < 10 else { return }
        unsafe texts.append(Array(record.kind.bytes))
        for attribute in record.attributes {
            unsafe texts.append(Array(attribute.name.bytes))
            add(attribute.value)
        }
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }

    private func add(_ value: ValueView) {
        switch value {
        case .string(let text): unsafe texts.append(Array(text.bytes))
        case .list(let elements): for element in elements { add(element.value) }
        default: break
        }
    }

    private func add(_ lent: [tally_str]) {
        texts += unsafe lent.map { text in
            unsafe text.ptr.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: text.len)) } ?? []
        }
    }
}
