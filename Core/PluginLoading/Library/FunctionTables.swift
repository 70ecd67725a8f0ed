internal import PluginABI

/// The structures with functions that a plugin hands over: what each has to have, and what stands for what it lacks.
enum FunctionTables {
    nonisolated(unsafe) static let entry = unsafe ForeignStructure<tally_entry>(
        "tally_entry",
        required: ["descriptor": \.descriptor, "create": \.create],
        zero: tally_entry(
            struct_size: 0,
            abi_minor: 0,
            count: 0,
            reserved0: 0,
            entry_data: nil,
            descriptor: { _, _ in nil },
            create: { _, _, _, _ in nil }
        )
    )
    nonisolated(unsafe) static let plugin = unsafe ForeignStructure<tally_plugin>(
        "tally_plugin",
        required: [
            "init": \.`init`, "enable": \.enable, "disable": \.disable, "destroy": \.destroy,
            "get_extension": \.get_extension,
        ],
        zero: tally_plugin(
            struct_size: 0,
            reserved0: 0,
            plugin_data: nil,
            init: { _, _ in TALLY_ERR_UNSUPPORTED },
            enable: { _ in TALLY_ERR_UNSUPPORTED },
            disable: { _ in },
            destroy: { _ in },
            get_extension: { _, _ in nil }
        )
    )
    nonisolated(unsafe) static let tracker = unsafe ForeignStructure<tally_tracker>(
        "tally_tracker",
        required: [
            "session_begin": \.session_begin, "on_event": \.on_event, "on_timer": \.on_timer,
            "session_end": \.session_end,
        ],
        zero: tally_tracker(
            struct_size: 0,
            reserved0: 0,
            session_begin: { _, _ in TALLY_OK },
            on_event: { _, _ in TALLY_OK },
            on_timer: { _, _, _, _ in },
            session_end: { _, _, _, _ in }
        )
    )
    nonisolated(unsafe) static let reporter = unsafe ForeignStructure<tally_reporter>(
        "tally_reporter",
        required: ["take": \.take, "flush": \.flush],
        zero: tally_reporter(
            struct_size: 0,
            wants: 0,
            take: { _, _, count in Int64(count) },
            flush: { _, _, _, _, _ in }
        )
    )
    nonisolated(unsafe) static let configure = unsafe ForeignStructure<tally_configure>(
        "tally_configure",
        required: ["configure": \.configure],
        zero: tally_configure(struct_size: 0, reserved0: 0, configure: { _, _, _, _ in TALLY_ERR_UNSUPPORTED })
    )
    nonisolated(unsafe) static let command = unsafe ForeignStructure<tally_command>(
        "tally_command",
        required: ["run": \.run, "list": \.list],
        zero: tally_command(
            struct_size: 0,
            reserved0: 0,
            run: { _, _, _, _, _, _ in TALLY_ERR_UNSUPPORTED },
            list: { _ in unsafe tally_str() }
        )
    )
}

/// How a structure that lies in a plugin's memory is read: at most as many bytes as both sides know, the rest is zero.
@safe struct ForeignStructure<Structure: BitwiseCopyable> {
    private let name: String
    private let minimum: Int
    private let required: [(member: String, offset: Int?)]
    private let zero: Structure

    /// Describes a structure by its name in the header.
    ///
    /// Members in `required` must not be NULL: Swift takes them for pointers that are always there, so they are looked
    /// at before a copy of their type is made. `minimum` is how many bytes version 1.0 had of it.
    init(
        _ name: String,
        minimum: Int = MemoryLayout<Structure>.size,
        required: KeyValuePairs<String, PartialKeyPath<Structure>>,
        zero: Structure
    ) {
        self.name = name
        self.minimum = minimum
        self.required = required.map { ($0, MemoryLayout<Structure>.offset(of: $1)) }
        self.zero = zero
    }

    /// Copies the structure of a plugin in a file; `prefix` begins the reason when it cannot be used.
    ///
    /// It does not throw: Swift 6.3 ends a throwing function whose last act is to fill its result with a jump to
    /// `memcpy`, and forgets to say that nothing was thrown.
    func copy(_ source: UnsafeRawPointer, of path: String, prefix: String = "") -> Result<Structure, PluginError> {
        let size = unsafe Int(source.loadUnaligned(as: UInt32.self))
        guard size >= minimum else {
            return .failure(.invalid(path: path, reason: "\(prefix)\(name) is smaller than that of ABI 1.0"))
        }
        for (member, offset) in required {
            guard let offset, unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt.self) != 0 else {
                return .failure(.invalid(path: path, reason: "\(prefix)\(name).\(member) is NULL"))
            }
        }
        var copy = zero
        unsafe withUnsafeMutableBytes(of: &copy) { target in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: min(size, target.count)))
        }
        return .success(copy)
    }
}
