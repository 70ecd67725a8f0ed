internal import HostSupport

extension Key {
    /// What the keys do, in one line.
    static let help =
        "keys: space pauses, left and right seek by 10 s, up and down change the volume, m mutes, [ and ] change the "
        + "rate, f covers the screen, n goes to the next source, s skips the ad, q ends"

    private static let seekMs: Int64 = 10_000
    private static let volumeStep = 0.1
    private static let rateStep = 0.25
    private static let rates = 0.25...4.0

    /// The command that the key stands for, as playback is now; nil when it stands for none.
    func command(_ snapshot: PlayerSnapshot, isWanted: Bool) -> PlaybackCommand? {
        switch self {
        case .space: isWanted ? .pause(milliseconds: nil) : .play
        case .left: .seek(milliseconds: max(0, (snapshot.playheadMs ?? 0) - Self.seekMs))
        case .right: .seek(milliseconds: (snapshot.playheadMs ?? 0) + Self.seekMs)
        case .up: .volume(Self.step(snapshot.volume, by: Self.volumeStep, within: 0...1))
        case .down: .volume(Self.step(snapshot.volume, by: -Self.volumeStep, within: 0...1))
        case .character("]"): .rate(Self.step(snapshot.rate, by: Self.rateStep, within: Self.rates))
        case .character("["): .rate(Self.step(snapshot.rate, by: -Self.rateStep, within: Self.rates))
        case .character("m"): .mute(!snapshot.isMuted)
        case .character("f"): .fullscreen(!(snapshot.isFullscreen ?? false))
        case .character("n"): .next
        case .character("s"): .skipAd
        case .character("q"): .stop
        case .character: nil
        }
    }

    /// A step on a scale whose values are hundredths.
    private static func step(_ value: Double, by step: Double, within range: ClosedRange<Double>) -> Double {
        let next = ((value + step) * 100).rounded() / 100
        return min(max(next, range.lowerBound), range.upperBound)
    }
}
