internal import CLinux
internal import PluginABI
internal import PluginLoading
internal import Synchronization
internal import System

/// What a tracker's plugin reaches the core through: the host structure, and whether a call into the tracker is open.
///
/// A tracker says something only inside a call of the core, on the thread that makes the call. A plugin that breaks
/// this has a thread of its own, which may come at any time, also after the tracker is gone. So the memory is never
/// given back to the system but used again for another tracker, and a foreign thread is refused before it has touched
/// anything that is not atomic.
@safe struct CallWindow {
    /// What log lines need, for threads that come at any time.
    struct LogTarget {
        let name: String
        var log: PluginLog
    }

    @safe private struct Memory: ~Copyable {
        var host: tally_host
        /// Number of the thread on which a call is open, 0 when none is.
        let thread = Atomic<UInt>(0)
        /// Calls that came from elsewhere.
        let foreignCalls = Atomic<UInt64>(0)
        /// Read by the open call alone.
        var tracker: Unmanaged<TrackerInstance>?
        let logTarget = Lock<LogTarget?>(nil)

        init(_ host: tally_host) { unsafe self.host = unsafe host }
    }

    private let memory: UnsafeMutablePointer<Memory>

    private struct Spare: @unchecked Sendable {
        /// By the plugin's id: a thread that comes too late is blamed on its own plugin.
        var windows: [String: [CallWindow]] = [:]
    }

    private static let spare = Lock(Spare())

    /// A window for a tracker of a plugin; it has to be given back with ``release(of:)``.
    init(plugin: String, _ target: LogTarget) {
        if let used = Self.spare.with({ $0.windows[plugin]?.popLast() }) {
            self = used
        } else {
            unsafe memory = .allocate(capacity: 1)
            unsafe memory.initialize(to: Memory(TrackerHostTables.structure))
            unsafe memory.pointee.host.host_data = UnsafeMutableRawPointer(memory)
        }
        unsafe memory.pointee.logTarget.with { $0 = target }
    }

    /// Lets calls of the plugin come to a tracker.
    func serve(_ tracker: TrackerInstance) { unsafe memory.pointee.tracker = .passUnretained(tracker) }

    /// The window that a host structure belongs to.
    @inline(__always)
    init?(_ host: UnsafePointer<tally_host>) {
        guard let data = unsafe host.pointee.host_data else { return nil }
        unsafe memory = data.assumingMemoryBound(to: Memory.self)
    }

    /// The structure that the plugin is given.
    var host: UnsafePointer<tally_host> {
        unsafe UnsafeRawPointer(memory).assumingMemoryBound(to: tally_host.self)
    }

    /// Leaves the memory to another tracker of the plugin, unless a thread knows it that would be blamed on that one.
    func release(of plugin: String) {
        unsafe memory.pointee.tracker = nil
        unsafe memory.pointee.logTarget.with { $0 = nil }
        guard foreignCalls == 0 else { return }
        Self.spare.with { $0.windows[plugin, default: []].append(self) }
    }

    // MARK: - Calls into the plugin

    /// Opens the window for a call on this thread; gives what to close it with.
    @inline(__always)
    func open() -> UInt {
        let before = unsafe memory.pointee.thread.load(ordering: .relaxed)
        unsafe memory.pointee.thread.store(tally_thread_number(), ordering: .relaxed)
        return before
    }

    /// Ends the call.
    @inline(__always)
    func close(_ before: UInt) {
        unsafe memory.pointee.thread.store(before, ordering: .relaxed)
    }

    // MARK: - Calls of the plugin

    /// Whether the caller is inside a call of the core into this tracker, and no copy of the process that it forked.
    @inline(__always)
    var isInCall: Bool {
        unsafe memory.pointee.thread.load(ordering: .relaxed) == tally_thread_number() && !ForkGuard.isCopy
    }

    /// The tracker inside a call; nil when the caller comes from elsewhere, which is counted, and told once.
    @inline(__always)
    func enter() -> Unmanaged<TrackerInstance>? {
        guard isInCall else {
            refuse()
            return nil
        }
        return unsafe memory.pointee.tracker
    }

    /// Calls that came from elsewhere so far.
    var foreignCalls: UInt64 { unsafe memory.pointee.foreignCalls.load(ordering: .relaxed) }

    /// Lets log lines go elsewhere.
    func update(log: PluginLog) {
        unsafe memory.pointee.logTarget.with { $0?.log = log }
    }

    /// Writes a line of the plugin's, from any thread; none once the tracker is gone.
    func write(_ level: Int32, _ message: String) {
        guard !ForkGuard.isCopy, let target = unsafe memory.pointee.logTarget.with({ $0 }) else { return }
        target.log.write(target.name, level, message)
    }

    @inline(never)
    private func refuse() {
        guard !ForkGuard.isCopy,
            unsafe memory.pointee.foreignCalls.add(1, ordering: .relaxed).oldValue == 0
        else { return }
        write(
            TALLY_LOG_ERROR,
            "called the host outside of a call of the core, or on a thread of its own: refused with TALLY_ERR_STATE. "
                + "A tracker has no threads; what it says and asks for is taken inside a call, on the thread that makes "
                + "the call"
        )
    }
}
