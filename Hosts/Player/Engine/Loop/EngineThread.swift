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
