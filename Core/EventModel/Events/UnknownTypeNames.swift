internal import Glibc

/// Numbers for the event types that no version of the vocabulary known here has.
///
/// Thread-safe.
///
/// Names are told apart by their bytes. There is a limit to how many get a number of their own, so that an archive full
/// of made-up names does not fill the memory: the name in the block always tells what a type is.
@safe package final class UnknownTypeNames: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var numbers: [[UInt8]: UInt32] = [:]

    /// Begins without names.
    package init() {
        unsafe lock = .allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    /// The number of a name; one is given out when it is new, the last of all when there are too many.
    package func type(named name: UTF8Text) -> EventType {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        let name = unsafe [UInt8](name.bytes)
        if let number = numbers[name] {
            return EventType(rawValue: number)
        }
        guard numbers.count < Limits.unknownTypes else { return EventType(rawValue: .max) }
        let number = EventType.firstUnknown + UInt32(numbers.count)
        numbers[name] = number
        return EventType(rawValue: number)
    }
}
