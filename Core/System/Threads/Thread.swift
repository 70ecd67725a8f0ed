internal import CLinux
internal import Glibc

/// A thread with a name that runs one function.
@safe package final class Thread: @unchecked Sendable {
    private let thread: pthread_t
    private let joined = Lock(false)

    /// Starts a thread; `name` is cut to 15 bytes, which is all that Linux shows.
    package init(name: String, _ body: @escaping @Sendable () -> Void) {
        let start = Start(name: String(name.prefix(15)), body: body)
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                unsafe tally_name_thread(start.name)
                tally_prepare_thread()
                start.body()
                tally_end_thread()
                return nil
            },
            unsafe Unmanaged.passRetained(start).toOpaque()
        )
        precondition(status == 0, "cannot start a thread: error \(status)")
        self.thread = thread
    }

    deinit {
        release()
    }

    /// Waits until the function has returned.
    ///
    /// On the thread itself, and the second time, it returns at once.
    package func join() {
        guard !isCurrent else {
            release()
            return
        }
        if claim() {
            pthread_join(thread, nil)
        }
    }

    /// Lets the system clean up after a thread that nobody waits for.
    private func release() {
        if claim() {
            pthread_detach(thread)
        }
    }

    /// Whether the caller is the first to join or release.
    private func claim() -> Bool {
        joined.with { joined in
            defer { joined = true }
            return !joined
        }
    }

    /// Whether the caller runs on this thread.
    package var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
