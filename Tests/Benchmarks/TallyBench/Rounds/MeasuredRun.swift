internal import Coordinator
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import System
internal import Tally

/// A live run on the real clock, with one of the benchmark's trackers so many times and a consumer that wants records.
final class MeasuredRun {
    /// The trackers that are measured: their ids, and the names of their files.
    enum Tracker: String {
        /// Does nothing.
        case trivial
        /// Says a record for each custom event.
        case speaking

        /// The library that has it, in a folder of products.
        func file(in folder: String) -> String {
            folder + (self == .trivial ? "/libtrivial-plugin.fixture.so" : "/libspeaking-tracker.fixture.so")
        }
    }

    /// Where its trackers are.
    enum Place: String {
        case inProcess = "in-process"
        case isolated
    }

    /// What the player or the trackers' processes have used so far.
    struct Use {
        /// Processor time of this process's threads, user and system, ns.
        var processor: Double
        /// Of it the run's own thread and the one for trackers' processes, ns.
        var threads: Double
        /// How often one of its threads gave the processor up to wait.
        var waits: Double
        /// How often its trackers' processes did.
        var trackerWaits: Double
    }

    /// The name in figures: place and number of the trackers.
    let name: String
    /// The run.
    let run: PlayerRun
    /// What its trackers have said.
    let records: RecordTimes
    private let telemetry: Telemetry
    private let processes: [Int32]
    private let threads: Set<String>
    private let place: Place

    /// Begins a run with so many trackers, and a session in it.
    init(_ tracker: Tracker, _ count: Int, _ place: Place, folder: String) throws(BenchError) {
        self.place = place
        name = count == 0 ? "none" : "\(place.rawValue)-\(count)"
        records = RecordTimes()
        let others = Self.threads()
        do {
            let catalog = PluginCatalog()
            try catalog.add(LoadedLibrary(path: tracker.file(in: folder)))
            let plugins = (0..<count).map { number in
                PluginSelection("org.tally.bench.\(tracker.rawValue)", name: "tracker-\(number)", required: true)
            }
            var options = Telemetry.Options()
            options.isolatesTrackers = place == .isolated
            options.trackerProgram = folder + "/tally-tracker"
            telemetry = try Telemetry(plugins: plugins, catalog: catalog, options: options, extraConsumers: [records])
            run = try telemetry.startRun()
        } catch {
            throw .refused("\(error)")
        }
        run.trackVideoLoad()
        run.trackPlay()
        run.trackFirstFrame()
        processes = run.plugins().compactMap(\.process)
        threads = Self.threads().subtracting(others)
        guard processes.count == (place == .isolated ? count : 0) else {
            throw .refused("\(processes.count) of \(count) trackers have a process")
        }
    }

    /// What was used so far.
    func use() -> Use {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func nanoseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e9 + Double(time.tv_usec) * 1e3 }
        return Use(
            processor: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
            threads: threads.reduce(0) { sum, thread in
                let words = Self.text("/proc/self/task/\(thread)/schedstat").split(separator: " ")
                return sum + (words.first.flatMap { Double($0) } ?? 0)
            },
            waits: Double(usage.ru_nvcsw),
            trackerWaits: processes.reduce(0) { $0 + Self.waits(of: $1) }
        )
    }

    /// Ends the run.
    ///
    /// - Throws: that a tracker's process is no longer the one that it had, so that the figures mean nothing.
    func end() throws(BenchError) {
        let left = run.plugins().compactMap(\.process)
        run.destroy()
        telemetry.close()
        guard left == processes else { throw .invalidRound("a tracker's process was ended while it was measured") }
    }

    /// The threads of runs in this process.
    private static func threads() -> Set<String> {
        guard let directory = unsafe opendir("/proc/self/task") else { return [] }
        defer { unsafe closedir(directory) }
        var found: Set<String> = []
        while let entry = unsafe readdir(directory) {
            let thread = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            let name = text("/proc/self/task/\(thread)/comm")
            if name.hasPrefix("tally-core") || name.hasPrefix("tally-isolated") { found.insert(thread) }
        }
        return found
    }

    private static func waits(of process: Int32) -> Double {
        let line = text("/proc/\(process)/status").split(separator: "\n")
            .first { $0.hasPrefix("voluntary_ctxt_switches:") }
        return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Double($0) } ?? 0
    }

    private static func text(_ path: String) -> String {
        guard let file = unsafe fopen(path, "re") else { return "" }
        defer { unsafe fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = unsafe fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}

/// When records came, ns of ``Stopwatch/wall()``.
final class RecordTimes: OutputConsumer, Sendable {
    let wanted: UInt32 = 1 << TALLY_OUTPUT_RECORD
    private let times = Lock<[Int64]>([])

    /// All so far, in order.
    var all: [Int64] { times.with { $0 } }

    func consume(_ output: Output) {
        let now = Stopwatch.wall()
        times.with { $0.append(now) }
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }
}
