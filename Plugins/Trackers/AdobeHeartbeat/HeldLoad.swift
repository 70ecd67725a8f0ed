/// A load of which the player has not said yet all that is mandatory, with the calls that came since.
struct HeldLoad {
    /// When the load was.
    var moment: Moment
    /// What is known of the video so far.
    var video: VideoInformation
    /// What is still missing.
    var missing: InvalidInformation
    var calls: [WaitingCall] = []

    /// A call that waits.
    struct WaitingCall {
        var call: TrackCall
        /// When it was.
        var moment: Moment
    }

    /// How long is waited for it, us: longer than any player loads.
    static let patience: Int64 = 30_000_000
    private static let mostCalls = 1_000

    init(_ video: VideoInformation, missing: InvalidInformation, at moment: Moment) {
        self.moment = moment
        self.video = video
        self.missing = missing
    }

    /// Keeps a call for later; false when there are too many.
    mutating func hold(_ call: TrackCall, at moment: Moment) -> Bool {
        guard calls.count < Self.mostCalls else { return false }
        calls.append(WaitingCall(call: call, moment: moment))
        return true
    }
}
