import Tally
import TallyTesting

/// Performs actions at literal times, ms since the run's start.
func perform(_ steps: [(Int64, PlayerAction)], _ player: SyntheticPlayer, _ run: PlayerRun, _ clock: VirtualClock) {
    for (time, action) in steps {
        clock.advance(to: time * 1000)
        run.pump()
        player.perform(action, on: run)
        run.pump()
    }
}

/// Sessions whose figures were worked out by hand; the comments say how.
enum ScriptedSessions {
    /// Session 1, from 0 s to 100.5 s.
    ///
    /// - Startup: asked for at 1 s, first frame at 5.5 s, of that 3 s of an ad: 1.5 s.
    /// - Playing: 5.5-35.5, 37.5-47.5, 57.5-67.5, 69.5-89.5, 90.5-100.5: 80 s; the first 10 s at 3 Mbit/s, then 5.
    /// - Rebuffering: 35.5-37.5 and 89.5-90.5: 3 s in 2 waits. Seeking, with the wait that it causes: 67.5-69.5.
    /// - The content: 4.5-54.5 s, then 300.5-330.5 s: minutes 0 and 5.
    static let viewed: [(Int64, PlayerAction)] = [
        (0, .load), (1_000, .play), (1_000, .adBreakStart), (1_000, .adStart(1)), (2_000, .adQuartile(.second)),
        (4_000, .adComplete), (4_000, .adBreakComplete), (4_500, .bufferStart(.initial)), (5_500, .firstFrame),
        (5_500, .bufferComplete), (15_500, .rendition(bitrate: 5_000_000, shift: .up, phase: .visible)),
        (35_500, .bufferStart(.stall)), (37_500, .bufferComplete), (47_500, .pause), (57_500, .play),
        (67_500, .seekStart(to: 300)), (68_000, .bufferStart(.seek)), (69_000, .seekComplete),
        (69_500, .bufferComplete), (80_000, .playerError("slow")), (89_500, .bufferStart(.stall)),
        (90_500, .bufferComplete), (100_500, .unload),
    ]

    /// Session 2: the viewer leaves 2.5 s after asking.
    static let left: [(Int64, PlayerAction)] = [(110_000, .load), (110_500, .play), (113_000, .unload)]

    /// Session 4: starts in half a second and plays 10 s to the end, with a sample every 10 ms.
    static let short: [(Int64, PlayerAction)] =
        [(130_000, .load), (130_000, .play), (130_500, .firstFrame)]
        + (1..<1_000).map { (130_500 + $0 * 10, PlayerAction.quality) }
        + [(140_500, .complete), (141_000, .unload)]

    /// All four; session 3 fails before it has started, and a fifth one is never asked to play.
    static func performAll(_ player: SyntheticPlayer, _ run: PlayerRun, _ clock: VirtualClock) {
        perform(viewed, player, run, clock)
        perform(left, player, run, clock)
        perform([(120_000, .load), (120_500, .play)], player, run, clock)
        clock.advance(to: 121_000_000)
        run.trackVideoPlayerError("broken", PlayerErrorDetails(message: "no such asset", code: 404, fatal: true))
        run.pump()
        perform([(121_500, .unload)], player, run, clock)
        perform(short, player, run, clock)
        perform([(150_000, .load), (151_000, .unload)], player, run, clock)
    }
}
