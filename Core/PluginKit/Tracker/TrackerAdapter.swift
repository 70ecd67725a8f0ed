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
        host.restartTimers()
        return attempt { (tracker) throws(TrackerFault) in try tracker.enable() }
    }

    override func disable() {
        host.timers.removeAll()
        tracker.disable()
    }

    override func knowsPlayer(at time: Int64, _ state: UnsafePointer<tally_state>?) -> Bool {
        host.timers.now = time
        return unsafe state != nil
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
        unsafe strcmp(id, TALLY_EXT_TRACKER) == 0 ? UnsafeRawPointer(Self.table) : stateTable(id)
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
                    instance.host.timers.now = snapshot.time
                    return instance.attempt { (tracker) throws(TrackerFault) in
                        try tracker.sessionBegin(snapshot)
                        if snapshot.isJoin { try tracker.join(snapshot) }
                    }
                }
            },
            on_event: { plugin, event in
                unsafe plugin.with(TrackerAdapter.self, or: TALLY_ERR_STATE) { instance in
                    unsafe instance.host.timers.now = event.pointee.time_us
                    return instance.attempt { (tracker) throws(TrackerFault) in
                        unsafe try tracker.handle(EventView(event))
                    }
                }
            },
            on_timer: { plugin, timer, deadline, now in
                unsafe plugin.with(TrackerAdapter.self, or: ()) { instance in
                    instance.host.timers.now = deadline
                    let timer = instance.host.timers.fired(timer)
                    unsafe instance.tracker.timerFired(timer, at: deadline, state: PlayerState(now))
                }
            },
            session_end: { plugin, reason, time, now in
                unsafe plugin.with(TrackerAdapter.self, or: ()) { instance in
                    instance.host.timers.now = time
                    let reason = SessionEndReason(rawValue: reason)
                    unsafe instance.tracker.sessionEnd(reason, at: time, state: PlayerState(now))
                    instance.host.timers.endSession()
                }
            }
        )
    )

    // MARK: - State over a replacement

    private func stateTable(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? {
        guard unsafe strcmp(id, TALLY_EXT_STATE) == 0, tracker is any StateTransferring else { return nil }
        return unsafe UnsafeRawPointer(stateFunctions)
    }

    private lazy var stateFunctions = unsafe UnsafePointer.lasting(
        tally_state_transfer(
            struct_size: UInt32(MemoryLayout<tally_state_transfer>.size),
            format: (tracker as? any StateTransferring).map { type(of: $0).stateFormat } ?? 0,
            save: { plugin, sink in
                unsafe plugin.with(TrackerAdapter.self, or: TALLY_ERR_STATE) { unsafe $0.save(sink) }
            },
            load: { plugin, bytes, count in
                unsafe plugin.with(TrackerAdapter.self, or: TALLY_ERR_STATE) {
                    unsafe $0.loadState(UnsafeRawBufferPointer(start: bytes, count: count))
                }
            }
        )
    )

    private func save(_ sink: UnsafePointer<tally_sink>) -> tally_status {
        guard let tracker = tracker as? any StateTransferring else { return TALLY_ERR_UNSUPPORTED }
        return unsafe tracker.saveState().withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return TALLY_OK }
            return unsafe sink.pointee.write(sink, start, bytes.count)
        }
    }

    private func loadState(_ bytes: UnsafeRawBufferPointer) -> tally_status {
        guard let tracker = tracker as? any StateTransferring else { return TALLY_ERR_UNSUPPORTED }
        do throws(TrackerFault) {
            unsafe try tracker.loadState([UInt8](bytes))
            return TALLY_OK
        } catch {
            return fail(error)
        }
    }
}
