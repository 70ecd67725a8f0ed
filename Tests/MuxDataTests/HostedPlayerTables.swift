import Glibc
import PluginABI
import PluginKit

/// The tables of functions that a ``HostedPlayer`` hands to the tracker.
enum HostedPlayerTables {
    static var host: tally_host {
        unsafe tally_host(
            struct_size: UInt32(MemoryLayout<tally_host>.size),
            abi_minor: TALLY_ABI_MINOR,
            host_data: nil,
            log: { _, _, _ in },
            set_error: { host, _, text in
                unsafe HostedPlayerTables.owner(host)?.note(error: HostedPlayerTables.string(text))
            },
            get_extension: { _, id in unsafe HostedPlayerTables.table(id) }
        )
    }

    static func string(_ text: tally_str) -> String {
        guard let start = unsafe text.ptr else { return "" }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: text.len), as: UTF8.self)
    }

    private static func owner(_ host: UnsafePointer<tally_host>) -> HostedPlayer? {
        guard let data = unsafe host.pointee.host_data else { return nil }
        return unsafe Unmanaged<HostedPlayer>.fromOpaque(data).takeUnretainedValue()
    }

    private static func table(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? {
        if unsafe strcmp(id, TALLY_EXT_EMIT) == 0 { return unsafe UnsafeRawPointer(emit) }
        if unsafe strcmp(id, TALLY_EXT_TIMER) == 0 { return unsafe UnsafeRawPointer(timer) }
        if unsafe strcmp(id, TALLY_EXT_RANDOM) == 0 { return unsafe UnsafeRawPointer(random) }
        if unsafe strcmp(id, TALLY_EXT_STORE) == 0 { return unsafe UnsafeRawPointer(store) }
        return nil
    }

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
                guard let owner = unsafe HostedPlayerTables.owner(host) else { return TALLY_ERR_STATE }
                let number = unsafe owner.append(record.pointee)
                unsafe ordinal?.pointee = number
                return TALLY_OK
            },
            beacon: { host, _ in
                unsafe HostedPlayerTables.owner(host)?.takeBeacon()
                return TALLY_OK
            },
            player_error: { _, _, _, _ in TALLY_ERR_UNSUPPORTED }
        )
    )

    private nonisolated(unsafe) static let timer = unsafe constant(
        tally_timer(
            struct_size: UInt32(MemoryLayout<tally_timer>.size),
            reserved0: 0,
            start: { host, deadline, _, id in
                guard let owner = unsafe HostedPlayerTables.owner(host) else { return TALLY_ERR_STATE }
                unsafe id.pointee = owner.startTimer(at: deadline)
                return TALLY_OK
            },
            cancel: { host, id in unsafe HostedPlayerTables.owner(host)?.cancelTimer(id) }
        )
    )

    private nonisolated(unsafe) static let random = unsafe constant(
        tally_random(
            struct_size: UInt32(MemoryLayout<tally_random>.size),
            reserved0: 0,
            next_u64: { host in unsafe HostedPlayerTables.owner(host)?.nextRandom() ?? 0 }
        )
    )

    private nonisolated(unsafe) static let store = unsafe constant(
        tally_store(
            struct_size: UInt32(MemoryLayout<tally_store>.size),
            reserved0: 0,
            put: { host, key, value in
                unsafe HostedPlayerTables.owner(host)?.store(
                    HostedPlayerTables.string(key),
                    HostedPlayerTables.string(value)
                )
                return TALLY_OK
            }
        )
    )
}
