internal import Glibc
internal import Synchronization

/// What a dying process writes when a thread is in a plugin: hash and id, made once and kept for good.
@safe enum CrashLine {
    /// Whether this process writes anything as it dies.
    static let isWatched = Atomic<Bool>(false)

    /// A line for a file.
    static func make(sha256: String, plugin: String) -> UnsafePointer<CChar>? {
        guard isWatched.load(ordering: .relaxed), !sha256.isEmpty else { return nil }
        return unsafe UnsafePointer(strdup("\(sha256) \(plugin)"))
    }
}
