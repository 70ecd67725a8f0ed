import PluginKit

/// A tracker that counts events, and takes everything that a tracker can take at run time.
final class CounterTracker: Reconfigurable, CommandHandling {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.counter",
        name: "Counter",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object"}"#
    )
    static let commands = [
        CommandDescriptor("count", "How many events came.", changesState: false),
        CommandDescriptor("add", "Counts `by` events more.", changesState: true),
        CommandDescriptor("never", "Is always refused.", changesState: false),
    ]

    private let host: TrackerHost
    private var count: Int64 = 0
    private var step: Int64 = 1

    init(run: RunInformation, host: TrackerHost) {
        self.host = host
    }

    func handle(_ event: EventView) {
        count += step
    }

    func reconfigure(_ configuration: JSONValue, at time: Int64, state: PlayerState) throws(ConfigurationError) {
        guard let step = configuration.object?["step"]?.int else {
            throw .missing(key: "step", expected: "an integer")
        }
        self.step = step
        host.log(.info, "step \(step) at \(time), playhead \(state.playheadMilliseconds ?? -1)")
    }

    func run(
        _ command: String,
        _ arguments: JSONValue,
        at time: Int64,
        state: PlayerState
    ) throws(CommandError) -> JSONValue {
        switch command {
        case "add":
            guard let by = arguments.object?["by"]?.int else {
                throw .argument(.missing(key: "by", expected: "an integer"))
            }
            count += by
            return .object(["count": .int(count), "time_us": .int(time)])
        case "count": return .int(count)
        default: throw .refused("not now; try again never")
        }
    }
}

/// A reporter that counts outputs and can be told a new number.
final class CounterReporter: ReconfigurableReporter, CommandHandlingReporter {
    static let descriptor = ReporterDescriptor(
        id: "org.tally.test.counter-reporter",
        name: "Counter",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object"}"#
    )
    static let commands = [CommandDescriptor("count", "How many outputs came.", changesState: false)]

    private let host: ReporterHost
    private var count = 0

    init(host: ReporterHost) {
        self.host = host
    }

    func deliver(_ outputs: OutputBatch) -> Int {
        count += outputs.count
        return outputs.count
    }

    func flush(_ request: FlushRequest) {}

    func reconfigure(_ configuration: JSONValue) throws(ConfigurationError) {
        guard let count = configuration.object?["count"]?.int else {
            throw .missing(key: "count", expected: "an integer")
        }
        self.count = Int(count)
    }

    func run(_ command: String, _ arguments: JSONValue) throws(CommandError) -> JSONValue {
        .int(Int64(count))
    }
}
