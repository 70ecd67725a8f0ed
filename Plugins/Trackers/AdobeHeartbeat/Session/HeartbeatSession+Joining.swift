internal import PluginABI
internal import PluginKit

extension HeartbeatSession {
    /// Takes over what the player does when the tracker joins in its midst.
    func resume(_ player: PlayerState, at moment: Moment) {
        isPaused = player.has(TALLY_STATE_PAUSED)
        isSeeking = player.has(TALLY_STATE_SEEKING)
        isBuffering = player.has(TALLY_STATE_BUFFERING)
        hasPlayed = player.hasAny(TALLY_STATE_PLAYING | TALLY_STATE_STARTED)
        guard player.hasAny(TALLY_STATE_PLAYING | TALLY_STATE_PAUSED | TALLY_STATE_SEEKING | TALLY_STATE_BUFFERING)
        else { return }
        follow(at: moment)
    }
}
