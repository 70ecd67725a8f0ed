internal import PluginABI
internal import Synchronization

/// Gives each library of a process functions of its own: a C function has no place for a context.
///
/// A plugin file has one library; a test may have several.
@safe enum LibrarySlots {
    typealias Functions = (
        descriptor: @convention(c) (UInt32) -> UnsafePointer<tally_descriptor>?,
        create:
            @convention(c) (
                UnsafePointer<tally_host>, UnsafePointer<CChar>, UnsafePointer<tally_run_info>?
            ) -> UnsafePointer<tally_plugin>?
    )

    static let functions: [Functions] = unsafe [
        ({ unsafe descriptor(0, $0) }, { unsafe create(0, $0, $1, $2) }),
        ({ unsafe descriptor(1, $0) }, { unsafe create(1, $0, $1, $2) }),
        ({ unsafe descriptor(2, $0) }, { unsafe create(2, $0, $1, $2) }),
        ({ unsafe descriptor(3, $0) }, { unsafe create(3, $0, $1, $2) }),
        ({ unsafe descriptor(4, $0) }, { unsafe create(4, $0, $1, $2) }),
        ({ unsafe descriptor(5, $0) }, { unsafe create(5, $0, $1, $2) }),
        ({ unsafe descriptor(6, $0) }, { unsafe create(6, $0, $1, $2) }),
        ({ unsafe descriptor(7, $0) }, { unsafe create(7, $0, $1, $2) }),
    ]

    private static let claimed = Atomic<Int>(0)
    // Each element is written once, before the entry that leads to it is handed out.
    private nonisolated(unsafe) static let libraries = {
        let memory = UnsafeMutablePointer<PluginLibrary?>.allocate(capacity: 8)
        unsafe memory.initialize(repeating: nil, count: 8)
        return unsafe memory
    }()

    /// Takes the next slot.
    static func claim() -> Int {
        let slot = claimed.add(1, ordering: .relaxed).oldValue
        precondition(slot < 8, "a process can hold eight plugin libraries; list several plugins in one library")
        return slot
    }

    /// Puts a library, which is then kept for ever, into its slot.
    static func fill(_ slot: Int, with library: PluginLibrary) {
        unsafe libraries[slot] = library
    }

    private static func descriptor(_ slot: Int, _ index: UInt32) -> UnsafePointer<tally_descriptor>? {
        unsafe libraries[slot]?.descriptor(index)
    }

    private static func create(
        _ slot: Int,
        _ host: UnsafePointer<tally_host>,
        _ id: UnsafePointer<CChar>,
        _ run: UnsafePointer<tally_run_info>?
    ) -> UnsafePointer<tally_plugin>? {
        unsafe libraries[slot]?.create(host, id, run)
    }
}
