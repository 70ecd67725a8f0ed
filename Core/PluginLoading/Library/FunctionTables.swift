internal import PluginABI

/// The structures with functions that a plugin hands over: how each is read, and what stands for one that is not there.
enum FunctionTables {
    static let entry = unsafe ForeignStructure<tally_entry>(
        name: "tally_entry",
        minimum: MemoryLayout<tally_entry>.size,
        required: [
            ("descriptor", MemoryLayout<tally_entry>.offset(of: \.descriptor)),
            ("create", MemoryLayout<tally_entry>.offset(of: \.create)),
        ]
    )
    static let plugin = unsafe ForeignStructure<tally_plugin>(
        name: "tally_plugin",
        minimum: MemoryLayout<tally_plugin>.size,
        required: [
            ("init", MemoryLayout<tally_plugin>.offset(of: \.`init`)),
            ("enable", MemoryLayout<tally_plugin>.offset(of: \.enable)),
            ("disable", MemoryLayout<tally_plugin>.offset(of: \.disable)),
            ("destroy", MemoryLayout<tally_plugin>.offset(of: \.destroy)),
            ("get_extension", MemoryLayout<tally_plugin>.offset(of: \.get_extension)),
        ]
    )
    static let tracker = unsafe ForeignStructure<tally_tracker>(
        name: "tally_tracker",
        minimum: MemoryLayout<tally_tracker>.size,
        required: [
            ("session_begin", MemoryLayout<tally_tracker>.offset(of: \.session_begin)),
            ("on_event", MemoryLayout<tally_tracker>.offset(of: \.on_event)),
            ("on_timer", MemoryLayout<tally_tracker>.offset(of: \.on_timer)),
            ("session_end", MemoryLayout<tally_tracker>.offset(of: \.session_end)),
        ]
    )
    static let reporter = unsafe ForeignStructure<tally_reporter>(
        name: "tally_reporter",
        minimum: MemoryLayout<tally_reporter>.size,
        required: [
            ("take", MemoryLayout<tally_reporter>.offset(of: \.take)),
            ("flush", MemoryLayout<tally_reporter>.offset(of: \.flush)),
        ]
    )
    static let configure = unsafe ForeignStructure<tally_configure>(
        name: "tally_configure",
        minimum: MemoryLayout<tally_configure>.size,
        required: [("configure", MemoryLayout<tally_configure>.offset(of: \.configure))]
    )

    static let command = unsafe ForeignStructure<tally_command>(
        name: "tally_command",
        minimum: MemoryLayout<tally_command>.size,
        required: [
            ("run", MemoryLayout<tally_command>.offset(of: \.run)),
            ("list", MemoryLayout<tally_command>.offset(of: \.list)),
        ]
    )

    static var noEntry: tally_entry {
        unsafe tally_entry(
            struct_size: 0,
            abi_minor: 0,
            count: 0,
            reserved0: 0,
            entry_data: nil,
            descriptor: { _, _ in nil },
            create: { _, _, _, _ in nil }
        )
    }

    static var noPlugin: tally_plugin {
        unsafe tally_plugin(
            struct_size: 0,
            reserved0: 0,
            plugin_data: nil,
            init: { _, _ in TALLY_ERR_UNSUPPORTED },
            enable: { _ in TALLY_ERR_UNSUPPORTED },
            disable: { _ in },
            destroy: { _ in },
            get_extension: { _, _ in nil }
        )
    }

    static var noTracker: tally_tracker {
        unsafe tally_tracker(
            struct_size: 0,
            reserved0: 0,
            session_begin: { _, _ in TALLY_OK },
            on_event: { _, _ in TALLY_OK },
            on_timer: { _, _, _, _ in },
            session_end: { _, _, _, _ in }
        )
    }

    static var noReporter: tally_reporter {
        unsafe tally_reporter(
            struct_size: 0,
            wants: 0,
            take: { _, _, count in Int64(count) },
            flush: { _, _, _, _, _ in }
        )
    }

    static var noCommand: tally_command {
        unsafe tally_command(
            struct_size: 0,
            reserved0: 0,
            run: { _, _, _, _, _, _ in TALLY_ERR_UNSUPPORTED },
            list: { _ in unsafe tally_str() }
        )
    }

    static var noConfigure: tally_configure {
        unsafe tally_configure(struct_size: 0, reserved0: 0, configure: { _, _, _, _ in TALLY_ERR_UNSUPPORTED })
    }
}

/// Why a structure of a plugin cannot be used.
enum StructureFault: Error, Equatable {
    /// It ends before the members that version 1.0 has.
    case tooSmall(structure: String)
    /// A member that has to be there is NULL.
    case null(structure: String, member: String)
}

extension StructureFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .tooSmall(let structure): "\(structure) is smaller than that of ABI 1.0"
        case .null(let structure, let member): "\(structure).\(member) is NULL"
        }
    }
}

/// How a structure that lies in a plugin's memory is read: at most as many bytes as both sides know, the rest is zero.
struct ForeignStructure<Structure: BitwiseCopyable> {
    /// Its name in the header.
    let name: String
    /// How many bytes version 1.0 had of it.
    let minimum: Int
    /// Members that must not be NULL, with where they lie.
    ///
    /// Swift takes them for pointers that are always there, so they are looked at before a copy of their type is made.
    let required: [(member: String, offset: Int?)]

    /// Copies the structure over `zero`.
    func copy(_ source: UnsafeRawPointer, over zero: Structure) throws(StructureFault) -> Structure {
        let size = unsafe Int(source.loadUnaligned(as: UInt32.self))
        guard size >= minimum else { throw StructureFault.tooSmall(structure: name) }
        for (member, offset) in required {
            guard let offset, unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt.self) != 0 else {
                throw StructureFault.null(structure: name, member: member)
            }
        }
        var copy = zero
        unsafe withUnsafeMutableBytes(of: &copy) { target in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: min(size, target.count)))
        }
        return copy
    }
}
