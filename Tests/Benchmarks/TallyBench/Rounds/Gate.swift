internal import Glibc

/// Where threads wait for one another.
@safe final class Gate: @unchecked Sendable {
    private let barrier: UnsafeMutablePointer<pthread_barrier_t>

    init(parties: Int) {
        unsafe barrier = .allocate(capacity: 1)
        unsafe pthread_barrier_init(barrier, nil, UInt32(parties))
    }

    deinit {
        unsafe pthread_barrier_destroy(barrier)
        unsafe barrier.deallocate()
    }

    /// Waits until all have come.
    func pass() {
        _ = unsafe pthread_barrier_wait(barrier)
    }
}
