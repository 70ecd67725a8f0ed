internal import Tally
internal import TextEncoding

/// Decides by a seed when the coordinator of a virtual run gets to work, also in the midst of a track call.
final class VirtualPace: @unchecked Sendable {
    private var random: SplitMix64
    private weak var run: PlayerRun?
    private var clock: VirtualClock?

    init(seed: UInt64) {
        random = SplitMix64(seed: seed ^ 0x5EED)
    }

    /// Lets time pass and timers fire between a track call's time and its place in the queue.
    var perturbation: LivePerturbation {
        LivePerturbation(
            beforeEnqueue: { [weak self] in
                self?.overtake()
            },
            beforeTimers: {}
        )
    }

    func attach(run: PlayerRun, clock: VirtualClock) {
        self.run = run
        self.clock = clock
    }

    func detach() {
        run = nil
    }

    /// Sometimes handles what is due, sometimes lets it gather.
    func maybePump() {
        if random.next() % 3 != 0 {
            run?.pump()
        }
    }

    private func overtake() {
        guard let run, let clock, random.next() % 4 == 0 else { return }
        clock.advance(to: clock.now() + Int64(random.next() % 40_000))
        run.pump()
    }
}
