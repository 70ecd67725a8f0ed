internal import PluginABI
package import PluginKit

/// Binds player events to the senders of the vendor's video trackers.
///
/// An instance is what the vendor calls the agent: it lives as long as it is enabled, through all sessions of the run,
/// and starts one pair of trackers by itself.
package final class NewRelicVideoTracker: Tracker {
    static let version: StaticString = "1.0.0"

    package static let descriptor = TrackerDescriptor(
        id: "com.newrelic.video",
        name: "New Relic Video",
        vendor: "New Relic",
        version: "\(version)",
        build: .tally(),
        configurationSchema: TrackerConfiguration.schemaText
    )

    let host: TrackerHost
    var agent: VideoAgent?
    var recorder: RecordEmitter
    var attributes = AttributeStore()
    private(set) var isEnabled = false
    private let run: RunInformation
    private var configuration = TrackerConfiguration()

    package init(run: RunInformation, host: TrackerHost) {
        self.host = host
        self.run = run
        recorder = RecordEmitter(host)
    }

    package func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        self.configuration = try TrackerConfiguration.shared(reading: configuration)
    }

    package func enable() {
        isEnabled = true
        agent = nil
        attributes = AttributeStore(configuration.attributes)
        recorder = RecordEmitter(host, delivery: configuration.makeDelivery(host))
    }

    package func disable() {
        isEnabled = false
        agent = nil
    }

    package func sessionBegin(_ snapshot: EventView) {
        let moment = moment(snapshot.time, snapshot.state)
        readyAgent(at: moment).sessionBegin(snapshot, at: moment)
    }

    package func handle(_ event: EventView) {
        guard event.canMeanPlayback else { return observe(event) }
        let moment = moment(event.time, event.state)
        readyAgent(at: moment).handle(event, at: moment)
        sendOutsideSession()
    }

    /// Looks at an event that no record comes from.
    private func observe(_ event: EventView) {
        if event.type == .qualitySample {
            agent?.rememberPicture(event.state)
        } else if let length = run.sleptMilliseconds(event) {
            agent?.skip(length)
        }
    }

    package func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        let moment = moment(deadline, state)
        if recorder.delivery?.fires(timer) == true { return }
        agent?.timerFired(timer, at: moment)
        sendOutsideSession()
    }

    package func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        agent?.sessionEnd(reason, at: moment(time, state))
        recorder.delivery?.harvest()
    }

    /// A time of the run, and the player then; what is recorded in this call is dated with it.
    func moment(_ time: Int64, _ state: PlayerState) -> Moment {
        recorder.time = time
        return run.moment(time, state)
    }

    /// The agent; the first time, its trackers say that they are ready, since only now the time is known.
    func readyAgent(at moment: Moment) -> VideoAgent {
        if let agent { return agent }
        let agent = VideoAgent(configuration, recorder: recorder, host: host, attributes: attributes, at: moment)
        self.agent = agent
        agent.start(configuration.trackers, at: moment)
        return agent
    }

    /// Outside a session there is no end at which events that wait could be sent.
    func sendOutsideSession() {
        guard let delivery = recorder.delivery, agent?.isInSession != true else { return }
        delivery.sendOutsideSession()
    }
}

// MARK: - Control

extension NewRelicVideoTracker: Reconfigurable {
    package func reconfigure(
        _ configuration: JSONValue,
        at time: Int64,
        state: PlayerState
    ) throws(ConfigurationError) {
        let new = try TrackerConfiguration(reading: configuration)
        let old = self.configuration
        try Self.refuse("generation", old.generation.rawValue, new.generation.rawValue)
        try Self.refuse("platform", old.platform.rawValue, new.platform.rawValue)
        try Self.refuse("trackers", old.trackers.rawValue, new.trackers.rawValue)
        self.configuration = new
        guard isEnabled else { return }
        let moment = moment(time, state)
        attributes.reconfigure(new.attributes)
        // What waits is for where it was to go.
        recorder.delivery?.harvest()
        recorder.delivery = new.makeDelivery(host, after: recorder.delivery)
        agent?.reconfigure(new, at: moment.time)
    }

    /// What the trackers are stays as long as they are.
    private static func refuse(_ key: String, _ old: String, _ new: String) throws(ConfigurationError) {
        guard old != new else { return }
        let expected = "\"\(old)\" until the tracker is disabled: it cannot change while it runs"
        throw .unusable(key: key, value: "\"\(new)\"", expected: expected)
    }
}

extension RunInformation {
    /// How long the machine slept, in ms of the wall clock as `timestamp` tells both ends; nil for every other event.
    ///
    /// In archives of the first rules it is told when timers have counted it, and stays counted.
    func sleptMilliseconds(_ event: EventView) -> Int64? {
        guard semantics >= 2, event.type == .systemSuspended, let length = event.attributes[.stepMicroseconds]?.int
        else { return nil }
        guard (1..<1 << 53).contains(length) else { return nil }
        let begin = epochMicroseconds + event.time
        return (begin + length) / 1000 - begin / 1000
    }
}

extension EventView {
    /// Whether the event can mean anything to the vendor's trackers.
    ///
    /// Samples and requests are nearly all events and end here. The numbers are the header's own, since those of
    /// another module are not constants to the compiler.
    @inline(__always)
    var canMeanPlayback: Bool {
        switch unsafe raw.pointee.type {
        case TALLY_EVENT_TYPE_PLAYHEAD_SAMPLE, TALLY_EVENT_TYPE_QUALITY_SAMPLE, TALLY_EVENT_TYPE_REQUEST_COMPLETED,
            TALLY_EVENT_TYPE_REQUEST_FAILED, TALLY_EVENT_TYPE_REQUEST_CANCELLED:
            false
        case let type: type < TALLY_EVENT_TYPE_SESSION_SNAPSHOT
        }
    }
}
