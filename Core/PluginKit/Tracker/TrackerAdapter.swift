internal import EventModel
internal import Glibc
internal import PluginABI

/// One tracker behind the ABI's table of functions.
@safe final class TrackerAdapter {
    let tracker: any Tracker
    let host: TrackerHost
    let commands: LastingText?
    let stateTable: UnsafeMutablePointer<tally_state_transfer>
    private let needsStore: Bool
    private let table: UnsafeMutablePointer<tally_plugin>

    /// Makes an instance that lives until `destroy`.
    static func make(
        _ type: any Tracker.Type,
        host: HostPointer,
        run: UnsafePointer<tally_run_info>
    ) -> UnsafePointer<tally_plugin> {
        let instance = unsafe TrackerAdapter(type, host: host, run: run)
        unsafe instance.table.pointee.plugin_data = unsafe Unmanaged.passRetained(instance).toOpaque()
        return unsafe UnsafePointer(instance.table)
    }

    private init(_ type: any Tracker.Type, host: HostPointer, run: UnsafePointer<tally_run_info>) {
        self.host = unsafe TrackerHost(HostPort(host))
        tracker = unsafe type.init(run: RunInformation(run), host: self.host)
        commands = Self.commandList(tracker)
        unsafe stateTable = Self.makeStateTable(tracker)
        needsStore = !type.descriptor.storeKeys.isEmpty
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(to: Self.functions)
    }

    deinit {
        unsafe table.deallocate()
        unsafe stateTable.deallocate()
    }

    // MARK: - Life cycle

    private func start(_ configuration: tally_str) -> tally_status {
        if let missing = host.connect(needsStore: needsStore) {
            return host.port.fail(TALLY_ERR_UNSUPPORTED, "this host does not offer \(missing), which is needed here")
        }
        do throws(ConfigurationError) {
            unsafe try tracker.configure(ConfigurationText.parse(configuration))
            return TALLY_OK
        } catch {
            return host.port.fail(TALLY_ERR_CONFIG, error.description)
        }
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
    func fail(_ fault: TrackerFault) -> tally_status {
        host.port.fail(TALLY_ERR_INTERNAL, fault.message)
    }

    // MARK: - Tables

    /// The instance behind a table; no reference is counted, since the host keeps the instance until `destroy`.
    @inline(__always)
    static func with<Result>(
        _ plugin: UnsafePointer<tally_plugin>,
        or absent: Result,
        _ body: (TrackerAdapter) -> Result
    ) -> Result {
        guard let data = unsafe plugin.pointee.plugin_data else { return absent }
        return unsafe Unmanaged<TrackerAdapter>.fromOpaque(data)._withUnsafeGuaranteedRef(body)
    }

    private nonisolated(unsafe) static let functions = unsafe tally_plugin(
        struct_size: UInt32(MemoryLayout<tally_plugin>.size),
        reserved0: 0,
        plugin_data: nil,
        init: { plugin, configuration in
            unsafe TrackerAdapter.with(plugin, or: TALLY_ERR_STATE) { unsafe $0.start(configuration) }
        },
        enable: { plugin in
            unsafe TrackerAdapter.with(plugin, or: TALLY_ERR_STATE) { instance in
                instance.host.restartTimers()
                return instance.attempt { (tracker) throws(TrackerFault) in try tracker.enable() }
            }
        },
        disable: { plugin in
            unsafe TrackerAdapter.with(plugin, or: ()) { instance in
                instance.host.timers.removeAll()
                instance.tracker.disable()
            }
        },
        destroy: { plugin in
            guard let data = unsafe plugin.pointee.plugin_data else { return }
            unsafe Unmanaged<TrackerAdapter>.fromOpaque(data).release()
        },
        get_extension: { plugin, id in
            if unsafe strcmp(id, TALLY_EXT_TRACKER) == 0 {
                return unsafe UnsafeRawPointer(TrackerAdapter.trackerTable)
            }
            return unsafe TrackerAdapter.with(plugin, or: nil) { unsafe $0.controlTable(id) }
        }
    )

    private nonisolated(unsafe) static let trackerTable: UnsafePointer<tally_tracker> = {
        let memory = UnsafeMutablePointer<tally_tracker>.allocate(capacity: 1)
        unsafe memory.initialize(to: trackerFunctions)
        return unsafe UnsafePointer(memory)
    }()

    private static let trackerFunctions = unsafe tally_tracker(
        struct_size: UInt32(MemoryLayout<tally_tracker>.size),
        reserved0: 0,
        session_begin: { plugin, snapshot in
            unsafe TrackerAdapter.with(plugin, or: TALLY_ERR_STATE) { instance in
                unsafe instance.host.timers.now = snapshot.pointee.time_us
                return instance.attempt { (tracker) throws(TrackerFault) in
                    let snapshot = unsafe EventView(snapshot)
                    try tracker.sessionBegin(snapshot)
                    if snapshot.isJoin { try tracker.join(snapshot) }
                }
            }
        },
        on_event: { plugin, event in
            unsafe TrackerAdapter.with(plugin, or: TALLY_ERR_STATE) { instance in
                unsafe instance.host.timers.now = event.pointee.time_us
                return instance.attempt { (tracker) throws(TrackerFault) in
                    unsafe try tracker.handle(EventView(event))
                }
            }
        },
        on_timer: { plugin, timer, deadline, now in
            unsafe TrackerAdapter.with(plugin, or: ()) { instance in
                instance.host.timers.now = deadline
                let timer = instance.host.timers.fired(timer)
                unsafe instance.tracker.timerFired(timer, at: deadline, state: PlayerState(now))
            }
        },
        session_end: { plugin, reason, time, now in
            unsafe TrackerAdapter.with(plugin, or: ()) { instance in
                instance.host.timers.now = time
                let reason = SessionEndReason(rawValue: reason)
                unsafe instance.tracker.sessionEnd(reason, at: time, state: PlayerState(now))
                instance.host.timers.endSession()
            }
        }
    )
}
