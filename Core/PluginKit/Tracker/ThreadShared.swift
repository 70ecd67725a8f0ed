internal import Glibc

/// Something that is used within one call alone, of which each thread has one.
///
/// All trackers of a plugin that a thread drives share it, so that one that waits for its next event has none of it.
/// What lies in it is gone when the call is over: the next one may be another tracker's.
@safe public final class ThreadShared<Value: AnyObject>: Sendable {
    /// Nil when the process has no keys left: each use then makes a value of its own.
    private let key: pthread_key_t?
    private let make: @Sendable () -> Value

    /// Shares values that are made when a thread first asks.
    public init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
        var key = pthread_key_t()
        let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { value in
            guard let value = unsafe value else { return }
            unsafe Unmanaged<AnyObject>.fromOpaque(value).release()
        }
        self.key = unsafe pthread_key_create(&key, release) == 0 ? key : nil
    }

    /// The calling thread's.
    public var value: Value {
        guard let key else { return make() }
        if let known = unsafe pthread_getspecific(key) {
            return unsafe Unmanaged<Value>.fromOpaque(known).takeUnretainedValue()
        }
        let made = make()
        unsafe pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
        return made
    }
}

/// What a tracker writes a record and a beacon into, within one call.
@safe public final class CallBuilders {
    /// For a record that is begun, filled and emitted within a call.
    public let record = RecordBuilder()
    /// For a beacon that is begun, filled and emitted within a call.
    public let beacon = BeaconBuilder()

    private static let shared = ThreadShared { CallBuilders() }

    /// The calling thread's; a tracker asks for them in each call in which it writes something.
    public static var ofThread: CallBuilders { shared.value }
}
