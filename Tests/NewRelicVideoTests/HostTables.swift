import Glibc
import PluginABI
import PluginKit

/// The tables of functions that a ``RecordingHost`` hands to the plugin.
enum HostTables {
    static var host: tally_host {
        unsafe tally_host(
            struct_size: UInt32(MemoryLayout<tally_host>.size),
            abi_minor: TALLY_ABI_MINOR,
            host_data: nil,
            log: { _, _, _ in },
            set_error: { host, _, text in
                unsafe HostTables.owner(host)?.note(error: HostTables.string(text))
            },
            get_extension: { _, id in unsafe HostTables.table(id) }
        )
    }

    private static func owner(_ host: UnsafePointer<tally_host>) -> RecordingHost? {
        guard let data = unsafe host.pointee.host_data else { return nil }
        return unsafe Unmanaged<RecordingHost>.fromOpaque(data).takeUnretainedValue()
    }

    private static func string(_ text: tally_str) -> String {
        guard let start = unsafe text.ptr else { return "" }
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: text.len), as: UTF8.self)
    }

    private static func table(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? {
        if unsafe strcmp(id, TALLY_EXT_EMIT) == 0 { return unsafe UnsafeRawPointer(emit) }
        if unsafe strcmp(id, TALLY_EXT_TIMER) == 0 { return unsafe UnsafeRawPointer(timer) }
        if unsafe strcmp(id, TALLY_EXT_RANDOM) == 0 { return unsafe UnsafeRawPointer(random) }
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
                guard let owner = unsafe HostTables.owner(host) else { return TALLY_ERR_STATE }
                let number = unsafe owner.append(HostTables.event(record.pointee))
                unsafe ordinal?.pointee = number
                return TALLY_OK
            },
            beacon: { host, beacon in
                guard let owner = unsafe HostTables.owner(host) else { return TALLY_ERR_STATE }
                unsafe owner.append(HostTables.beacon(beacon.pointee))
                return TALLY_OK
            },
            player_error: { _, _, _, _ in TALLY_ERR_UNSUPPORTED }
        )
    )

    private nonisolated(unsafe) static let timer = unsafe constant(
        tally_timer(
            struct_size: UInt32(MemoryLayout<tally_timer>.size),
            reserved0: 0,
            start: { host, deadline, scope, id in
                guard let owner = unsafe HostTables.owner(host) else { return TALLY_ERR_STATE }
                unsafe id.pointee = owner.startTimer(at: deadline, scope: scope)
                return TALLY_OK
            },
            cancel: { host, id in unsafe HostTables.owner(host)?.cancelTimer(id) }
        )
    )

    private nonisolated(unsafe) static let random = unsafe constant(
        tally_random(
            struct_size: UInt32(MemoryLayout<tally_random>.size),
            reserved0: 0,
            next_u64: { host in unsafe HostTables.owner(host)?.nextRandom() ?? 0 }
        )
    )

    private static func beacon(_ beacon: tally_beacon) -> RecordedBeacon {
        var headers: [(name: String, value: String)] = []
        for index in unsafe 0..<Int(beacon.header_count) {
            guard let header = unsafe beacon.headers?[index] else { continue }
            unsafe headers.append((string(header.name), string(header.value)))
        }
        return unsafe RecordedBeacon(
            destination: string(beacon.destination),
            method: string(beacon.method),
            url: string(beacon.url),
            body: string(beacon.body),
            credential: string(beacon.credential),
            headers: headers,
            isGzipWanted: BeaconOptions(rawValue: beacon.flags).contains(.gzipWanted),
            records: (0..<Int(beacon.record_count)).compactMap { unsafe beacon.records?[$0] }
        )
    }

    private static func event(_ record: tally_record) -> RecordedEvent {
        var attributes: [(name: String, value: PlainValue)] = []
        if let first = unsafe record.attrs, let heap = unsafe record.heap {
            let list = unsafe AttributeList(base: heap, first: first, count: Int(record.attr_count))
            attributes = list.map { ($0.name.string, PlainValue($0.value)) }
        }
        return unsafe RecordedEvent(action: string(record.kind), attributes: attributes)
    }
}
