internal import Glibc

/// A mutual exclusion lock around a value.
///
/// A pthread mutex and not the standard library's, because the thread sanitizer does not understand that one on Linux. Nor
/// does it a lock around nothing: a value of no size lies where the object's type does, which everybody reads.
@safe package final class Lock<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Guards a value.
    package init(_ value: Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` alone with the value.
    ///
    /// `body` must not call into a plugin, a delegate or this lock.
    package func with<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
