internal import AdobeShared
internal import AllocationCounter
internal import PluginABI
internal import PluginKit

/// A tracker that measures the tracer of the Adobe trackers from where they use it.
final class TracingTracker: Tracker {
    static let id = "org.tally.bench.tracing"
    static let descriptor = TrackerDescriptor(
        id: id,
        name: "Tracing",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object","properties":{"calls":{"type":"integer"}}}"#
    )

    /// What its library would export.
    static var entry: UnsafePointer<tally_entry>? { unsafe library.entry }

    private static let library = PluginLibrary(trackers: [TracingTracker.self])
    private static let part: Int64 = 100_000

    private let tracer: Tracer
    private var calls: Int64 = 0
    private var session = "a text that a line would show"

    init(run: RunInformation, host: TrackerHost) {
        tracer = Tracer(.leveled, host: host, epochMicroseconds: run.epochMicroseconds)
    }

    func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        calls = try configuration.integer("calls", in: 1...Int64.max, default: 1)
    }

    func handle(_ event: EventView) {
        var alone: [Double] = []
        var difference: [Double] = []
        var sum: Int64 = 0
        for _ in 0..<max(3, calls / Self.part) {
            let first = time { sum &+= plain($0) }
            let second = time { sum &+= traced($0) }
            alone.append(first)
            difference.append(second - first)
        }
        Figure("trace/function", Samples(alone).median, "ns/call", [("check", "\(sum)")]).printLine()
        Figure("trace/off", Samples(difference).median, "ns/call").printLine()
        guard tally_can_count_allocations() else { return }
        tally_count_as_caller()
        tally_count_allocations(true)
        for number in 0..<Self.part {
            sum &+= traced(number)
        }
        tally_count_allocations(false)
        let allocations = Double(tally_allocations_by_callers())
        Figure("trace/allocations", allocations, "allocations", [("calls", "\(Self.part)"), ("check", "\(sum)")])
            .printLine()
    }

    /// Nanoseconds a call.
    private func time(_ call: (Int64) -> Void) -> Double {
        let begin = Stopwatch.wall()
        for number in 0..<Self.part {
            call(number)
        }
        return Double(Stopwatch.wall() - begin) / Double(Self.part)
    }

    @inline(never)
    private func plain(_ number: Int64) -> Int64 {
        number &* 3 &+ calls
    }

    @inline(never)
    private func traced(_ number: Int64) -> Int64 {
        tracer.debug("Bench.TracingTracker", "traced", at: number, "\(session): \(number) of \(calls)")
        return number &* 3 &+ calls
    }
}
