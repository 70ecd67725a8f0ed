internal import EventModel
internal import PluginABI
internal import PluginKit
internal import System

/// The functions that a plugin reaches a ``CheckHost`` through, as the headers declare them.
enum HostFunctionTables {
    /// The structure of a host; `data` is the ``CheckHost``.
    static func host(data: UnsafeMutableRawPointer?) -> tally_host {
        unsafe tally_host(
            struct_size: UInt32(MemoryLayout<tally_host>.size),
            abi_minor: TALLY_ABI_MINOR,
            host_data: data,
            log: { host, level, message in unsafe HostFunctionTables.owner(host)?.log(message) },
            set_error: { host, code, text in unsafe HostFunctionTables.owner(host)?.explain(code, text) },
            get_extension: { host, id in unsafe HostFunctionTables.owner(host)?.find(String(cString: id)) }
        )
    }

    /// The table of an extension that a host offers to a tracker or to a reporter.
    static func table(_ id: String, isReporter: Bool) -> UnsafeRawPointer? {
        switch id {
        case TALLY_EXT_EMIT where !isReporter: unsafe UnsafeRawPointer(emit)
        case TALLY_EXT_TIMER where !isReporter: unsafe UnsafeRawPointer(timer)
        case TALLY_EXT_RANDOM where !isReporter: unsafe UnsafeRawPointer(random)
        case TALLY_EXT_STORE where !isReporter: unsafe UnsafeRawPointer(store)
        case TALLY_EXT_HOST_REPORTER where isReporter: unsafe UnsafeRawPointer(reporter)
        case TALLY_EXT_STATUS where isReporter: unsafe UnsafeRawPointer(status)
        default: nil
        }
    }

    private static func owner(_ host: UnsafePointer<tally_host>) -> CheckHost? {
        unsafe host.pointee.host_data.map { unsafe Unmanaged<CheckHost>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Keeps a table for ever.
    private static func constant<Table>(_ table: Table) -> UnsafePointer<Table> {
        let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        unsafe memory.initialize(to: table)
        return unsafe UnsafePointer(memory)
    }

    private nonisolated(unsafe) static let emit = unsafe constant(
        tally_emit(
            struct_size: UInt32(MemoryLayout<tally_emit>.size),
            reserved0: 0,
            record: { host, record, ordinal in
                unsafe HostFunctionTables.owner(host)?.emit(record: record, ordinal) ?? TALLY_ERR_INTERNAL
            },
            beacon: { host, beacon in
                unsafe HostFunctionTables.owner(host)?.emit(beacon: beacon) ?? TALLY_ERR_INTERNAL
            },
            player_error: { host, code, message, details in
                unsafe HostFunctionTables.owner(host)?.report([code, message, details]) ?? TALLY_ERR_INTERNAL
            }
        )
    )

    private nonisolated(unsafe) static let timer = unsafe constant(
        tally_timer(
            struct_size: UInt32(MemoryLayout<tally_timer>.size),
            reserved0: 0,
            start: { host, deadline, scope, id in
                unsafe HostFunctionTables.owner(host)?.start(deadline, scope, id) ?? TALLY_ERR_INTERNAL
            },
            cancel: { host, id in unsafe HostFunctionTables.owner(host)?.cancel(id) }
        )
    )

    private nonisolated(unsafe) static let random = unsafe constant(
        tally_random(
            struct_size: UInt32(MemoryLayout<tally_random>.size),
            reserved0: 0,
            next_u64: { host in unsafe HostFunctionTables.owner(host)?.nextRandom() ?? 0 }
        )
    )

    private nonisolated(unsafe) static let store = unsafe constant(
        tally_store(
            struct_size: UInt32(MemoryLayout<tally_store>.size),
            reserved0: 0,
            put: { host, key, value in
                unsafe HostFunctionTables.owner(host)?.store(key, value) ?? TALLY_ERR_INTERNAL
            }
        )
    )

    private nonisolated(unsafe) static let status = unsafe constant(
        tally_host_status(
            struct_size: UInt32(MemoryLayout<tally_host_status>.size),
            reserved0: 0,
            write: { _, sink in
                let text: StaticString = #"{"plugins":[],"process":1,"runs":1}"#
                return unsafe sink.pointee.write(sink, text.utf8Start, text.utf8CodeUnitCount)
            }
        )
    )

    private nonisolated(unsafe) static let reporter = unsafe constant(
        tally_host_reporter(
            struct_size: UInt32(MemoryLayout<tally_host_reporter>.size),
            flags: 0,
            ready: { _ in },
            flushed: { host, token, delivered, kept, dropped in
                unsafe HostFunctionTables.owner(host)?.fromAnyThread.with {
                    $0.append([token, delivered, kept, dropped])
                }
            }
        )
    )
}
