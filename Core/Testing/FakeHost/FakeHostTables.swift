internal import Coordinator
package import PluginABI
internal import PluginKit
internal import System

/// The functions that a plugin reaches a ``FakeHost`` through, as the headers declare them.
package enum FakeHostTables {
    /// The structure of a host; `data` is the ``FakeHost``.
    static func host(data: UnsafeMutableRawPointer?, minor: UInt32) -> tally_host {
        unsafe tally_host(
            struct_size: UInt32(MemoryLayout<tally_host>.size),
            abi_minor: minor,
            host_data: data,
            log: { host, level, message in
                unsafe FakeHostTables.owner(host)?.log(level, UTF8Text(message).string)
            },
            set_error: { host, code, text in
                unsafe FakeHostTables.owner(host)?.faults.append(FakeHost.Fault(code, UTF8Text(text).string))
            },
            get_extension: { host, id in unsafe FakeHostTables.owner(host)?.find(String(cString: id)) }
        )
    }

    /// The structure of a host that is not there yet.
    static var noHost: tally_host { unsafe host(data: nil, minor: TALLY_ABI_MINOR) }

    /// The table of an extension that a host offers to a tracker or to a reporter.
    static func table(_ id: String, isReporter: Bool, waitsForRoom: Bool) -> UnsafeRawPointer? {
        switch id {
        case TALLY_EXT_EMIT where !isReporter: unsafe UnsafeRawPointer(emit)
        case TALLY_EXT_TIMER where !isReporter: unsafe UnsafeRawPointer(timer)
        case TALLY_EXT_RANDOM where !isReporter: unsafe UnsafeRawPointer(random)
        case TALLY_EXT_STORE where !isReporter: unsafe UnsafeRawPointer(store)
        case TALLY_EXT_HOST_REPORTER where isReporter:
            unsafe UnsafeRawPointer(waitsForRoom ? waitingReporter : reporter)
        case TALLY_EXT_STATUS where isReporter: unsafe UnsafeRawPointer(status)
        default: nil
        }
    }

    private static func owner(_ host: UnsafePointer<tally_host>) -> FakeHost? {
        unsafe host.pointee.host_data.map { unsafe Unmanaged<FakeHost>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Keeps a table for ever.
    private static func constant<Table>(_ table: Table) -> UnsafePointer<Table> {
        let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        unsafe memory.initialize(to: table)
        return unsafe UnsafePointer(memory)
    }

    /// `tally.emit/1`.
    package nonisolated(unsafe) static let emit = unsafe constant(
        tally_emit(
            struct_size: UInt32(MemoryLayout<tally_emit>.size),
            reserved0: 0,
            record: { host, record, ordinal in
                unsafe FakeHostTables.owner(host)?.emit(record: record, ordinal: ordinal) ?? TALLY_ERR_INTERNAL
            },
            beacon: { host, beacon in
                unsafe FakeHostTables.owner(host)?.emit(beacon: beacon) ?? TALLY_ERR_INTERNAL
            },
            player_error: { host, code, message, details in
                let error = unsafe FakeHost.PlayerError(
                    code: UTF8Text(code).string,
                    message: UTF8Text(message).string,
                    details: UTF8Text(details).string
                )
                return unsafe FakeHostTables.owner(host)?.report(error) ?? TALLY_ERR_INTERNAL
            }
        )
    )

    private nonisolated(unsafe) static let timer = unsafe constant(
        tally_timer(
            struct_size: UInt32(MemoryLayout<tally_timer>.size),
            reserved0: 0,
            start: { host, deadline, scope, id in
                unsafe FakeHostTables.owner(host)?.startTimer(deadline: deadline, scope: scope, id: id)
                    ?? TALLY_ERR_INTERNAL
            },
            cancel: { host, id in unsafe FakeHostTables.owner(host)?.cancelTimer(id) }
        )
    )

    private nonisolated(unsafe) static let random = unsafe constant(
        tally_random(
            struct_size: UInt32(MemoryLayout<tally_random>.size),
            reserved0: 0,
            next_u64: { host in unsafe FakeHostTables.owner(host)?.random.next() ?? 0 }
        )
    )

    private nonisolated(unsafe) static let store = unsafe constant(
        tally_store(
            struct_size: UInt32(MemoryLayout<tally_store>.size),
            reserved0: 0,
            put: { host, key, value in
                unsafe FakeHostTables.owner(host)?.store(UTF8Text(key).string, UTF8Text(value).string)
                    ?? TALLY_ERR_INTERNAL
            }
        )
    )

    private nonisolated(unsafe) static let status = unsafe constant(
        tally_host_status(
            struct_size: UInt32(MemoryLayout<tally_host_status>.size),
            reserved0: 0,
            write: { host, sink in
                guard var text = unsafe FakeHostTables.owner(host)?.status else { return TALLY_ERR_UNSUPPORTED }
                return text.withUTF8 { bytes in
                    guard let start = bytes.baseAddress else { return TALLY_ERR_UNSUPPORTED }
                    return unsafe sink.pointee.write(sink, start, bytes.count)
                }
            }
        )
    )

    private nonisolated(unsafe) static let reporter = unsafe constant(hostReporter(flags: 0))
    private nonisolated(unsafe) static let waitingReporter = unsafe constant(
        hostReporter(flags: TALLY_HOST_WAITS_FOR_ROOM)
    )

    private static func hostReporter(flags: UInt32) -> tally_host_reporter {
        unsafe tally_host_reporter(
            struct_size: UInt32(MemoryLayout<tally_host_reporter>.size),
            flags: flags,
            ready: { host in unsafe FakeHostTables.owner(host)?.fromAnyThread.with { $0.readyCount += 1 } },
            flushed: { host, token, delivered, kept, dropped in
                let answer = FakeHost.FlushAnswer(token: token, delivered: delivered, kept: kept, dropped: dropped)
                unsafe FakeHostTables.owner(host)?.fromAnyThread.with { $0.flushAnswers.append(answer) }
            }
        )
    }
}
