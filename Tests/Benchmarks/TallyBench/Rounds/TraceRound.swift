internal import Coordinator
internal import EventModel
internal import PluginABI
internal import PluginLoading

/// What a trace line costs while tracing is off: a function that traces, less the same function that does not.
enum TraceRound {
    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let calls = try arguments.number("--calls", or: 20_000_000)
        try arguments.finish()
        do throws(PluginError) {
            let catalog = PluginCatalog()
            unsafe try catalog.add(LoadedLibrary(entry: TracingTracker.entry, path: "linked in", sha256: ""))
            let setup = TrackerSetup(
                name: "tracing",
                entry: try catalog.find(TracingTracker.id),
                configuration: "{\"calls\":\(calls)}",
                enabled: true
            )
            let coordinator = try Coordinator(
                run: RunDescription(id: "bench", epoch: 0),
                trackers: [setup],
                consumers: [],
                recorder: nil,
                log: PluginLog { _, _, _ in }
            )
            send(.videoLoad, to: coordinator)
        } catch {
            throw .refused(error.description)
        }
    }

    /// The tracker measures while it handles the event.
    private static func send(_ type: EventType, to coordinator: Coordinator) {
        let buffer = BlockBuffer()
        var writer = buffer.writer()
        unsafe writer.header.pointee.time_us = 1_000_000
        guard let name = EventTypeNames.name(of: type) else { return }
        _ = writer.finish(type: type, name: name)
        unsafe coordinator.replay(buffer.base.assumingMemoryBound(to: tally_event.self))
    }
}
