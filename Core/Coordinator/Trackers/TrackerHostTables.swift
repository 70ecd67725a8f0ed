internal import EventModel
internal import PluginABI
internal import PluginLoading

/// The functions that a tracker reaches the host through.
///
/// All of them find their instance by the window in `host_data`, which lets in only calls inside a call of the core.
///
/// None of them tells a tracker anything that does not follow from its own calls.
enum TrackerHostTables {
    /// The host structure, but for `host_data`.
    static var structure: tally_host {
        unsafe tally_host(
            struct_size: UInt32(MemoryLayout<tally_host>.size),
            abi_minor: TALLY_ABI_MINOR,
            host_data: nil,
            log: { host, level, message in
                guard let window = unsafe CallWindow(host) else { return }
                if window.isInCall, let instance = unsafe TrackerHostTables.instance(host) {
                    unsafe instance.log.write(instance.name, level, instance.text(message))
                } else {
                    unsafe window.write(level, message.text)
                }
            },
            set_error: { host, _, text in
                guard let instance = unsafe TrackerHostTables.instance(host) else { return }
                unsafe instance.setErrorText(instance.text(text))
            },
            get_extension: { _, id in
                switch unsafe String(cString: id) {
                case TALLY_EXT_EMIT: unsafe UnsafeRawPointer(TrackerHostTables.emit)
                case TALLY_EXT_TIMER: unsafe UnsafeRawPointer(TrackerHostTables.timer)
                case TALLY_EXT_RANDOM: unsafe UnsafeRawPointer(TrackerHostTables.random)
                case TALLY_EXT_STORE: unsafe UnsafeRawPointer(TrackerHostTables.store)
                default: nil
                }
            }
        )
    }

    /// The instance inside a call; nil, and counted, when the caller comes from elsewhere.
    private static func instance(_ host: UnsafePointer<tally_host>) -> TrackerInstance? {
        unsafe CallWindow(host)?.enter()?.takeUnretainedValue()
    }

    nonisolated(unsafe) private static let emit: UnsafeMutablePointer<tally_emit> = {
        let table = UnsafeMutablePointer<tally_emit>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_emit(
                struct_size: UInt32(MemoryLayout<tally_emit>.size),
                reserved0: 0,
                record: { host, record, ordinal in
                    // Counts no references: a record is emitted for nearly every event.
                    guard UInt(bitPattern: record) != 0 else { return TALLY_ERR_INVALID }
                    guard let instance = unsafe CallWindow(host)?.enter() else { return TALLY_ERR_STATE }
                    return unsafe instance._withUnsafeGuaranteedRef {
                        unsafe $0.emit(record: record, ordinal: ordinal)
                    }
                },
                beacon: { host, beacon in
                    guard UInt(bitPattern: beacon) != 0 else { return TALLY_ERR_INVALID }
                    return unsafe TrackerHostTables.instance(host)?.emit(beacon: beacon) ?? TALLY_ERR_STATE
                },
                player_error: { host, code, message, details in
                    guard let instance = unsafe TrackerHostTables.instance(host) else { return TALLY_ERR_STATE }
                    return unsafe instance.report(
                        code: instance.text(code),
                        message: instance.text(message),
                        details: instance.text(details)
                    )
                }
            )
        )
        return unsafe table
    }()

    nonisolated(unsafe) private static let timer: UnsafeMutablePointer<tally_timer> = {
        let table = UnsafeMutablePointer<tally_timer>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_timer(
                struct_size: UInt32(MemoryLayout<tally_timer>.size),
                reserved0: 0,
                start: { host, deadline, scope, id in
                    guard let instance = unsafe TrackerHostTables.instance(host) else { return TALLY_ERR_STATE }
                    return unsafe instance.startTimer(deadline: deadline, scope: scope, id: id)
                },
                cancel: { host, id in
                    unsafe TrackerHostTables.instance(host)?.cancelTimer(id)
                }
            )
        )
        return unsafe table
    }()

    nonisolated(unsafe) private static let random: UnsafeMutablePointer<tally_random> = {
        let table = UnsafeMutablePointer<tally_random>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_random(
                struct_size: UInt32(MemoryLayout<tally_random>.size),
                reserved0: 0,
                next_u64: { host in
                    unsafe TrackerHostTables.instance(host)?.nextRandom() ?? 0
                }
            )
        )
        return unsafe table
    }()

    nonisolated(unsafe) private static let store: UnsafeMutablePointer<tally_store> = {
        let table = UnsafeMutablePointer<tally_store>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_store(
                struct_size: UInt32(MemoryLayout<tally_store>.size),
                reserved0: 0,
                put: { host, key, value in
                    guard let instance = unsafe TrackerHostTables.instance(host) else { return TALLY_ERR_STATE }
                    return unsafe instance.store(key: instance.text(key), value: instance.text(value))
                }
            )
        )
        return unsafe table
    }()
}
