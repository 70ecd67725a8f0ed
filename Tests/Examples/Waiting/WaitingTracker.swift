import PluginKit

/// Measures how long the viewer waits for data, and says so after each wait and at the session's end.
final class WaitingTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.example.waiting",
        name: "Waiting",
        vendor: "Example",
        version: "1.0.0",
        configurationSchema: """
            {"type":"object","additionalProperties":false,"properties":{
            "shortest_ms":{"type":"integer","minimum":0,"default":0,"description":"shorter waits are left out"}}}
            """
    )

    private let host: TrackerHost
    private let record = RecordBuilder()
    /// From configuration, us.
    private var shortest: Int64 = 0
    private var waitingSince: Int64?
    private var waited: Int64 = 0

    init(run: RunInformation, host: TrackerHost) {
        self.host = host
    }

    func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        shortest = try configuration.integer("shortest_ms", in: 0...60_000, default: 0) * 1000
    }

    func sessionBegin(_ snapshot: EventView) {
        waitingSince = nil
        waited = 0
    }

    func handle(_ event: EventView) {
        switch event.type {
        case .bufferStart: waitingSince = waitingSince ?? event.time
        case .bufferComplete: finish(at: event.time, state: event.state)
        default: break
        }
    }

    func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        finish(at: time, state: state)
        record.begin("waiting_summary")
        record.set("waited_ms", waited / 1000)
        host.emit(record)
    }

    private func finish(at time: Int64, state: PlayerState) {
        guard let since = waitingSince else { return }
        waitingSince = nil
        guard time - since >= shortest else { return }
        waited += time - since
        record.begin("wait")
        record.set("waited_ms", (time - since) / 1000)
        if let playhead = state.playheadMilliseconds { record.set("playhead_ms", playhead) }
        host.emit(record)
    }
}
