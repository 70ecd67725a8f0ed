internal import HostSupport
internal import PlaybackEngine

/// Counts how often a source was opened again; each source of a playlist has all its tries.
struct SourceRetries {
    let options: RetryOptions
    private var source = ""
    private var count = 0

    init(_ options: RetryOptions) {
        self.options = options
    }

    /// The source that is played is another one.
    mutating func begin(_ source: String) {
        self.source = source
        count = 0
    }

    /// The source that is to be opened again; nil when it did not fail, when that would not help, or not any more.
    mutating func source(after tracking: PlaybackTracking) -> String? {
        guard let failure = tracking.failure, Self.mayPass(failure.code), count < options.limit else { return nil }
        count += 1
        return source
    }

    /// Whether a failure is one of the network or of the server; what the media is does not change.
    private static func mayPass(_ code: EngineError.Code) -> Bool {
        code.exitCode == .unavailable && code != .engineMissing
    }
}
