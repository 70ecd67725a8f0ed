internal import Coordinator
internal import Isolation
internal import PluginLoading
internal import Reporting

/// What outputs cost the player that go to the reporter `discard`, in its process and in a process of its own.
enum IsolatedReporterRound {
    /// Processor time of this process and wall time an output, from the first that is handed over to the last taken.
    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let outputs = try arguments.number("--outputs", or: 1_000_000)
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        try arguments.finish()
        for place in ["in-process", "isolated"] {
            let reporter = try reporter(directory, isIsolated: place == "isolated")
            let begin = (wall: Stopwatch.wall(), processor: Stopwatch.processor())
            DeliveryRound.send(outputs, to: "https://example.org/", reporter)
            let delivered = DeliveryRound.flush(reporter)?.delivered
            let wall = Double(Stopwatch.wall() - begin.wall) / Double(outputs)
            let processor = Double(Stopwatch.processor() - begin.processor) / Double(outputs)
            reporter.close(limit: 60_000)
            guard delivered == UInt64(outputs) else { throw .refused("\(delivered ?? 0) of \(outputs) were taken") }
            let name = "isolation/reporter/\(place)"
            Figure(name + "/processor", processor, "ns/output", [("outputs", "\(outputs)")]).printLine()
            Figure(name + "/wall", wall, "ns/output").printLine()
        }
    }

    private static func reporter(_ directory: String, isIsolated: Bool) throws(BenchError) -> ReporterInstance {
        do throws(PluginError) {
            let catalog = PluginCatalog()
            catalog.search(directory)
            let options = IsolatedReporter.Options(program: directory + "/tally-tracker")
            return try ReporterInstance(
                name: "discard",
                entry: catalog.find("discard"),
                configuration: "{}",
                policy: .wait,
                log: .silent,
                making: { entry, configuration, link throws(PluginError) in
                    guard isIsolated else { return try LoadedReporter(entry, configuration, link) }
                    return try IsolatedReporter(entry, configuration, link, options)
                }
            )
        } catch {
            throw .refused(error.description)
        }
    }
}
