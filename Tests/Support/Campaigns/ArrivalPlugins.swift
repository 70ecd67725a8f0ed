internal import Coordinator
internal import EventModel
internal import PluginKit
internal import PluginLoading
internal import System
internal import TallyTesting

/// Delays of one kind, us.
final class Delays: Sendable {
    private let kept = Lock<[Int64]>([])

    func add(_ delay: Int64) {
        kept.with { $0.append(delay) }
    }

    /// How many, the one that 99 of 100 do not exceed, and the longest.
    func figures() -> (count: Int, most: Int64, longest: Int64) {
        let all = kept.with { $0 }.sorted()
        guard let last = all.last else { return (0, 0, 0) }
        return (all.count, all[(all.count - 1) * 99 / 100], last)
    }
}

/// Where the plugins of a measurement put what they see.
enum ArrivalProbe {
    /// What one measurement is made with.
    struct Setting: Sendable {
        var trackers = Delays()
        var reporters = Delays()
        /// How long the blocking reporter blocks, ms.
        var block: Int64 = 0
    }

    /// The measurement that goes on; reporters are made on threads of their own.
    static let setting = Lock(Setting())

    /// Adds how long ago an event was sent whose value is a time.
    static func note(_ event: EventView, in delays: Delays) {
        guard event.type == .custom, let sent = event.attributes["value"]?.int else { return }
        delays.add(SystemTime.monotonic() - sent)
    }

    static let source = unsafe PluginSource.linked {
        unsafe library.entry
    }

    private static let library = PluginLibrary(
        trackers: [ArrivalTracker.self],
        reporters: [ArrivalReporter.self, BlockingReporter.self]
    )
}

/// Notes when it is handed events.
final class ArrivalTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.arrival-tracker",
        name: "Arrivals",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object"}"#
    )

    private let delays = ArrivalProbe.setting.with { $0.trackers }
    private let record = RecordBuilder()
    private let host: TrackerHost

    init(run: RunInformation, host: TrackerHost) {
        self.host = host
    }

    func handle(_ event: EventView) throws(TrackerFault) {
        ArrivalProbe.note(event, in: delays)
        record.begin("SEEN")
        _ = host.emit(record)
    }
}

/// Notes when events arrive.
final class ArrivalReporter: Reporter {
    static let descriptor = ReporterDescriptor(
        id: "org.tally.test.arrival-reporter",
        name: "Arrivals",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object"}"#
    )

    private let delays = ArrivalProbe.setting.with { $0.reporters }
    private let host: ReporterHost

    init(host: ReporterHost) {
        self.host = host
    }

    func flush(_ request: FlushRequest) {
        host.answer(request, delivered: 0, kept: 0, dropped: 0)
    }

    func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        for index in outputs.indices {
            if let event = outputs[index].event { ArrivalProbe.note(event, in: delays) }
        }
        return outputs.count
    }
}

/// Takes nothing for a while, and does not return either.
final class BlockingReporter: Reporter {
    static let descriptor = ReporterDescriptor(
        id: "org.tally.test.blocking-reporter",
        name: "Blocking",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object"}"#
    )

    private let milliseconds = ArrivalProbe.setting.with { $0.block }
    private let host: ReporterHost
    private var hasBlocked = false

    init(host: ReporterHost) {
        self.host = host
    }

    func flush(_ request: FlushRequest) {
        host.answer(request, delivered: 0, kept: 0, dropped: 0)
    }

    func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        if !hasBlocked {
            hasBlocked = true
            let end = SystemTime.monotonic() + milliseconds * 1_000
            _ = Condition(false).wait(until: end) { $0 ? true : nil }
        }
        return outputs.count
    }
}
