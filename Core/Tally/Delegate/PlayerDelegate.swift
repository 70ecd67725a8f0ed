internal import PluginABI

/// What Tally asks a player for, and tells it.
///
/// The information methods are called inside track calls, on the caller's thread, at any time and in any order: they
/// must be quick and safe to call from every thread that makes track calls. Writing nothing is legal and says "nothing
/// known". The call-backs come one after another on a thread of their own, never inside a track call.
///
/// Video, ad break, ad, chapter and quality information are the guides' `getVideoInfo`, `getAdBreakInfo`, `getAdInfo`,
/// `getChapterInfo` and `getQoSInfo` (Adobe VHL 1.4, "Implement the Player Delegate").
public protocol PlayerDelegate: AnyObject, Sendable {
    /// Asked at video load and metadata change: what is played.
    func videoInfo(_ info: borrowing VideoInfoEncoder)

    /// Asked at ad break start, ad start and seek complete: the pod that is shown now.
    func adBreakInfo(_ info: borrowing AdBreakInfoEncoder)

    /// Asked at ad start and seek complete: the ad that is shown now.
    func adInfo(_ info: borrowing AdInfoEncoder)

    /// Asked at chapter start and seek complete: the chapter that is shown now.
    func chapterInfo(_ info: borrowing ChapterInfoEncoder)

    /// Asked at every track call except playhead samples: the quality of what is shown.
    func qualityInfo(_ info: borrowing QualityInfoEncoder)

    /// Asked at every track call: where playback stands.
    func playerState(_ state: borrowing PlayerStateEncoder)

    /// A session's outputs were delivered, or the time limit for that has passed. Once a session.
    ///
    /// It is safe to call ``PlayerRun/destroy(_:)`` here.
    func videoUnloaded(_ report: SessionReport)

    /// A tracker met an error that concerns the player.
    func error(_ error: TrackerError)
}

extension PlayerDelegate {
    /// Says nothing.
    public func videoInfo(_ info: borrowing VideoInfoEncoder) {}
    /// Says nothing.
    public func adBreakInfo(_ info: borrowing AdBreakInfoEncoder) {}
    /// Says nothing.
    public func adInfo(_ info: borrowing AdInfoEncoder) {}
    /// Says nothing.
    public func chapterInfo(_ info: borrowing ChapterInfoEncoder) {}
    /// Says nothing.
    public func qualityInfo(_ info: borrowing QualityInfoEncoder) {}
    /// Says nothing.
    public func playerState(_ state: borrowing PlayerStateEncoder) {}
    /// Does nothing.
    public func videoUnloaded(_ report: SessionReport) {}
    /// Does nothing.
    public func error(_ error: TrackerError) {}
}

/// An error of a tracker that concerns the player; also in the output, as a record of the kind `tracker_error`.
public struct TrackerError: Sendable, Equatable {
    /// The configured name of the tracker.
    public let plugin: String
    /// The tracker's code for it.
    public let code: String
    /// What happened.
    public let message: String
    /// More of it; may be empty.
    public let details: String
}

/// What became of a session's outputs; comes with `videoUnloaded`.
public struct SessionReport: Sendable, Equatable {
    /// Number of the session in its run, from 1.
    public var session: UInt32 = 0
    /// Outputs that reporters sent, or gave up after trying.
    public var delivered: UInt64 = 0
    /// Outputs that reporters keep for later.
    public var kept: UInt64 = 0
    /// Outputs that were lost.
    public var dropped: UInt64 = 0
    /// Whether a reporter had not answered when the time limit ended the wait.
    public var timedOut = false
}
