/// When a run ends because nothing comes any more: how long it may be silent depends on what its player did last.
struct Silence {
    /// What a player did last, as far as its silence goes.
    enum Course {
        case playing
        /// Paused, or in the background.
        case paused
        /// Its content has ended or failed, or the viewer has left.
        case over
    }

    /// What the player did last.
    var course = Course.playing
    private let patience: ReportPatience
    private var firstReceived: Int64?
    private var lastReceived: Int64?

    init(_ patience: ReportPatience) {
        self.patience = patience
    }

    /// Something came at `received`, us since 1970.
    mutating func hear(at received: Int64) {
        firstReceived = firstReceived ?? received
        lastReceived = received
    }

    /// When the run ends if nothing else comes, us since 1970.
    var end: Int64? {
        guard let firstReceived, let lastReceived else { return nil }
        return min(lastReceived + longest, firstReceived + patience.longestRun)
    }

    /// Why it ends then.
    var reason: String {
        guard let firstReceived, let end else { return "timeout" }
        return end == firstReceived + patience.longestRun ? "limit" : "timeout"
    }

    private var longest: Int64 {
        switch course {
        case .playing: patience.whilePlaying
        case .paused: patience.whilePaused
        case .over: patience.afterEnd
        }
    }
}
