internal import Glibc
internal import Tally

/// How fast an archive is replayed, and with how much memory.
///
/// Rates are per second of processor time of all threads: what one core does, whatever else the machine is doing.
enum ReplayRound {
    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let path = try arguments.file()
        let plugin = try arguments.word(
            "--plugins",
            of: MeasuredPlugin.allCases.map(\.rawValue),
            or: "none"
        )
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        let name = arguments.text("--name", or: "replay/\(plugin)")
        try arguments.finish()
        let traffic = BeaconTraffic()
        let telemetry = try telemetry(MeasuredPlugin(rawValue: plugin) ?? .none, directory, traffic)
        // Loading the plugins is no part of the replay.
        let begin = (wall: Stopwatch.wall(), processor: Stopwatch.processor())
        let summary = try replay(path, telemetry)
        let wall = Double(Stopwatch.wall() - begin.wall) / 1e9
        let processor = Double(Stopwatch.processor() - begin.processor) / 1e9
        guard summary.damaged == 0 else {
            throw .refused("\(path): \(summary.damaged) damaged lines, the first at \(summary.places.first ?? "")")
        }
        let minutes = Double(summary.runTime) / 6e7
        var notes = [
            ("events", "\(summary.events)"), ("records", "\(summary.records)"), ("wall_s", Figure.text(wall)),
            ("cpu_s", Figure.text(processor)),
        ]
        if traffic.total.requests > 0 {
            notes.append(("requests_a_minute", Figure.text(Double(traffic.total.requests) / minutes)))
            notes.append(("bytes_a_minute", Figure.text(Double(traffic.total.bytes) / minutes)))
        }
        Figure(name + "/events", Double(summary.events) / processor, "events/s", notes).printLine()
        Figure(name + "/bytes", Double(summary.bytes) / 1e6 / processor, "MB/s").printLine()
        Figure(name + "/time", Double(summary.runTime) / 3.6e9 / processor, "virtual-hours/s").printLine()
        Figure(name + "/memory", Double(peakMemory()), "KiB").printLine()
    }

    private static func telemetry(
        _ plugin: MeasuredPlugin,
        _ directory: String,
        _ traffic: BeaconTraffic
    ) throws(BenchError) -> Telemetry {
        do throws(TelemetryError) {
            var options = Telemetry.Options()
            options.mode = .replay
            let catalog = PluginCatalog()
            catalog.search(directory)
            return try Telemetry(
                plugins: plugin.selections,
                catalog: catalog,
                options: options,
                extraConsumers: plugin == .none ? [] : [traffic]
            )
        } catch {
            throw .refused(error.description)
        }
    }

    private static func replay(_ path: String, _ telemetry: Telemetry) throws(BenchError) -> ReplaySummary {
        do throws(TelemetryError) {
            let replay = Replay(telemetry: telemetry)
            try replay.replay(path: path)
            telemetry.close()
            return replay.summary
        } catch {
            throw .refused(error.description)
        }
    }

    /// The most memory that the process has had, KiB.
    private static func peakMemory() -> Int {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss
    }
}
