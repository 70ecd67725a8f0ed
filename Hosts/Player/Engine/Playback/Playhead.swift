/// The last believable position.
///
/// A sink that has got the end of its stream reports the full duration as position, also when the file was cut short.
/// A jump that playback cannot have made in the time since the last look is therefore not believed. A live stream has
/// no duration, and jumps when what comes next is not there any more.
struct Playhead: Sendable {
    private static let jumpToleranceMs = 1000.0

    private(set) var positionMs: Int64?
    private var timeNs: Int64 = 0

    /// Takes a polled position; false when it did not move or is not believed.
    mutating func observe(_ newMs: Int64, at nowNs: Int64, rate: Double, isLive: Bool = false) -> Bool {
        guard let positionMs else {
            set(newMs, at: nowNs)
            return true
        }
        let elapsedMs = Double(nowNs - timeNs) / 1_000_000
        let limitMs = elapsedMs * max(rate, 1) + Self.jumpToleranceMs
        guard isLive || Double(newMs - positionMs) <= limitMs else { return false }
        set(newMs, at: nowNs)
        return newMs != positionMs
    }

    /// Takes a position that a seek or the end has set.
    mutating func set(_ newMs: Int64, at nowNs: Int64) {
        positionMs = newMs
        timeNs = nowNs
    }
}
