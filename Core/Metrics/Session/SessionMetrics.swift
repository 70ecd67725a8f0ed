/// What was measured of one session, in whole numbers: times in us, places in ms.
///
/// ``Metric/all`` says what is made of it.
package struct SessionMetrics: Sendable {
    /// The player run.
    package let run: ExactText
    /// Number in the run, from 1.
    package let session: UInt32
    /// Wall clock at the load, us since 1970.
    package let loadedAt: Int64
    /// Run time of the load, us.
    package let begun: Int64
    /// Run time of the session's end, us; nil while it goes on.
    package internal(set) var ended: Int64?
    /// Run time of the last event, us.
    package internal(set) var latest: Int64

    /// Texts by which sessions are grouped, by the attribute's name.
    package internal(set) var attributes: [String: ExactText] = [:]
    /// A hash of who watches; nil where that is not said.
    package internal(set) var viewer: UInt64?

    /// Time in each activity, us; asleep is none.
    package internal(set) var times = [Int64](repeating: 0, count: Activity.allCases.count)
    /// Time in which the machine slept or the process was stopped, us.
    package internal(set) var asleep: Int64 = 0

    /// Whether it was under way when it was first heard of: what was before is in no figure.
    package internal(set) var isJoined = false
    /// Whether the player wanted to play, or had shown a frame, in one that was joined.
    var wasWanted = false
    package internal(set) var firstPlay: Int64?
    package internal(set) var firstFrame: Int64?
    /// From the first wish to play to the first frame, us.
    package internal(set) var startup: Int64 = 0
    /// The part of that with ads, us.
    package internal(set) var startupAds: Int64 = 0
    package internal(set) var failedBefore = false
    package internal(set) var failedAfter = false
    package internal(set) var completed = false
    package internal(set) var ending: Ending?

    /// What counts as played, us.
    package internal(set) var played: Int64 = 0
    /// The part of that whose bitrate is known, us.
    package internal(set) var rated: Int64 = 0
    /// Bitrate by the time that it played for, bit/s times us.
    package internal(set) var bits: Int128 = 0
    package internal(set) var peakBitrate: Int64?
    package internal(set) var rebuffers: Int64 = 0
    package internal(set) var seeks: Int64 = 0
    package internal(set) var renditions: Int64 = 0
    package internal(set) var switchesUp: Int64 = 0
    package internal(set) var switchesDown: Int64 = 0
    package internal(set) var droppedFrames: Int64?
    package internal(set) var renderedFrames: Int64?

    package internal(set) var furthest: Int64?
    package internal(set) var furthestEstimate: Int64?
    package internal(set) var length: Int64 = 0
    package internal(set) var minutes = PlayedMinutes()
    package internal(set) var renditionTimes: [Rendition: Int64] = [:]
    /// How far what is shown lies behind the moment that it was made for, ms.
    package internal(set) var latency = ExponentialHistogram()

    package internal(set) var adBreaks: Int64 = 0
    package internal(set) var ads: Int64 = 0
    package internal(set) var adsCompleted: Int64 = 0
    package internal(set) var adsSkipped: Int64 = 0
    package internal(set) var adClicks: Int64 = 0
    package internal(set) var adErrors: Int64 = 0
    /// Those of them that ended no ad, but kept one from coming.
    package internal(set) var adErrorsOutside: Int64 = 0
    package internal(set) var errors: Int64 = 0
    package internal(set) var errorCodes: [ExactText: Int64] = [:]

    /// How many renditions and codes are kept by name; what comes later counts for ``otherName``.
    static let kept = 32
    /// What is counted together.
    package static let otherName = ExactText("other")

    init(run: ExactText, session: UInt32, begun: Int64, epoch: Int64) {
        self.run = run
        self.session = session
        self.begun = begun
        loadedAt = epoch &+ begun
        latest = begun
    }

    /// Time in an activity, us.
    package func time(_ activity: Activity) -> Int64 { times[activity.rawValue] }

    /// Whether the viewer, or autoplay, asked for playback.
    package var isAttempted: Bool { firstPlay != nil || firstFrame != nil || wasWanted }
    /// Whether there was a first frame.
    package var isStarted: Bool { firstFrame != nil }
    /// Whether it has no end yet.
    package var isOpen: Bool { ended == nil }
    /// Whether a fatal error came, and no first frame.
    package var isStartFailed: Bool { firstPlay != nil && !isStarted && failedBefore }
    /// Whether it ended without a first frame and without a fatal error.
    package var isExitedBeforeStart: Bool { firstPlay != nil && !isStarted && !failedBefore && !isOpen }
    /// From the first wish to play to the first frame, with ads in between, us; nil unless they came in this order.
    package var startupWithAds: Int64? {
        guard !isJoined, let firstPlay, let firstFrame, firstFrame >= firstPlay else { return nil }
        return startup
    }

    /// A rendition as it is told apart.
    package struct Rendition: Hashable, Comparable, Sendable {
        /// Bitrate, bit/s; -1 for all that came when too many were known.
        package let bitrate: Int64
        /// Height of the picture, px; 0 where it is not known.
        package let height: Int32

        /// All that came when too many were known.
        static let other = Rendition(bitrate: -1, height: 0)

        /// Describes a rendition.
        package init(bitrate: Int64, height: Int32) {
            self.bitrate = bitrate
            self.height = height
        }

        /// By bitrate, then by height.
        package static func < (left: Rendition, right: Rendition) -> Bool {
            (left.bitrate, left.height) < (right.bitrate, right.height)
        }

        /// What it is called as a group: its height, or else its bitrate.
        package var name: String {
            bitrate < 0 ? "\(SessionMetrics.otherName)" : height > 0 ? "\(height)p" : "\(bitrate)"
        }
    }

    /// The rendition that was played longest; the better one of two.
    package var mainRendition: Rendition? {
        renditionTimes.filter { $0.value > 0 }.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }

    /// What the unload says of how the session ended.
    package enum Ending: Sendable, Equatable {
        /// The player unloaded the asset.
        case unload
        /// The core did, since another was loaded.
        case replaced
        /// The core did, since nothing came for too long, or for another cause with a word for it.
        case cause(ExactText)
    }

    /// How the session ended, in a word; the first that holds.
    package var endReason: ExactText {
        if isOpen { return ExactText("open") }
        if isStartFailed { return ExactText("start_failed") }
        if isStarted && failedAfter { return ExactText("playback_failed") }
        if isStarted && completed { return ExactText("completed") }
        if isExitedBeforeStart { return ExactText("exited_before_start") }
        if !isAttempted { return ExactText("not_attempted") }
        switch ending {
        case .unload: return ExactText("left")
        case .replaced: return ExactText("replaced")
        case .cause(let cause): return cause
        case nil: return ExactText("run_ended")
        }
    }

    /// The quarters of the content's length that were passed, 4 only when it was completed; nil without a length.
    package var quartile: Int64? {
        guard length > 0 else { return nil }
        if completed { return 4 }
        guard let furthestEstimate, furthestEstimate > 0 else { return 0 }
        return Int64(min(Int128(furthestEstimate) * 4 / Int128(length), 3))
    }
}
