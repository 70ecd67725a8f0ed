internal import Coordinator
internal import EventModel
internal import PluginABI
internal import PluginLoading
internal import TrivialTracker

/// What a tracker adds to the dispatch of an event: with a tracker that does nothing, less without.
///
/// Both are measured in turns within one round, since the difference is much smaller than what a machine's speed
/// changes from second to second.
enum HostToPluginRound {
    private static let part = 20_000

    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let events = try arguments.number("--events", or: 2_000_000)
        try arguments.finish()
        let without = try Dispatcher(trackers: 0)
        let with = try Dispatcher(trackers: 1)
        var alone: [Double] = []
        var difference: [Double] = []
        for _ in 0..<max(3, events / part) {
            let first = without.dispatch(part)
            let second = with.dispatch(part)
            alone.append(first)
            difference.append(second - first)
        }
        Figure("dispatch/no-tracker", Samples(alone).median, "ns/event").printLine()
        Figure("dispatch/host-to-plugin", Samples(difference).median, "ns/event").printLine()
    }
}

/// A run of its own that is handed the same event again and again.
@safe private final class Dispatcher {
    private let coordinator: Coordinator
    private let buffer = BlockBuffer()
    private var time: Int64 = 1_000_000

    init(trackers: Int) throws(BenchError) {
        do throws(PluginError) {
            let catalog = PluginCatalog()
            unsafe try catalog.add(
                LoadedLibrary(entry: trivial_tracker_entry(), path: "linked in", sha256: "")
            )
            let entry = try catalog.find(TRIVIAL_TRACKER_ID)
            let setups = (0..<trackers).map { number in
                TrackerSetup(name: "trivial-\(number)", entry: entry, configuration: "{}", enabled: true)
            }
            coordinator = try Coordinator(
                run: RunDescription(id: "bench", epoch: 0),
                trackers: setups,
                consumers: [],
                recorder: nil,
                log: PluginLog { _, _, _ in }
            )
        } catch {
            throw .refused(error.description)
        }
        send(.videoLoad)
        send(.play)
        send(.firstFrame)
        write(.custom, attributes: 20)
    }

    /// Nanoseconds an event.
    func dispatch(_ count: Int) -> Double {
        let block = unsafe buffer.base.assumingMemoryBound(to: tally_event.self)
        let begin = Stopwatch.wall()
        for _ in 0..<count {
            time += 100
            unsafe block.pointee.time_us = time
            unsafe coordinator.replay(block)
        }
        return Double(Stopwatch.wall() - begin) / Double(count)
    }

    private func send(_ type: EventType) {
        write(type, attributes: 0)
        unsafe coordinator.replay(buffer.base.assumingMemoryBound(to: tally_event.self))
    }

    private func write(_ type: EventType, attributes: Int) {
        var writer = buffer.writer()
        unsafe writer.header.pointee.time_us = time
        for number in 0..<attributes {
            let value: PlainValue = number % 2 == 0 ? .string("the value of attribute \(number)") : .int(Int64(number))
            _ = writer.set(.none, "attribute_\(number)", value)
        }
        guard let name = EventTypeNames.name(of: type) else { return }
        _ = writer.finish(type: type, name: name)
    }
}
