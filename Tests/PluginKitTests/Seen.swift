import Glibc

/// Notes that several calls leave.
@safe final class Seen: @unchecked Sendable {
    private var notes: [String] = []
    private let lock: UnsafeMutablePointer<pthread_mutex_t> = {
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        return unsafe lock
    }()

    deinit {
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    var texts: [String] {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        return notes
    }

    func note(_ text: String) {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        notes.append(text)
    }
}
