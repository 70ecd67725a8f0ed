import Glibc

/// A thread that nobody joins.
package enum EngineThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs a body on a new thread.
    package static func start(_ body: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context
        )
        precondition(result == 0, "the system refuses a thread for the media engine: error \(result)")
        pthread_detach(thread)
    }
}

/// The clock of all reports: it runs on while the machine sleeps.
enum MonotonicClock {
    /// Nanoseconds since the machine was started.
    static func nowNs() -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}

/// A mutex with a condition to wait for.
@safe final class Lock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    func withLock<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Waits, under the lock, for a signal.
    func wait() { unsafe pthread_cond_wait(condition, mutex) }

    /// Wakes all that wait.
    func signalAll() { unsafe pthread_cond_broadcast(condition) }
}
