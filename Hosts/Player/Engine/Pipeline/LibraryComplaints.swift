internal import CGStreamer
internal import System

/// Hands on what GStreamer, GLib and their plugins complain of in this process, which they else write to standard error
/// as it comes, between the lines of whoever uses the engine.
package enum LibraryComplaints {
    /// Takes a complaint, on the thread that met it.
    package typealias Listener = @Sendable (String) -> Void

    private static let listener = Lock<Listener?>(nil)

    /// Hands complaints to a listener from now on; nil leaves them to standard error again.
    package static func hand(_ listener: Listener?) {
        self.listener.with { $0 = listener }
        unsafe g_log_set_default_handler(
            { domain, level, message, data in
                let isComplaint = level.rawValue & (G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_WARNING.rawValue) != 0
                guard isComplaint, let message = unsafe message, let listener = LibraryComplaints.listener.with({ $0 })
                else { return unsafe g_log_default_handler(domain, level, message, data) }
                let library = unsafe domain.map { unsafe String(cString: $0) } ?? "a library"
                unsafe listener("\(library): \(String(cString: message))")
            },
            nil
        )
    }
}
