package import PluginKit

/// Binds player events to the senders of the vendor's video tracker.
///
/// An instance is what the vendor calls a tracker: it lives as long as it is enabled, through all sessions of the run.
package final class NewRelicVideoTracker: Tracker {
    static let version: StaticString = "1.0.0"

    package static let descriptor = TrackerDescriptor(
        id: "com.newrelic.video",
        name: "New Relic Video",
        vendor: "New Relic",
        version: "\(version)",
        configurationSchema: TrackerConfiguration.schema
    )

    private let host: TrackerHost
    private let epochMicroseconds: Int64
    private var configuration = TrackerConfiguration()
    private var heartbeat: Interval?
    private var binding: PlayerBinding?

    package init(run: RunInformation, host: TrackerHost) {
        self.host = host
        epochMicroseconds = run.epochMicroseconds
    }

    package func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        self.configuration = try TrackerConfiguration(configuration)
    }

    package func enable() {
        binding = nil
        heartbeat = configuration.heartbeatPeriod.map { Interval(every: $0, host: host) }
    }

    package func disable() {
        heartbeat?.stop()
        binding = nil
    }

    package func sessionBegin(_ snapshot: EventView) {
        let moment = Moment(snapshot.time, epochMicroseconds: epochMicroseconds, player: snapshot.state)
        readyBinding(at: moment).sessionBegin(snapshot, at: moment)
        runHeartbeat(at: snapshot.time)
    }

    package func handle(_ event: EventView) {
        guard PlayerBinding.concerns(event) else { return }
        let moment = Moment(event.time, epochMicroseconds: epochMicroseconds, player: event.state)
        readyBinding(at: moment).handle(event, at: moment)
        runHeartbeat(at: event.time)
    }

    package func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        guard heartbeat?.fires(timer, at: deadline) == true, let binding else { return }
        binding.tracker.sendHeartbeat(
            at: Moment(deadline, epochMicroseconds: epochMicroseconds, player: state)
        )
    }

    package func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        heartbeat?.stop()
        binding?.sessionEnd(
            reason,
            at: Moment(time, epochMicroseconds: epochMicroseconds, player: state)
        )
    }

    /// The binding; the first time, the tracker says that it is ready, since only now it knows the time.
    private func readyBinding(at moment: Moment) -> PlayerBinding {
        if let binding { return binding }
        let seconds = moment.epochMilliseconds / 1000
        let identifiers = ViewIdentifiers(epochSeconds: seconds) { host.random() }
        let tracker = VideoTracker(configuration, identifiers: identifiers, recorder: RecordEmitter(host))
        let binding = PlayerBinding(tracker)
        self.binding = binding
        tracker.sendTrackerReady(at: moment)
        return binding
    }

    /// Starts or stops the timer, as the stream started or ended in this call.
    private func runHeartbeat(at time: Int64) {
        let wanted = binding?.tracker.wantsHeartbeat ?? false
        guard wanted != heartbeat?.isRunning else { return }
        if wanted {
            heartbeat?.start(at: time)
        } else {
            heartbeat?.stop()
        }
    }
}
