import NielsenDCR
import PluginKit

/// A tracker that makes the vendor's calls as custom events name them: shows what each call does in each state.
///
/// The event's `value` is the argument: text, a number, or a list, which stands for an argument of a wrong type. A text
/// that begins with `{` is taken for JSON text by the API itself.
final class DirectAPITracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.nielsen-api",
        name: "Nielsen API",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: TrackerConfiguration.schemaText,
        storeKeys: [OptOut.storeKey]
    )

    private let host: TrackerHost
    private let epoch: Int64
    private let record = RecordBuilder()
    private var api: AppAPI?
    private var lastPosition: Int64?

    init(run: RunInformation, host: TrackerHost) {
        self.host = host
        epoch = run.epochMicroseconds
    }

    func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        api = AppAPI(try TrackerConfiguration(reading: configuration), host: host, storedOptOut: nil)
    }

    func handle(_ event: EventView) {
        guard event.type == .custom, let api, let call = event.attributes[.customName]?.string else { return }
        let moment = Moment(event.time, epochMicroseconds: epoch, player: event.state)
        let value = event.attributes["value"]?.value ?? .null
        switch call.string {
        case "init": api.start(at: moment)
        case "play": api.play(channelName: text(value))
        case "loadMetadata": api.loadMetadata(argument(value), at: moment)
        case "playheadPosition":
            guard case .int(let position) = value else { return }
            api.playheadPosition(position, isCredited: lastPosition == position - 1, at: moment)
            lastPosition = position
        case "stop": api.stop(at: moment)
        case "end": api.end(at: moment)
        case "userOptOut": api.userOptOut(text(value) ?? "")
        case "appDisableApi":
            if case .bool(let truth) = value { api.disable(truth) }
        case "state":
            record.begin("state")
            record.set("state", api.state.rawValue)
            host.emit(record)
        default: break
        }
    }

    private func text(_ value: ValueView) -> String? {
        if case .string(let text) = value { text.string } else { nil }
    }

    private func argument(_ value: ValueView) -> JSONValue {
        switch value {
        case .string(let text): .string(text.string)
        case .int(let number): .int(number)
        case .list: .array([])
        default: .null
        }
    }
}
