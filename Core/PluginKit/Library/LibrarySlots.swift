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

    /// How many libraries one image can hold: a plugin file has one, a program with all tests has about twenty.
    private static let count = 64

    static let functions: [Functions] = unsafe [
        ({ unsafe descriptor(0, $0) }, { unsafe create(0, $0, $1, $2) }),
        ({ unsafe descriptor(1, $0) }, { unsafe create(1, $0, $1, $2) }),
        ({ unsafe descriptor(2, $0) }, { unsafe create(2, $0, $1, $2) }),
        ({ unsafe descriptor(3, $0) }, { unsafe create(3, $0, $1, $2) }),
        ({ unsafe descriptor(4, $0) }, { unsafe create(4, $0, $1, $2) }),
        ({ unsafe descriptor(5, $0) }, { unsafe create(5, $0, $1, $2) }),
        ({ unsafe descriptor(6, $0) }, { unsafe create(6, $0, $1, $2) }),
        ({ unsafe descriptor(7, $0) }, { unsafe create(7, $0, $1, $2) }),
        ({ unsafe descriptor(8, $0) }, { unsafe create(8, $0, $1, $2) }),
        ({ unsafe descriptor(9, $0) }, { unsafe create(9, $0, $1, $2) }),
        ({ unsafe descriptor(10, $0) }, { unsafe create(10, $0, $1, $2) }),
        ({ unsafe descriptor(11, $0) }, { unsafe create(11, $0, $1, $2) }),
        ({ unsafe descriptor(12, $0) }, { unsafe create(12, $0, $1, $2) }),
        ({ unsafe descriptor(13, $0) }, { unsafe create(13, $0, $1, $2) }),
        ({ unsafe descriptor(14, $0) }, { unsafe create(14, $0, $1, $2) }),
        ({ unsafe descriptor(15, $0) }, { unsafe create(15, $0, $1, $2) }),
        ({ unsafe descriptor(16, $0) }, { unsafe create(16, $0, $1, $2) }),
        ({ unsafe descriptor(17, $0) }, { unsafe create(17, $0, $1, $2) }),
        ({ unsafe descriptor(18, $0) }, { unsafe create(18, $0, $1, $2) }),
        ({ unsafe descriptor(19, $0) }, { unsafe create(19, $0, $1, $2) }),
        ({ unsafe descriptor(20, $0) }, { unsafe create(20, $0, $1, $2) }),
        ({ unsafe descriptor(21, $0) }, { unsafe create(21, $0, $1, $2) }),
        ({ unsafe descriptor(22, $0) }, { unsafe create(22, $0, $1, $2) }),
        ({ unsafe descriptor(23, $0) }, { unsafe create(23, $0, $1, $2) }),
        ({ unsafe descriptor(24, $0) }, { unsafe create(24, $0, $1, $2) }),
        ({ unsafe descriptor(25, $0) }, { unsafe create(25, $0, $1, $2) }),
        ({ unsafe descriptor(26, $0) }, { unsafe create(26, $0, $1, $2) }),
        ({ unsafe descriptor(27, $0) }, { unsafe create(27, $0, $1, $2) }),
        ({ unsafe descriptor(28, $0) }, { unsafe create(28, $0, $1, $2) }),
        ({ unsafe descriptor(29, $0) }, { unsafe create(29, $0, $1, $2) }),
        ({ unsafe descriptor(30, $0) }, { unsafe create(30, $0, $1, $2) }),
        ({ unsafe descriptor(31, $0) }, { unsafe create(31, $0, $1, $2) }),
        ({ unsafe descriptor(32, $0) }, { unsafe create(32, $0, $1, $2) }),
        ({ unsafe descriptor(33, $0) }, { unsafe create(33, $0, $1, $2) }),
        ({ unsafe descriptor(34, $0) }, { unsafe create(34, $0, $1, $2) }),
        ({ unsafe descriptor(35, $0) }, { unsafe create(35, $0, $1, $2) }),
        ({ unsafe descriptor(36, $0) }, { unsafe create(36, $0, $1, $2) }),
        ({ unsafe descriptor(37, $0) }, { unsafe create(37, $0, $1, $2) }),
        ({ unsafe descriptor(38, $0) }, { unsafe create(38, $0, $1, $2) }),
        ({ unsafe descriptor(39, $0) }, { unsafe create(39, $0, $1, $2) }),
        ({ unsafe descriptor(40, $0) }, { unsafe create(40, $0, $1, $2) }),
        ({ unsafe descriptor(41, $0) }, { unsafe create(41, $0, $1, $2) }),
        ({ unsafe descriptor(42, $0) }, { unsafe create(42, $0, $1, $2) }),
        ({ unsafe descriptor(43, $0) }, { unsafe create(43, $0, $1, $2) }),
        ({ unsafe descriptor(44, $0) }, { unsafe create(44, $0, $1, $2) }),
        ({ unsafe descriptor(45, $0) }, { unsafe create(45, $0, $1, $2) }),
        ({ unsafe descriptor(46, $0) }, { unsafe create(46, $0, $1, $2) }),
        ({ unsafe descriptor(47, $0) }, { unsafe create(47, $0, $1, $2) }),
        ({ unsafe descriptor(48, $0) }, { unsafe create(48, $0, $1, $2) }),
        ({ unsafe descriptor(49, $0) }, { unsafe create(49, $0, $1, $2) }),
        ({ unsafe descriptor(50, $0) }, { unsafe create(50, $0, $1, $2) }),
        ({ unsafe descriptor(51, $0) }, { unsafe create(51, $0, $1, $2) }),
        ({ unsafe descriptor(52, $0) }, { unsafe create(52, $0, $1, $2) }),
        ({ unsafe descriptor(53, $0) }, { unsafe create(53, $0, $1, $2) }),
        ({ unsafe descriptor(54, $0) }, { unsafe create(54, $0, $1, $2) }),
        ({ unsafe descriptor(55, $0) }, { unsafe create(55, $0, $1, $2) }),
        ({ unsafe descriptor(56, $0) }, { unsafe create(56, $0, $1, $2) }),
        ({ unsafe descriptor(57, $0) }, { unsafe create(57, $0, $1, $2) }),
        ({ unsafe descriptor(58, $0) }, { unsafe create(58, $0, $1, $2) }),
        ({ unsafe descriptor(59, $0) }, { unsafe create(59, $0, $1, $2) }),
        ({ unsafe descriptor(60, $0) }, { unsafe create(60, $0, $1, $2) }),
        ({ unsafe descriptor(61, $0) }, { unsafe create(61, $0, $1, $2) }),
        ({ unsafe descriptor(62, $0) }, { unsafe create(62, $0, $1, $2) }),
        ({ unsafe descriptor(63, $0) }, { unsafe create(63, $0, $1, $2) }),
    ]

    private static let claimed = Atomic<Int>(0)
    // Each element is written once, before the entry that leads to it is handed out.
    private nonisolated(unsafe) static let libraries = {
        let memory = UnsafeMutablePointer<PluginLibrary?>.allocate(capacity: count)
        unsafe memory.initialize(repeating: nil, count: count)
        return unsafe memory
    }()

    /// Takes the next slot.
    static func claim() -> Int {
        let slot = claimed.add(1, ordering: .relaxed).oldValue
        precondition(slot < count, "a process can hold \(count) plugin libraries; list several plugins in one library")
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
