package import PluginKit

/// Binds player events to one instance of the vendor's API.
///
/// The instance lives as long as the tracker is enabled, through all sessions of the run: one instance measures one
/// stream after another.
package final class NielsenDCRTracker: Tracker {
    static let version: StaticString = "1.0.0"

    package static let descriptor = TrackerDescriptor(
        id: "com.nielsen.dcr",
        name: "Nielsen DCR",
        vendor: "Nielsen",
        version: "\(version)",
        build: .tally(),
        configurationSchema: TrackerConfiguration.schemaText,
        storeKeys: [OptOut.storeKey],
        handlesConsent: true
    )

    let instance: String
    var configuration = TrackerConfiguration()
    /// Whether there is the application's information, without which every call would be ignored.
    private var isMeasuring = false
    /// The API, nil while the tracker is disabled.
    var api: AppAPI?

    let host: TrackerHost
    private let epochMicroseconds: Int64
    /// Whether a sleep of the machine is over when it is told, as by the first rules of archives.
    private let isSleepToldAtEnd: Bool
    var storedOptOut: String?
    private(set) var binding: PlayerBinding?
    var hasStarted = false

    package init(run: RunInformation, host: TrackerHost) {
        self.host = host
        instance = run.instance
        epochMicroseconds = run.epochMicroseconds
        isSleepToldAtEnd = run.semantics < 2
        if case .string(let text)? = run.stored[OptOut.storeKey] { storedOptOut = text }
    }

    package func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        self.configuration = try TrackerConfiguration.shared(reading: configuration)
        isMeasuring = self.configuration.application != nil
        if !isMeasuring {
            host.log(.warning, "no \"appid\" is configured: the instance is not initialised, and measures nothing")
        }
    }

    package func enable() {
        hasStarted = false
        let api = AppAPI(configuration, host: host, storedOptOut: storedOptOut)
        self.api = api
        binding = PlayerBinding(configuration, api: api, host: host)
    }

    package func disable() {
        // What the user chose outlasts the instance, also before the host has stored it for the next run.
        if let api, isMeasuring, !configuration.isForKids {
            storedOptOut = api.optOut.byUser ? "1" : "0"
        }
        binding = nil
        api = nil
    }

    package func sessionBegin(_ snapshot: EventView) {
        guard let binding, isMeasuring else { return }
        let moment = moment(snapshot.time, snapshot.state)
        start(at: moment)
        binding.sessionBegin(snapshot, at: moment)
    }

    package func handle(_ event: EventView) {
        guard let binding, isMeasuring, binding.concerns(event) else { return }
        if isSleepToldAtEnd, event.type == .systemSuspended { return }
        let moment = moment(event.time, event.state)
        start(at: moment)
        if event.type == .consent {
            applyConsent(event.attributes)
        } else {
            binding.handle(event, at: moment)
        }
    }

    package func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        binding?.timerFired(timer, at: moment(deadline, state))
    }

    package func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        guard let binding, isMeasuring else { return }
        binding.sessionEnd(at: moment(time, state))
    }

    /// A moment of this run.
    func moment(_ time: Int64, _ state: PlayerState) -> Moment {
        Moment(time, epochMicroseconds: epochMicroseconds, player: state)
    }

    /// Initialises the API the first time that something with a time is heard.
    func start(at moment: Moment) {
        guard !hasStarted else { return }
        hasStarted = true
        api?.start(at: moment)
    }

    /// Consent stands for the system's setting: tracking that is refused, or not decided yet, opts out.
    private func applyConsent(_ attributes: AttributeList) {
        guard let scope = attributes[.consentScope]?.string, scope == "all" || scope == instance,
            let state = attributes[.consentState]?.string
        else { return }
        api?.systemOptOut(!(state == "in"))
    }
}
