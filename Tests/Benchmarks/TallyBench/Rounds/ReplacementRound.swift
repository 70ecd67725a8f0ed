internal import Coordinator
internal import Glibc
internal import Synchronization
internal import System
internal import Tally

/// How long it takes to replace a tracker's file when playback has gone on for hours, and what track calls take meanwhile.
///
/// What it is compared with is a replay of the same run through the same tracker.
enum ReplacementRound {
    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let hours = try arguments.number("--hours", or: 4)
        let name = try arguments.word("--plugins", of: MeasuredPlugin.allCases.map(\.rawValue), or: "mux-data")
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        let archive = arguments.text("--archive", or: "")
        try arguments.finish()
        do {
            try measure(name, directory, hours: hours, archive: archive.isEmpty ? nil : archive)
        } catch let error as BenchError {
            throw error
        } catch {
            throw .refused("\(error)")
        }
    }

    private static func measure(_ name: String, _ directory: String, hours: Int, archive: String?) throws {
        guard let plugin = MeasuredPlugin(rawValue: name) else { return }
        let catalog = PluginCatalog()
        catalog.search(directory)
        let telemetry = try Telemetry(plugins: plugin.selections, catalog: catalog, options: Telemetry.Options())
        let clock = SetClock()
        let player = SteadyPlayer()
        let run = try PlayerRun(
            telemetry: telemetry,
            delegate: player,
            archive: archive,
            environment: RunEnvironment(
                description: RunDescription(id: "replacement", epoch: 1_700_000_000_000_000),
                clock: clock
            )
        )
        let events = play(run, clock, seconds: hours * 3600)
        // What lies behind the end of a library is not looked at, and makes it another file.
        let newer = "/tmp/tally-bench-\(getpid()).tallyplugin.so"
        try copy("\(directory)/lib\(name).tallyplugin.so", to: newer)
        defer { unsafe unlink(newer) }
        let calm = longestCall(run) { Stopwatch.sleep(milliseconds: 100) }
        let begin = Stopwatch.wall()
        var replaced: [PluginStatus] = []
        let busy = longestCall(run) { replaced = (try? telemetry.replace(file: newer)) ?? [] }
        let milliseconds = Double(Stopwatch.wall() - begin) / 1e6
        guard !replaced.isEmpty else { throw BenchError.refused("\(newer): the file was not replaced") }
        run.destroy()
        telemetry.close()
        let notes = [("events", "\(events)"), ("hours", "\(hours)")]
        let source = archive == nil ? "kept" : "archive"
        Figure("replacement/\(name)/\(source)", milliseconds, "ms", notes).printLine()
        Figure("replacement/\(name)/\(source)/call", busy, "ns").printLine()
        Figure("replacement/\(name)/\(source)/calm-call", calm, "ns").printLine()
        if let archive {
            var options = Telemetry.Options()
            options.mode = .replay
            let plugins = PluginCatalog()
            plugins.search(directory)
            let replaying = try Telemetry(plugins: plugin.selections, catalog: plugins, options: options)
            let begin = Stopwatch.wall()
            try Replay(telemetry: replaying).replay(path: archive)
            Figure("replacement/\(name)/replay", Double(Stopwatch.wall() - begin) / 1e6, "ms").printLine()
            replaying.close()
        }
        withExtendedLifetime(player) {}
    }

    /// Plays for so long: four samples a second, a quality sample in ten seconds, a pause each minute.
    private static func play(_ run: PlayerRun, _ clock: SetClock, seconds: Int) -> Int {
        run.trackVideoLoad()
        run.trackPlay()
        run.trackFirstFrame()
        var events = 3
        func count(_ result: TrackResult) {
            events += 1
            // The queue holds 4,096.
            if events % 1000 == 0 || result != .queued { Stopwatch.sleep(milliseconds: 3) }
        }
        for second in 1...seconds {
            for quarter in 0..<4 {
                clock.set(Int64(second) * 1_000_000 + Int64(quarter) * 250_000)
                count(run.trackPlayhead())
            }
            if second % 10 == 0 { count(run.trackQoSUpdateInfo()) }
            if second % 60 == 0 {
                count(run.trackPause())
                count(run.trackPlay())
            }
        }
        Stopwatch.sleep(milliseconds: 50)
        return events
    }

    /// The longest of the track calls that another thread makes meanwhile, one each millisecond, ns.
    private static func longestCall(_ run: PlayerRun, _ body: () -> Void) -> Double {
        let calls = SteadyCalls(run)
        let thread = Thread(name: "bench-caller") { calls.make() }
        body()
        calls.stop()
        thread.join()
        return Double(calls.longest)
    }

    private static func copy(_ from: String, to path: String) throws {
        guard let source = unsafe fopen(from, "re"), let target = unsafe fopen(path, "we") else {
            throw BenchError.file(path: from, number: errno)
        }
        defer {
            unsafe fclose(source)
            unsafe fclose(target)
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = unsafe fread(&buffer, 1, buffer.count, source), count > 0 {
            unsafe fwrite(buffer, 1, count, target)
        }
        unsafe fputs("newer", target)
    }
}

/// Track calls from a thread of its own.
private final class SteadyCalls: Sendable {
    private let run: PlayerRun
    private let isOver = Atomic<Bool>(false)
    private let slowest = Atomic<Int64>(0)

    init(_ run: PlayerRun) {
        self.run = run
    }

    /// The longest call, ns.
    var longest: Int64 { slowest.load(ordering: .relaxed) }

    func make() {
        while !isOver.load(ordering: .relaxed) {
            let begin = Stopwatch.wall()
            _ = run.trackPlayhead()
            slowest.max(Stopwatch.wall() - begin, ordering: .relaxed)
            Stopwatch.sleep(milliseconds: 1)
        }
    }

    func stop() {
        isOver.store(true, ordering: .relaxed)
    }
}

/// A run's clock that stands where it is set.
private final class SetClock: RunClock {
    private let time = Atomic<Int64>(0)

    func now() -> Int64 { time.load(ordering: .relaxed) }

    func set(_ microseconds: Int64) {
        time.store(microseconds, ordering: .relaxed)
    }
}
