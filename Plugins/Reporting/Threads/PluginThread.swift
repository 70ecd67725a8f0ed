internal import Glibc

/// A thread that runs one function, without signals: those are the program's.
package final class PluginThread {
    private var thread = pthread_t()

    /// Starts it; nil when the system has no more threads.
    package init?(_ body: @escaping @Sendable () -> Void) {
        let start = Start(body)
        let context = unsafe Unmanaged.passRetained(start)
        let status = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                var all = sigset_t()
                unsafe sigfillset(&all)
                unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
                unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                return nil
            },
            context.toOpaque()
        )
        guard status == 0 else {
            unsafe context.release()
            return nil
        }
    }

    /// Waits until the function has returned.
    package func join() { pthread_join(thread, nil) }

    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
