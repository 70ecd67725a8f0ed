internal import EventModel
internal import PluginABI
internal import PluginLoading

/// The functions that a tracker reaches the host through.
///
/// All of them find their instance by `host_data`.
///
/// None of them tells a tracker anything that does not follow from its own calls.
enum TrackerHost {
    /// The host structure for one instance.
    static func structure(for instance: TrackerInstance) -> tally_host {
        unsafe tally_host(
            struct_size: UInt32(MemoryLayout<tally_host>.size),
            abi_minor: TALLY_ABI_MINOR,
            host_data: Unmanaged.passUnretained(instance).toOpaque(),
            log: { host, level, message in
                guard let instance = unsafe TrackerHost.instance(host) else { return }
                unsafe instance.log.write(instance.name, level, message.text)
            },
            set_error: { host, _, text in
                unsafe TrackerHost.instance(host)?.setErrorText(text.text)
            },
            get_extension: { _, id in
                switch unsafe String(cString: id) {
                case TALLY_EXT_EMIT: unsafe UnsafeRawPointer(TrackerHost.emit)
                case TALLY_EXT_TIMER: unsafe UnsafeRawPointer(TrackerHost.timer)
                case TALLY_EXT_RANDOM: unsafe UnsafeRawPointer(TrackerHost.random)
                case TALLY_EXT_STORE: unsafe UnsafeRawPointer(TrackerHost.store)
                default: nil
                }
            }
        )
    }

    private static func instance(_ host: UnsafePointer<tally_host>) -> TrackerInstance? {
        unsafe host.pointee.host_data.map { unsafe Unmanaged<TrackerInstance>.fromOpaque($0).takeUnretainedValue() }
    }

    nonisolated(unsafe) private static let emit: UnsafeMutablePointer<tally_emit> = {
        let table = UnsafeMutablePointer<tally_emit>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_emit(
                struct_size: UInt32(MemoryLayout<tally_emit>.size),
                reserved0: 0,
                record: { host, record, ordinal in
                    guard let instance = unsafe TrackerHost.instance(host) else { return TALLY_ERR_INVALID }
                    return unsafe instance.emit(record: record, ordinal: ordinal)
                },
                beacon: { host, beacon in
                    unsafe TrackerHost.instance(host)?.emit(beacon: beacon) ?? TALLY_ERR_INVALID
                },
                player_error: { host, code, message, details in
                    guard let instance = unsafe TrackerHost.instance(host) else { return TALLY_ERR_INVALID }
                    return unsafe instance.report(code: code.text, message: message.text, details: details.text)
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
                    guard let instance = unsafe TrackerHost.instance(host) else { return TALLY_ERR_INVALID }
                    return unsafe instance.startTimer(deadline: deadline, scope: scope, id: id)
                },
                cancel: { host, id in
                    unsafe TrackerHost.instance(host)?.cancelTimer(id)
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
                    unsafe TrackerHost.instance(host)?.nextRandom() ?? 0
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
                    unsafe TrackerHost.instance(host)?.store(key: key.text, value: value.text) ?? TALLY_ERR_INVALID
                }
            )
        )
        return unsafe table
    }()
}
