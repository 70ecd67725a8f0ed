internal import Glibc
internal import HostSupport
internal import Tally

/// What ends a replay before its archives do: a command, or a signal.
final class ReplayStop: Sendable {
    /// Halts and ends the replay.
    let control: ReplayControl
    private let signalled = Lock(false)
    private let reread = Lock<(@Sendable () -> Void)?>(nil)

    /// Who waits for input and for signals.
    enum Waiting {
        /// The replay's own thread waits for input and does meanwhile what is asked; another waits for signals.
        case controlled
        /// The thread that reads waits for input; another waits for signals.
        case reading
        /// One thread does it all.
        case alone
    }

    private let waiting: Waiting

    init(isPaused: Bool, waiting: Waiting) {
        control = ReplayControl(isPaused: isPaused)
        self.waiting = waiting
    }

    /// How often an end is looked for by whoever does not wait for it, ms.
    private static let interval: Int32 = 100

    /// Whether a signal was what asked for the end first.
    var isBySignal: Bool { signalled.with { $0 } }

    /// Ends the replay at the first signal that asks for it; with `rereading` a SIGHUP does not.
    func watchSignals(rereading: Bool) {
        guard waiting != .alone else { return }
        let hangUp: @Sendable () -> Void = { [reread] in reread.with { $0 }?() }
        SignalWatch.start(
            { [control, signalled] in
                signalled.with { $0 = control.stopReason == nil }
                control.stop("a signal asks for it; a second interrupt ends at once")
            },
            hangUp: rereading ? hangUp : nil
        )
    }

    /// Looks for a signal where no thread waits for it.
    func poll() {
        guard waiting == .alone, SignalWatch.consumePending() else { return }
        signalled.with { $0 = $0 || control.stopReason == nil }
        control.stop("a signal asks for it")
    }

    /// Waits until a pipe or a terminal has something, and does something else now and then; false when the replay was
    /// ended.
    func waitForBytes(_ descriptor: Int32, meanwhile: (() -> Void)? = nil) -> Bool {
        if waiting == .controlled, meanwhile == nil { return control.wait(forInput: descriptor, milliseconds: -1) }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            poll()
            if control.stopReason != nil { return false }
            let isControlled = waiting == .controlled
            if isControlled, !control.wait(forInput: descriptor, milliseconds: Self.interval) { return false }
            if unsafe Glibc.poll(&request, 1, isControlled ? 0 : Self.interval) != 0 { return true }
            meanwhile?()
        }
    }

    /// What a SIGHUP does from now on.
    func hangUp(_ body: @escaping @Sendable () -> Void) {
        reread.with { $0 = body }
    }
}
