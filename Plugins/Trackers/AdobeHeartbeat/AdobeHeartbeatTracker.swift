internal import AdobeShared
internal import PluginABI
package import PluginKit

/// Behaves as the Video Heartbeat library does: turns track calls into heartbeat entries.
///
/// It is always in one of four phases: no session, a load that waits for what the player has not said yet, an open
/// session, and the error state, which only a load leaves (Adobe VHL 1.4, "Monitor the Error State").
package final class AdobeHeartbeatTracker: Tracker, Reconfigurable {
    static let version: StaticString = "1.0.0"
    static let wireVersion: StaticString = "linux-1.0.0"
    static let type: StaticString = "AdobeHeartbeat.AdobeHeartbeatTracker"

    package static let descriptor = TrackerDescriptor(
        id: "com.adobe.heartbeat",
        name: "Adobe Video Heartbeat",
        vendor: "Adobe",
        version: "\(version)",
        build: .tally(),
        configurationSchema: HeartbeatConfiguration.schemaText,
        sharedConfiguration: [SettingsBlock.path],
        // All: whatever comes may bring what a load waits for. The list holds for good, so what comes by far the most
        // often is left alone in `handle` at other times.
        wantedEvents: nil
    )

    enum Phase {
        case idle
        case held(HeldLoad)
        case open(HeartbeatSession)
        case failed
    }

    let host: TrackerHost
    let run: RunInformation
    let tracer: Tracer
    let writer: EntryWriter
    var phase = Phase.idle
    /// The one timer: the quantum's end, or the end of waiting for a held load.
    var timer: (id: TimerID, deadline: Int64)?
    /// How many sessions in a row the tracker itself could not go on with.
    var internalFailures = 0
    /// What the host is told at each event once that has happened twice.
    var repeatedFault: TrackerFault?
    private var reader = CallReader(compatibility: .v14)
    private var isConfigured = false
    private var now: Int64 = 0

    package init(run: RunInformation, host: TrackerHost) {
        self.host = host
        self.run = run
        tracer = Tracer(.leveled, host: host, epochMicroseconds: run.epochMicroseconds)
        writer = EntryWriter(HeartbeatConfiguration(), host: host, tracer: tracer)
    }

    var configuration: HeartbeatConfiguration { writer.configuration }

    func moment(_ time: Int64, _ player: PlayerState) -> KeptMoment {
        now = time
        return KeptMoment(run.moment(time, player))
    }

    // MARK: - Life cycle

    package func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        apply(try HeartbeatConfiguration.shared(reading: configuration))
    }

    /// Takes over a configuration in mid-run (the guides' configure, called again).
    ///
    /// It holds from the next entry on. One that is not valid leads to the error state at once; a valid one does not
    /// leave that state, the next load does. What is read once at start stays: the version, the Analytics settings.
    package func reconfigure(_ configuration: JSONValue, at time: Int64, state: PlayerState) throws(ConfigurationError)
    {
        let moment = moment(time, state)
        var new = try HeartbeatConfiguration(reading: configuration)
        let old = self.configuration
        if new.compatibility != old.compatibility {
            warn("compatibility stays \(old.compatibility.rawValue) until a restart")
            new.compatibility = old.compatibility
        }
        if new.settings == nil {
            new.settings = old.settings
        } else if new.settings != old.settings {
            warn("\(SettingsBlock.fileName) is read once: it stays until a restart")
            new.settings = old.settings
        }
        apply(new)
        if let problem = new.problem {
            fail(.configuration, details: problem, at: moment)
        } else if case .open(let session) = phase {
            session.clock.count(until: time)
            session.clock.interval = new.trackingInterval
            syncTimer(session.clock.deadline)
        } else if case .held(var held) = phase {
            held.setInterval(new.trackingInterval, at: time)
            phase = .held(held)
            syncTimer(held.deadline)
        }
    }

    private func apply(_ new: HeartbeatConfiguration) {
        writer.configuration = new
        reader = CallReader(compatibility: new.compatibility)
        tracer.style = new.compatibility.traceStyle
        tracer.set(on: new.debugLogging, at: now, type: "\(Self.type)")
        guard !isConfigured else { return }
        isConfigured = true
        guard let unknown = new.settings?.unknownKeys, !unknown.isEmpty else { return }
        warn("\(SettingsBlock.fileName) has keys without effect here: \(unknown.joined(separator: ", "))")
    }

    private func warn(_ text: String) { tracer.warn(Self.type, "configure", at: now, text) }

    package func enable() {
        phase = .idle
        timer = nil
        internalFailures = 0
        repeatedFault = nil
        guard let problem = configuration.problem else { return }
        enterErrorState(.configuration, details: problem, at: now)
    }

    package func disable() {
        timer = nil
        phase = .idle
    }

    // MARK: - Events

    package func join(_ snapshot: EventView) throws(TrackerFault) {
        let moment = moment(snapshot.time, snapshot.state)
        load(snapshot.attributes, at: moment)
        if case .open(let session) = phase {
            attempt(at: moment) { () throws(InvalidInformation) in
                try session.join(reader.landing(snapshot, at: moment), player: snapshot.state, at: moment)
            }
        }
        finishStep(at: moment)
        try checkConfiguration()
    }

    package func handle(_ event: EventView) throws(TrackerFault) {
        guard !event.isCommonplace || wantsEveryEvent else { return }
        let moment = moment(event.time, event.state)
        switch event.type {
        case .videoLoad: load(event.attributes, at: moment)
        case .metadataChange: update(event.attributes, at: moment)
        case .systemSuspended where run.semantics >= 2:
            sleep(for: event.attributes[.stepMicroseconds]?.int ?? 0, from: event, at: moment)
        default:
            guard let call = reader.call(event, at: moment) else { return look(at: moment) }
            perform(call, at: moment)
        }
        finishStep(at: moment)
        if let repeatedFault { throw repeatedFault }
        if event.type == .videoLoad { try checkConfiguration() }
    }

    /// A session that the configuration costs is an error to the host too, which counts it.
    private func checkConfiguration() throws(TrackerFault) {
        guard let problem = configuration.problem else { return }
        throw TrackerFault("\(ErrorReason.configuration.message): \(problem)")
    }

    package func timerFired(_ fired: TimerID, at deadline: Int64, state: PlayerState) {
        guard fired == timer?.id else { return }
        timer = nil
        let moment = moment(deadline, state)
        switch phase {
        case .open(let session): session.endQuantum(at: moment)
        case .held(let held): wait(held, at: moment)
        case .idle, .failed: break
        }
        finishStep(at: moment)
    }

    package func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        guard case .open(let session) = phase else {
            if case .held = phase { phase = .idle }
            return
        }
        // Nobody called for an unload: what is left open would be open for ever when the tracker comes back.
        if reason.isLeave {
            let moment = moment(time, state)
            attempt(at: moment) { () throws(InvalidInformation) in try session.perform(.unload, at: moment) }
        }
        phase = .idle
        timer = nil
    }
}

extension EventView {
    /// Whether it comes often and stands for no call: samples of the playhead and requests are nearly all events.
    ///
    /// The numbers are the header's own, since those of another module are not constants to the compiler.
    @inline(__always)
    fileprivate var isCommonplace: Bool {
        switch unsafe raw.pointee.type {
        case TALLY_EVENT_TYPE_PLAYHEAD_SAMPLE, TALLY_EVENT_TYPE_REQUEST_COMPLETED, TALLY_EVENT_TYPE_REQUEST_FAILED,
            TALLY_EVENT_TYPE_REQUEST_CANCELLED:
            true
        default: false
        }
    }
}
