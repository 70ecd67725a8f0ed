/// Takes where playback stands.
public typealias PlayerStateEncoder = InfoEncoder<PlayerStateInfo>

/// Where playback stands, as what an ``InfoEncoder`` is about.
public enum PlayerStateInfo {}

extension InfoEncoder where Subject == PlayerStateInfo {
    /// The event happened at a time of the run, us, and is told later; what was told before it stays before it.
    package func happened(at time: Int64) { date(time) }

    /// Place in the main content, without ads, seconds; kept in whole milliseconds.
    public func playhead(seconds: Double) { unsafe state.pointee.set(playhead: Canonical.mediaTime(seconds)) }

    /// Place in the main content, without ads, ms.
    public func playhead(milliseconds: Int64) { unsafe state.pointee.set(playhead: milliseconds) }

    /// Place in the ad, ms.
    public func adPlayhead(milliseconds: Int64) { unsafe state.pointee.set(adPlayhead: milliseconds) }

    /// Live: wall clock of the frame shown, ms since 1970.
    public func liveWallClock(milliseconds: Int64) { unsafe state.pointee.set(liveWall: milliseconds) }

    /// Length of the main content, ms; -1 for a stream without a known end.
    public func duration(milliseconds: Int64) { unsafe state.pointee.set(duration: milliseconds) }

    /// Playback rate of what is shown: 1 is normal speed; kept in thousandths.
    ///
    /// 0 is a pause, also without ``PlayerRun/trackPause()``, until the rate is another one.
    public func rate(_ rate: Double) { unsafe state.pointee.set(rate: Canonical.thousandths(rate)) }

    /// Volume from 0 to 1; kept in thousandths.
    public func volume(_ volume: Double) { unsafe state.pointee.set(volume: Canonical.thousandths(volume)) }

    /// Whether the sound is off.
    public func muted(_ truth: Bool) { unsafe state.pointee.set(muted: truth) }

    /// Whether the player covers the screen.
    public func fullscreen(_ truth: Bool) { unsafe state.pointee.set(fullscreen: truth) }

    /// Whether the stream is live.
    public func live(_ truth: Bool) { unsafe state.pointee.set(live: truth) }

    /// Whether there is no picture.
    public func audioOnly(_ truth: Bool) { unsafe state.pointee.set(audioOnly: truth) }

    /// Size of the player on screen, logical px.
    public func playerSize(width: Int32, height: Int32) { unsafe state.pointee.set(playerWidth: width, height: height) }
}
