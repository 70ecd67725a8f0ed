package import Glibc

/// A lock that threads can wait on: for a reporter's queue and for whoever waits for a run's end.
@safe package final class Condition<Value>: @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let signal: UnsafeMutablePointer<pthread_cond_t>
    // In memory of its own: a property of a class would be checked for exclusive access, which the mutex gives.
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Guards a value.
    package init(_ value: Value) {
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
        unsafe mutex = .allocate(capacity: 1)
        unsafe signal = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(signal, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe pthread_cond_destroy(signal)
        unsafe pthread_mutex_destroy(mutex)
        unsafe signal.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` alone with the value, then wakes all who wait.
    @inlinable
    package func change<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(signal)
            unsafe pthread_mutex_unlock(mutex)
        }
        return unsafe body(&value.pointee)
    }

    /// Runs `body` alone with the value and wakes nobody.
    @inlinable
    package func with<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe body(&value.pointee)
    }

    /// Wakes all who wait.
    @inlinable
    package func wakeAll() { unsafe pthread_cond_broadcast(signal) }

    /// Waits until `body` gives a result, at most until `deadline` of ``SystemTime/monotonic()``; nil waits for ever.
    @inlinable
    package func wait<Result>(until deadline: Int64?, for body: (inout Value) -> Result?) -> Result? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = unsafe body(&value.pointee) { return result }
            guard let deadline else {
                unsafe pthread_cond_wait(signal, mutex)
                continue
            }
            var time = timespec(tv_sec: Int(deadline / 1_000_000), tv_nsec: Int(deadline % 1_000_000) * 1_000)
            if unsafe pthread_cond_timedwait(signal, mutex, &time) == ETIMEDOUT { return unsafe body(&value.pointee) }
        }
    }
}
