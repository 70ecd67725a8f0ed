internal import CLinux
internal import Glibc
internal import Synchronization

/// Wakes one sleeping thread. Costs a system call only when it sleeps.
@safe final class WakeSignal: @unchecked Sendable {
    private let descriptor: Int32
    private let sleeping = Atomic<Bool>(false)

    init() {
        descriptor = tally_eventfd()
        precondition(descriptor >= 0, "cannot make an eventfd: error \(errno)")
    }

    deinit {
        close(descriptor)
    }

    /// Wakes the thread if it sleeps. The fence orders what was published before against the look at `sleeping`.
    func notify() {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if sleeping.load(ordering: .relaxed), sleeping.exchange(false, ordering: .relaxed) {
            interrupt()
        }
    }

    /// Wakes the thread now, or makes its next wait return at once.
    func interrupt() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Sleeps at most `microseconds`, unless there is something to do already.
    func wait(microseconds: Int64, whileIdle isIdle: () -> Bool) {
        sleeping.store(true, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        defer { sleeping.store(false, ordering: .relaxed) }
        guard isIdle() else { return }
        if tally_wait_readable(descriptor, microseconds) > 0 {
            var count: UInt64 = 0
            _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
        }
    }
}
