import NielsenDCR
import PluginKit

/// The tracker with its commands driven by custom events, so that a run records and replays them like any event.
///
/// The event's name is the command, its value the argument's JSON text; the answer is a record of the kind `answer`.
final class CommandedTracker: Tracker {
    static let descriptor = NielsenDCRTracker.descriptor

    private let tracker: NielsenDCRTracker
    private let host: TrackerHost
    private let record = RecordBuilder()

    init(run: RunInformation, host: TrackerHost) {
        tracker = NielsenDCRTracker(run: run, host: host)
        self.host = host
    }

    func configure(_ configuration: JSONValue) throws(ConfigurationError) { try tracker.configure(configuration) }
    func enable() { tracker.enable() }
    func disable() { tracker.disable() }
    func sessionBegin(_ snapshot: EventView) { tracker.sessionBegin(snapshot) }

    func handle(_ event: EventView) {
        guard event.type == .custom, let command = event.attributes[.customName]?.string?.string else {
            return tracker.handle(event)
        }
        var arguments: JSONValue = [:]
        if case .string(let text)? = event.attributes["value"]?.value {
            arguments = (try? JSONParser().parse(text.string)) ?? [:]
        }
        record.begin("answer")
        do throws(CommandError) {
            let answer = try tracker.run(command, arguments, at: event.time, state: event.state)
            record.set("text", answer.canonicalText)
        } catch {
            record.set("error", error.description)
        }
        host.emit(record)
    }

    func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        tracker.timerFired(timer, at: deadline, state: state)
    }

    func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        tracker.sessionEnd(reason, at: time, state: state)
    }
}
