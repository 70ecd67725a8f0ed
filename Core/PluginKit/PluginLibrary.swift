internal import Glibc
public import PluginABI

/// The plugins of one shared library, and the entry that the library exports.
///
/// An author writes one line of table and one of entry:
///
///     private let library = PluginLibrary(trackers: [MyTracker.self])
///
///     @c(tally_plugin_entry_v1)
///     public func tallyPluginEntry() -> UnsafePointer<tally_entry>? { unsafe library.entry }
@safe public final class PluginLibrary: Sendable {
    private enum Plugin {
        case tracker(any Tracker.Type)
        case reporter(any Reporter.Type)
    }

    private let plugins: [Plugin]
    private let descriptors: [PointerBox<tally_descriptor>]
    private let table: PointerBox<tally_entry>

    /// Lists the plugins of a library.
    public init(trackers: [any Tracker.Type] = [], reporters: [any Reporter.Type] = []) {
        plugins = trackers.map { .tracker($0) } + reporters.map { .reporter($0) }
        unsafe descriptors =
            unsafe trackers.map { unsafe PointerBox(.lasting($0.descriptor.foreign)) }
            + reporters.map { unsafe PointerBox(.lasting($0.descriptor.foreign)) }
        let memory = UnsafeMutablePointer<tally_entry>.allocate(capacity: 1)
        unsafe memory.initialize(
            to: unsafe tally_entry(
                struct_size: UInt32(MemoryLayout<tally_entry>.size),
                abi_minor: TALLY_ABI_MINOR,
                count: UInt32(descriptors.count),
                reserved0: 0,
                entry_data: nil,
                descriptor: { unsafe PluginLibrary.behind($0)?.descriptor($1) },
                create: { unsafe PluginLibrary.behind($0)?.create($1, $2, $3) }
            )
        )
        unsafe table = unsafe PointerBox(UnsafePointer(memory))
        // A library is never unloaded: the reference is kept for ever.
        unsafe memory.pointee.entry_data = unsafe Unmanaged.passRetained(self).toOpaque()
    }

    private static func behind(_ entry: UnsafePointer<tally_entry>) -> PluginLibrary? {
        unsafe entry.pointee.entry_data.map { unsafe Unmanaged<PluginLibrary>.fromOpaque($0).takeUnretainedValue() }
    }

    /// What the exported function returns: the same pointer each time.
    public var entry: UnsafePointer<tally_entry> { unsafe table.pointer }

    /// The descriptor at an index, nil behind the last one.
    func descriptor(_ index: UInt32) -> UnsafePointer<tally_descriptor>? {
        guard unsafe index < descriptors.count else { return nil }
        return unsafe descriptors[Int(index)].pointer
    }

    /// Makes an instance of the plugin with the id; nil when there is none, or when a tracker is given no run.
    func create(
        _ host: UnsafePointer<tally_host>,
        _ id: UnsafePointer<CChar>,
        _ run: UnsafePointer<tally_run_info>?
    ) -> UnsafePointer<tally_plugin>? {
        let index = unsafe descriptors.firstIndex { unsafe strcmp($0.pointer.pointee.id, id) == 0 }
        guard let index else { return nil }
        switch plugins[index] {
        case .reporter(let type):
            return unsafe ReporterAdapter(type, host: host).handOver()
        case .tracker(let type):
            guard let run = unsafe run else { return nil }
            return unsafe TrackerAdapter(type, host: host, run: run).handOver()
        }
    }
}

/// A pointer to constant data, which any thread may read.
@safe struct PointerBox<Pointee>: @unchecked Sendable {
    let pointer: UnsafePointer<Pointee>

    init(_ pointer: UnsafePointer<Pointee>) {
        unsafe self.pointer = unsafe pointer
    }
}
