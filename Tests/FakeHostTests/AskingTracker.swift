import PluginKit

/// A tracker that asks its host for what an event names, and says in a record what came of it.
final class AskingTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.asking",
        name: "Asking",
        vendor: "Tally",
        version: "1.0.0",
        storeKeys: ["viewer"]
    )

    private let run: RunInformation
    private let host: TrackerHost
    private let record = RecordBuilder()

    init(run: RunInformation, host: TrackerHost) {
        self.run = run
        self.host = host
    }

    func handle(_ event: EventView) {
        switch event.type {
        case .custom:
            let name = event.attributes[.customName]?.string?.string ?? ""
            if name == "timer" {
                let ahead = event.attributes["ahead_us"]?.int ?? 0
                let isOfSession = event.attributes["of_session"]?.bool ?? true
                host.startTimer(at: event.time + ahead, scope: isOfSession ? .session : .instance)
            } else {
                say(host.store(name, "value") ? "stored" : "not stored", at: event.time)
            }
        default: say("event", at: event.time, state: event.state, session: event.session, ordinal: event.ordinal)
        }
    }

    func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        say("timer", at: deadline, state: state)
    }

    func disable() {
        say("too late", at: 0)
    }

    private func say(
        _ kind: StaticString,
        at time: Int64,
        state: PlayerState? = nil,
        session: UInt32 = 0,
        ordinal: UInt64 = 0
    ) {
        record.begin(kind)
        record.set("time_us", time)
        record.set("playhead_ms", state?.playheadMilliseconds ?? -1)
        record.set("session", session)
        record.set("ordinal", ordinal)
        record.set("instance", run.instance)
        for value in run.stored.sorted(by: { $0.key < $1.key }) {
            record.set(named: value.key, value.value)
        }
        host.emit(record)
    }
}
