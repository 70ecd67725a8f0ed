internal import Coordinator
internal import HostSupport
internal import PluginLoading
internal import Setup
internal import Tally
internal import TextEncoding

/// The runs of an application that go on, as commands change their plugins: all of them alike, and those to come.
final class EmbeddedRuns: Sendable {
    private let telemetry: Telemetry
    private let runs = Lock<[PlayerRun]>([])

    init(_ telemetry: Telemetry) { self.telemetry = telemetry }

    func add(_ run: PlayerRun) {
        runs.with { runs in
            runs.removeAll { !$0.isOpen }
            runs.append(run)
        }
    }

    func destroyAll(limit: Int64) {
        for run in runs.with({ $0.drained }) { run.destroy(.drain(limit: limit)) }
    }

    private var open: [PlayerRun] { runs.with { $0.filter(\.isOpen) } }

    /// What a tracker is in the runs that begin now; nil when there is none of the name.
    private func setup(of name: String) -> TrackerSetup? { telemetry.setups.first { $0.name == name } }

    private func change(_ name: String, enable: Bool, _ cause: ControlCause) -> PluginChange {
        if telemetry.reporter(named: name) != nil { return telemetry.switchReporter(name, enable: enable) }
        guard let now = setup(of: name) else { return .unknown(known: telemetry.setups.map(\.name)) }
        telemetry.changeSetup(ofTracker: name) { $0.enabled = enable }
        var changes = open.map { run in
            enable ? run.enable(plugin: name, cause: cause) : run.disable(plugin: name, cause: cause)
        }
        if changes.isEmpty {
            let unchanged: PluginChange = enable ? .alreadyEnabled : .alreadyDisabled
            changes = [now.enabled == enable ? unchanged : .requested]
        }
        return changes.first { $0 == .requested } ?? changes[0]
    }
}

extension [PlayerRun] {
    fileprivate var drained: [PlayerRun] {
        mutating get {
            defer { self = [] }
            return self
        }
    }
}

extension EmbeddedRuns: ControlledPlayback {
    var openRuns: [String] { open.map(\.id) }

    func plugins() -> [PluginStatus] {
        if let run = open.last { return run.plugins() }
        return telemetry.pluginStatuses(
            trackers: telemetry.setups.map { setup in
                PluginStatus(
                    name: setup.name,
                    setup.entry.description,
                    state: setup.enabled ? .enabled : .disabled
                )
            }
        )
    }

    func confirmedStatus(of name: String) throws(ControlError) -> PluginStatus? {
        if let reporter = telemetry.reporter(named: name) { return reporter.status }
        if let run = open.last { return try run.confirmedStatus(of: name) }
        return plugins().first { $0.name == name }
    }

    func enable(plugin name: String, cause: ControlCause) -> PluginChange { change(name, enable: true, cause) }

    func disable(plugin name: String, cause: ControlCause) -> PluginChange { change(name, enable: false, cause) }

    func configure(plugin name: String, _ configuration: JSONValue, cause: ControlCause) throws(ControlError) {
        let open = open
        guard setup(of: name) != nil, !open.isEmpty else {
            return try telemetry.configure(name, configuration, cause) { _ throws(ControlError) in
                telemetry.changeSetup(ofTracker: name) { $0.configuration = configuration.canonicalText }
            }
        }
        for run in open { try run.configure(plugin: name, configuration, cause: cause) }
        telemetry.changeSetup(ofTracker: name) { $0.configuration = configuration.canonicalText }
    }

    func command(
        plugin name: String,
        _ command: String,
        _ arguments: JSONValue,
        cause: ControlCause,
        limit: Int64?
    ) throws(ControlError) -> JSONValue {
        let open = open
        guard setup(of: name) != nil, !open.isEmpty else {
            return try telemetry.command(name, command, arguments, cause, limit: limit) { _, _ throws(ControlError) in
                nil
            } change: { _, _ throws(ControlError) in
                throw ControlError(kind: .unavailable, "no run goes on: there is no tracker to take the command")
            }
        }
        var answer = JSONValue.null
        for run in open {
            answer = try run.command(plugin: name, command, arguments, cause: cause, limit: limit)
        }
        return answer
    }
}

extension EmbeddedRuns: CommandedHost {
    var section: HostSection { .library }

    func perform(_ command: PlaybackCommand) -> ControlReply {
        .failure(.unavailable, "the application plays: what is tracked here cannot be told to play otherwise")
    }

    func erase() -> ControlReply {
        let open = open
        guard !open.isEmpty else { return .failure(.unavailable, "no run goes on") }
        var replies: [ControlReply] = []
        for run in open { replies.append(RunErasure.reply(run: run)) }
        return replies.first { if case .failure = $0 { true } else { false } } ?? replies[0]
    }

    var statistics: JSONObject {
        let runs = open.map { run in
            JSONValue.object(["run": .string(run.id), "time_us": .int(run.time)])
        }
        return ["runs": .array(runs)]
    }
}
