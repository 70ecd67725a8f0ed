import CGStreamer
import Glibc
import System

/// Which certificates this process trusts, for all that uses GLib's TLS.
enum TrustedCertificates {
    private typealias BackendFunction = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias FileFunction =
        @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?) ->
        UnsafeMutableRawPointer?
    private typealias SetFunction = @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void

    /// Trusts the certificates of a file alone, or those of the system; false when that cannot be done.
    static func use(_ path: String?) -> Bool {
        guard let library = unsafe dlopen("libgio-2.0.so.0", RTLD_LAZY),
            let backend = unsafe dlsym(library, "g_tls_backend_get_default"),
            let open = unsafe dlsym(library, "g_tls_file_database_new"),
            let set = unsafe dlsym(library, "g_tls_backend_set_default_database")
        else { return path == nil }
        let useDatabase = unsafe unsafeBitCast(set, to: SetFunction.self)
        guard let path else {
            if wasUsed.with({ $0 }) { unsafe useDatabase(unsafeBitCast(backend, to: BackendFunction.self)(), nil) }
            return true
        }
        // GLib takes no path that is relative to a folder.
        guard let absolute = unsafe realpath(path, nil) else { return false }
        defer { unsafe free(absolute) }
        guard let database = unsafe unsafeBitCast(open, to: FileFunction.self)(absolute, nil) else { return false }
        wasUsed.with { $0 = true }
        unsafe useDatabase(unsafeBitCast(backend, to: BackendFunction.self)(), database)
        unsafe g_object_unref(database)
        return true
    }

    /// Whether others than those of the system were trusted; loading GLib's TLS takes time.
    private static let wasUsed = Lock(false)
}
