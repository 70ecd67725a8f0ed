internal import EventModel
internal import Glibc
internal import PluginABI
internal import TextEncoding

/// One tracker behind the ABI's tables of functions.
@safe final class TrackerAdapter: PluginAdapter {
    private let tracker: any Tracker
    private let host: TrackerHost
    private let needsStore: Bool

    /// Makes the tracker; the host is not called yet.
    init(_ type: any Tracker.Type, host: HostPointer, run: UnsafePointer<tally_run_info>) {
        let port = unsafe HostPort(host)
        self.host = TrackerHost(port)
        tracker = unsafe type.init(run: RunInformation(run), host: self.host)
        needsStore = !type.descriptor.storeKeys.isEmpty
        super.init(
            port,
            isReconfigurable: tracker is any Reconfigurable,
            commands: (tracker as? any CommandHandling).map { Swift.type(of: $0).commands }
        )
    }

    override func connect() -> String? {
        host.connect(needsStore: needsStore)
    }

    override func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        try tracker.configure(configuration)
    }

    override func enable() -> tally_status {
        attempt { (tracker) throws(TrackerFault) in try tracker.enable() }
    }

    override func disable() {
        tracker.disable()
    }

    override func knowsPlayer(at time: Int64, _ state: UnsafePointer<tally_state>?) -> Bool {
        unsafe state != nil
    }

    override func reconfigure(
        _ configuration: JSONValue,
        at time: Int64,
        _ state: UnsafePointer<tally_state>?
    ) throws(ConfigurationError) {
        guard let state = unsafe state, let tracker = tracker as? any Reconfigurable else { return }
        unsafe try tracker.reconfigure(configuration, at: time, state: PlayerState(state))
    }

    override func run(
        _ command: String,
        _ arguments: JSONValue,
        at time: Int64,
        _ state: UnsafePointer<tally_state>?
    ) throws(CommandError) -> JSONValue {
        guard let state = unsafe state, let tracker = tracker as? any CommandHandling else { return .null }
        return unsafe try tracker.run(command, arguments, at: time, state: PlayerState(state))
    }

    override func ownTable(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? {
        unsafe strcmp(id, TALLY_EXT_TRACKER) == 0 ? UnsafeRawPointer(Self.table) : nil
    }

    /// Calls the tracker and turns a fault into a status.
    @inline(__always)
    private func attempt(_ body: (any Tracker) throws(TrackerFault) -> Void) -> tally_status {
        do throws(TrackerFault) {
            try body(tracker)
            return TALLY_OK
        } catch {
            return fail(error)
        }
    }

    @inline(never)
    private func fail(_ fault: TrackerFault) -> tally_status {
        port.fail(TALLY_ERR_INTERNAL, fault.message)
    }

    private nonisolated(unsafe) static let table = unsafe UnsafePointer.lasting(
        tally_tracker(
            struct_size: UInt32(MemoryLayout<tally_tracker>.size),
            reserved0: 0,
            session_begin: { plugin, snapshot in
                unsafe plugin.with(TrackerAdapter.self, or: TALLY_ERR_STATE) { instance in
                    let snapshot = unsafe EventView(snapshot)
                    return instance.attempt { (tracker) throws(TrackerFault) in
                        try tracker.sessionBegin(snapshot)
                        if snapshot.isJoin { try tracker.join(snapshot) }
                    }
                }
            },
            on_event: { plugin, event in
                unsafe plugin.with(TrackerAdapter.self, or: TALLY_ERR_STATE) { instance in
                    instance.attempt { (tracker) throws(TrackerFault) in
                        unsafe try tracker.handle(EventView(event))
                    }
                }
            },
            on_timer: { plugin, timer, deadline, now in
                unsafe plugin.with(TrackerAdapter.self, or: ()) { instance in
                    unsafe instance.tracker.timerFired(
                        TimerID(rawValue: timer),
                        at: deadline,
                        state: PlayerState(now)
                    )
                }
            },
            session_end: { plugin, reason, time, now in
                unsafe plugin.with(TrackerAdapter.self, or: ()) { instance in
                    let reason = SessionEndReason(rawValue: reason)
                    unsafe instance.tracker.sessionEnd(reason, at: time, state: PlayerState(now))
                }
            }
        )
    )
}
