internal import PluginABI
internal import PluginKit

/// When something happens, and where the player stands then.
struct Moment {
    /// Time of the run, us.
    let time: Int64
    /// Wall clock, ms since 1970.
    let viewerTime: Int64
    /// The player, lent for the call.
    let player: PlayerState
    /// Whether the player has reported its playhead now.
    let isReported: Bool

    init(_ time: Int64, epochMicroseconds: Int64, player: PlayerState, isTimer: Bool = false) {
        self.time = time
        viewerTime = (epochMicroseconds + time) / 1000
        self.player = player
        isReported = unsafe !isTimer && player.knows(TALLY_KNOWN_PLAYHEAD) && player.raw.pointee.reported_age_us == 0
    }
}
