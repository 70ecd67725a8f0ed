internal import Coordinator
internal import HostSupport
internal import Tally

/// What ends a replay before its archives do: a command, or a signal.
final class ReplayStop: Sendable {
    /// Halts and ends the replay.
    let control: ReplayControl
    private let signalled = Lock(false)
    private let reread = Lock<(@Sendable () -> Void)?>(nil)

    init(isPaused: Bool) {
        control = ReplayControl(isPaused: isPaused)
    }

    /// Whether a signal was what asked for the end first.
    var isBySignal: Bool { signalled.with { $0 } }

    /// Ends the replay at the first signal that asks for it; with `rereading` a SIGHUP does not.
    func watchSignals(rereading: Bool) {
        let hangUp: @Sendable () -> Void = { [reread] in reread.with { $0 }?() }
        SignalWatch.start(
            { [control, signalled] in
                signalled.with { $0 = control.stopReason == nil }
                control.stop("a signal asks for it; a second interrupt ends at once")
            },
            hangUp: rereading ? hangUp : nil
        )
    }

    /// What a SIGHUP does from now on.
    func hangUp(_ body: @escaping @Sendable () -> Void) {
        reread.with { $0 = body }
    }
}
