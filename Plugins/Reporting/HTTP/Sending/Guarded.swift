internal import Glibc

/// A value that several threads use, one at a time, and that they can wait for.
@safe final class Guarded<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe pthread_cond_destroy(changed)
        unsafe mutex.deallocate()
        unsafe changed.deallocate()
    }

    /// Runs `body` alone with the value, and wakes who waits for it.
    func with<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Waits until `body` gives something, at most so many seconds.
    func wait<Result>(seconds: Int, _ body: (inout Value) -> Result?) -> Result? {
        var limit = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &limit)
        limit.tv_sec += seconds
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) {
                return result
            }
            guard unsafe pthread_cond_timedwait(changed, mutex, &limit) == 0 else { return body(&value) }
        }
    }
}
