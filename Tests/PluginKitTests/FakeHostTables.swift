import PluginABI

/// The functions of ``FakeHost``, as the headers declare them.
enum FakeHostTables {
    static func host(data: UnsafeMutableRawPointer) -> tally_host {
        unsafe tally_host(
            struct_size: UInt32(MemoryLayout<tally_host>.size),
            abi_minor: TALLY_ABI_MINOR,
            host_data: data,
            log: { host, level, text in unsafe FakeHost.of(host)?.logs.append(unsafe "\(level) \(text.string)") },
            set_error: { host, code, text in unsafe FakeHost.of(host)?.errors.append(unsafe "\(code) \(text.string)") },
            get_extension: { host, id in unsafe FakeHost.of(host)?.find(String(cString: id)) }
        )
    }

    static func make(in arena: Arena) -> [String: UnsafeRawPointer] {
        unsafe [
            TALLY_EXT_EMIT: UnsafeRawPointer(arena.keep(emit)),
            TALLY_EXT_TIMER: UnsafeRawPointer(arena.keep(timer)),
            TALLY_EXT_RANDOM: UnsafeRawPointer(arena.keep(random)),
            TALLY_EXT_STORE: UnsafeRawPointer(arena.keep(store)),
            TALLY_EXT_HOST_REPORTER: UnsafeRawPointer(arena.keep(reporter)),
        ]
    }

    static var emit: tally_emit {
        unsafe tally_emit(
            struct_size: UInt32(MemoryLayout<tally_emit>.size),
            reserved0: 0,
            record: { host, record, ordinal in
                guard let fake = unsafe FakeHost.of(host) else { return TALLY_ERR_INTERNAL }
                guard fake.status == TALLY_OK else { return fake.status }
                unsafe ordinal?.pointee = unsafe fake.take(record.pointee)
                return TALLY_OK
            },
            beacon: { host, beacon in
                guard let fake = unsafe FakeHost.of(host) else { return TALLY_ERR_INTERNAL }
                guard fake.status == TALLY_OK else { return fake.status }
                unsafe fake.take(beacon.pointee)
                return TALLY_OK
            },
            player_error: { host, code, message, details in
                unsafe FakeHost.of(host)?.playerErrors.append(
                    unsafe "\(code.string)|\(message.string)|\(details.string)"
                )
                return TALLY_OK
            }
        )
    }

    private static var timer: tally_timer {
        unsafe tally_timer(
            struct_size: UInt32(MemoryLayout<tally_timer>.size),
            reserved0: 0,
            start: { host, deadline, scope, id in
                guard let fake = unsafe FakeHost.of(host) else { return TALLY_ERR_INTERNAL }
                guard fake.status == TALLY_OK else { return fake.status }
                unsafe id.pointee = UInt64(fake.timers.count) + 100
                unsafe fake.timers.append(FakeHost.Timer(id: id.pointee, deadline: deadline, scope: scope))
                return TALLY_OK
            },
            cancel: { host, id in unsafe FakeHost.of(host)?.cancelled.append(id) }
        )
    }

    private static var random: tally_random {
        unsafe tally_random(
            struct_size: UInt32(MemoryLayout<tally_random>.size),
            reserved0: 0,
            next_u64: { _ in 0xFEED_FACE_CAFE_BEEF }
        )
    }

    private static var store: tally_store {
        unsafe tally_store(
            struct_size: UInt32(MemoryLayout<tally_store>.size),
            reserved0: 0,
            put: { host, key, value in
                guard let fake = unsafe FakeHost.of(host) else { return TALLY_ERR_INTERNAL }
                guard fake.status == TALLY_OK else { return fake.status }
                fake.stored.append(unsafe "\(key.string)=\(value.string)")
                return TALLY_OK
            }
        )
    }

    private static var reporter: tally_host_reporter {
        unsafe tally_host_reporter(
            struct_size: UInt32(MemoryLayout<tally_host_reporter>.size),
            reserved0: 0,
            ready: { host in unsafe FakeHost.of(host)?.readyCount += 1 },
            flushed: { host, token, delivered, kept, dropped in
                unsafe FakeHost.of(host)?.answers.append(
                    FakeHost.Answer(token: token, delivered: delivered, kept: kept, dropped: dropped)
                )
            }
        )
    }
}
