internal import Glibc

/// A value that several threads use, one at a time, and that they can wait for.
@safe package final class Guarded<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    /// Guards a value.
    package init(_ value: Value) {
        self.value = value
        unsafe pthread_mutex_init(mutex, nil)
        // Nobody sets this clock: a wait takes as long as it was meant to.
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(changed, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe pthread_cond_destroy(changed)
        unsafe mutex.deallocate()
        unsafe changed.deallocate()
    }

    /// Runs `body` alone with the value, and wakes who waits for it.
    package func with<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Waits until `body` gives something, at most so many seconds.
    package func wait<Result>(seconds: Int, _ body: (inout Value) -> Result?) -> Result? {
        wait(milliseconds: seconds * 1000, body)
    }

    /// Waits until `body` gives something, at most so many milliseconds.
    package func wait<Result>(milliseconds: Int, _ body: (inout Value) -> Result?) -> Result? {
        var limit = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &limit)
        let nanoseconds = limit.tv_nsec + milliseconds % 1000 * 1_000_000
        limit.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
        limit.tv_nsec = nanoseconds % 1_000_000_000
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            guard unsafe pthread_cond_timedwait(changed, mutex, &limit) == 0 else { return body(&value) }
        }
    }
}
