internal import PluginABI
package import PluginKit

/// Turns player events into those of Mux Data (custom integration guide for Objective-C), and measures views as the
/// vendor's core library does.
///
/// An instance watches one player. Its monitor appears with the first event that it hears.
package final class MuxDataTracker: Tracker {
    static let version = "1.0.0"

    package static let descriptor = TrackerDescriptor(
        id: "com.mux.data",
        name: "Mux Data",
        vendor: "Mux",
        version: version,
        build: .tally(),
        configurationSchema: MuxConfiguration.schemaText,
        storeKeys: ViewerSession.storeKeys,
        wantedEvents: Set(EventType.wellKnown.map(\.type)).union([.anyUnknown]).subtracting(unusedEvents)
    )

    /// What a view does not notice, not even as a sign that somebody watches.
    private static let unusedEvents: [EventType] = [
        .chapterStart, .chapterComplete, .chapterSkip, .applicationError, .applicationLaunched, .applicationTerminated,
        .applicationForeground, .applicationBackground, .interruptionStart, .interruptionEnd, .consent, .clockStep,
    ]

    private let host: TrackerHost
    private let run: RunInformation
    private var configuration: MuxConfiguration?
    private var session: ViewerSession
    // The host calls a tracker in one serial context, and nothing that a monitor calls comes back here.
    @safe @exclusivity(unchecked) private var monitor: PlayerMonitor?
    private var isGlobalDataSaid = false
    private var hadMonitor = false

    package init(run: RunInformation, host: TrackerHost) {
        self.host = host
        self.run = run
        session = ViewerSession(run.stored)
    }

    package func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        self.configuration = try MuxConfiguration.shared(reading: configuration)
    }

    package func enable() {
        monitor = nil
        isGlobalDataSaid = false
    }

    package func disable() { monitor = nil }

    // MARK: - Sessions

    package func sessionBegin(_ snapshot: EventView) {
        guard snapshot.isJoin else { return }
        let moment = run.moment(of: snapshot)
        guard makeMonitor(with: snapshot.attributes, at: moment, isVideoLoaded: true) else { return }
        monitor?.join(snapshot.attributes, at: moment)
    }

    package func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        monitor?.enter(run.moment(time, state))
        if reason == .unload { monitor?.unload() } else { destroyMonitor() }
    }

    // MARK: - Events

    package func handle(_ event: EventView) {
        let type = unsafe event.raw.pointee.type
        guard monitor != nil else { return handleFirst(event, type) }
        monitor?.handle(event, type, at: run.moment(of: event))
    }

    package func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        monitor?.timerFired(timer, at: run.moment(deadline, state))
    }

    /// Makes the monitor appear, with the first event that a view can begin with.
    private func handleFirst(_ event: EventView, _ type: UInt32) {
        let moment = run.moment(of: event)
        switch type {
        case TALLY_EVENT_TYPE_PLAYER_READY: makeMonitor(with: event.attributes, at: moment, isVideoLoaded: false)
        case TALLY_EVENT_TYPE_VIDEO_LOAD: makeMonitor(with: event.attributes, at: moment, isVideoLoaded: true)
        case TALLY_EVENT_TYPE_PLAY, TALLY_EVENT_TYPE_AD_BREAK_START, TALLY_EVENT_TYPE_AD_START,
            TALLY_EVENT_TYPE_PLAYER_ERROR:
            guard makeMonitor(with: event.attributes, at: moment, isVideoLoaded: false) else { return }
            monitor?.handle(event, type, at: moment)
        default: break
        }
    }

    /// False when there is no configuration.
    @discardableResult
    private func makeMonitor(with attributes: AttributeList, at moment: Moment, isVideoLoaded: Bool) -> Bool {
        guard let configuration else { return false }
        monitor = PlayerMonitor(
            configuration,
            name: configuration.player ?? run.instance,
            session: session,
            host: host,
            at: moment.time,
            viewerTime: moment.epochMilliseconds,
            isVideoLoaded: isVideoLoaded,
            isGlobalDataSaid: isGlobalDataSaid,
            isSleepToldAtEnd: run.semantics < 2
        )
        isGlobalDataSaid = true
        monitor?.enter(moment)
        // The player is as old as its run; one that was destroyed and heard of again is new.
        let initialisedAt = hadMonitor ? moment.epochMilliseconds : run.epochMicroseconds / 1000
        hadMonitor = true
        monitor?.appear(with: attributes, at: moment, initialisedAt: initialisedAt)
        return true
    }

    /// Ends the view and forgets the player; a later event begins anew.
    private func destroyMonitor() {
        monitor?.destroy()
        if let last = monitor?.session { session = last }
        monitor = nil
    }
}

// MARK: - Control

extension MuxDataTracker: Reconfigurable, CommandHandling {
    package func reconfigure(
        _ configuration: JSONValue,
        at time: Int64,
        state: PlayerState
    ) throws(ConfigurationError) {
        let new = try MuxConfiguration(reading: configuration)
        if let old = self.configuration {
            try Self.refuse("environmentKey", old.environmentKey, new.environmentKey)
            try Self.refuse("player", old.player, new.player)
            try Self.refuse("beaconDomain", old.beaconDomain, new.beaconDomain)
        }
        self.configuration = new
        monitor?.enter(run.moment(time, state))
        monitor?.reconfigure(new)
    }

    /// What names the player and its collector stays as long as the player does.
    private static func refuse(_ key: String, _ old: String?, _ new: String?) throws(ConfigurationError) {
        guard old != new else { return }
        let expected = "the value \(old ?? "none") until the player run ends"
        throw .unusable(key: key, value: new ?? "none", expected: expected)
    }

    package static var commands: [CommandDescriptor] {
        [
            CommandDescriptor(
                "destroyPlayer",
                "ends the view of the player named by \"player\" and forgets it; a later event begins anew",
                changesState: true
            ),
            CommandDescriptor(
                "identifiers",
                "the identifiers of viewer, player and view as they are now",
                changesState: false
            ),
        ]
    }

    package func run(
        _ command: String,
        _ arguments: JSONValue,
        at time: Int64,
        state: PlayerState
    ) throws(CommandError) -> JSONValue {
        switch command {
        case "destroyPlayer": return try destroyPlayer(arguments, at: time, state: state)
        default: return monitor?.identifiers ?? .object([:])
        }
    }

    private func destroyPlayer(
        _ arguments: JSONValue,
        at time: Int64,
        state: PlayerState
    ) throws(CommandError) -> JSONValue {
        let name: String
        do throws(ConfigurationError) {
            name = try arguments.text("player", default: monitor?.name)
        } catch {
            throw .argument(error)
        }
        guard let known = monitor?.name, known == name else {
            throw .refused("there is no player \"\(name)\" here: no event of it was heard, or it is destroyed already")
        }
        monitor?.enter(run.moment(time, state))
        destroyMonitor()
        return ["player": .string(name)]
    }
}
