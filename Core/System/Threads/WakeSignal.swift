internal import CLinux
internal import Glibc
internal import Synchronization

/// Wakes one sleeping thread.
///
/// It costs a system call only when the thread sleeps. A thread that has just run out of work naps before it sleeps:
/// work that comes soon after is found without a wake-up, which would cost whoever brings it more than the work itself.
@safe package struct WakeSignal: @unchecked Sendable {
    /// How long a nap lasts at most, us.
    private static let nap: Int64 = 200

    private enum State {
        static let awake: UInt8 = 0
        static let napping: UInt8 = 1
        static let sleeping: UInt8 = 2
    }

    private let descriptor: Int32
    private let state: UnsafeMutablePointer<Atomic<UInt8>>

    package init() {
        descriptor = tally_eventfd()
        precondition(descriptor >= 0, "cannot make an eventfd: error \(errno)")
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: Atomic(State.awake))
    }

    /// Frees what it holds.
    package func deallocate() {
        close(descriptor)
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Wakes the thread if it sleeps; if it naps, only for much work.
    ///
    /// What it brings has to be visible to all before: the queue's push is the barrier.
    package func notify(forMuch isMuch: Bool) {
        let seen = unsafe state.pointee.load(ordering: .sequentiallyConsistent)
        guard seen == State.sleeping || seen == State.napping && isMuch else { return }
        if unsafe state.pointee.exchange(State.awake, ordering: .relaxed) != State.awake {
            interrupt()
        }
    }

    /// Wakes the thread now, or makes its next wait return at once.
    package func interrupt() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Sleeps at most `microseconds`, unless there is something to do already; with `napping` it naps first.
    package func wait(microseconds: Int64, napping: Bool, whileIdle isIdle: () -> Bool) {
        var rest = microseconds
        if napping {
            let nap = min(rest, Self.nap)
            guard !wait(nap, as: State.napping, isIdle), isIdle() else { return }
            rest -= nap
        }
        if rest > 0 {
            _ = wait(rest, as: State.sleeping, isIdle)
        }
    }

    /// Whether it was woken, or found something to do at once.
    private func wait(_ microseconds: Int64, as waiting: UInt8, _ isIdle: () -> Bool) -> Bool {
        unsafe state.pointee.store(waiting, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        defer { unsafe state.pointee.store(State.awake, ordering: .relaxed) }
        guard isIdle() else { return true }
        guard tally_wait_readable(descriptor, microseconds) > 0 else { return false }
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, MemoryLayout<UInt64>.size)
        return true
    }
}
