internal import EventModel
internal import PluginABI
internal import Synchronization

/// Drives a coordinator by a clock: takes queued events, fires timers when they are due, ends the run.
///
/// One thread is the run's `[core]` context, unless the run is pumped by hand, as tests do.
@safe package final class LiveRun: @unchecked Sendable {
    /// Where track calls put their events.
    package let queue = EventQueue()
    /// The run's clock.
    package let clock: any RunClock
    private let bootStart: Int64?
    /// Delays for tests.
    package let perturbation: LivePerturbation?

    /// How long a run may be quiet before the archive notes the time, us.
    private static let markInterval: Int64 = 1_000_000

    private enum Stage {
        case running
        case draining(deadline: Int64)
        case cancelling
    }

    private struct Requests {
        var controls: [ControlEvent] = []
        var stage = Stage.running
    }

    private let coordinator: Coordinator
    private let requests = Lock(Requests())
    private let accepting = Atomic<Bool>(true)
    private let ended = Condition<UInt64?>(nil)
    private var thread: Thread?
    private var watch = ClockWatch()
    private var lastNote: Int64 = 0
    private let clockBlock = BlockBuffer()

    /// Takes over a coordinator; with `pumped` nothing runs until ``pump()``.
    package init(
        coordinator: Coordinator,
        clock: any RunClock,
        pumped: Bool = false,
        perturbation: LivePerturbation? = nil
    ) {
        self.coordinator = coordinator
        self.clock = clock
        bootStart = clock.bootStart
        self.perturbation = perturbation
        if !pumped {
            thread = Thread(name: "tally-core") { self.loop() }
        }
    }

    deinit {
        queue.deallocate()
    }

    /// The run's time, us since its start.
    package var time: Int64 {
        if let bootStart { SystemTime.boot() &- bootStart } else { clock.now() }
    }

    /// Whether track calls are taken.
    package var isAccepting: Bool {
        accepting.load(ordering: .relaxed)
    }

    /// Asks for a change of the set of trackers, at the next event boundary.
    package func request(_ control: ControlEvent) {
        requests.with { $0.controls.append(control) }
        queue.interrupt()
    }

    /// Handles everything that is due by now, on this thread.
    ///
    /// For runs that are pumped; a run with a thread of its own does it there.
    package func pump() {
        guard thread == nil else { return }
        step(limit: .max)
        let now = clock.now()
        while let deadline = coordinator.nextDeadline, deadline <= now {
            coordinator.advance(to: deadline)
        }
    }

    /// Ends the run and waits for its end.
    ///
    /// - Returns: how many queued events were dropped.
    package func finish(_ mode: DestroyMode) -> UInt64 {
        accepting.store(false, ordering: .sequentiallyConsistent)
        requests.with { requests in
            guard case .running = requests.stage else { return }
            switch mode {
            case .drain(let limit): requests.stage = .draining(deadline: SystemTime.monotonic() + limit * 1000)
            case .cancel: requests.stage = .cancelling
            }
        }
        guard let thread else {
            return finishPumped()
        }
        queue.interrupt()
        let dropped = ended.wait(until: nil) { $0 } ?? 0
        thread.join()
        return dropped
    }

    // MARK: - The loop

    private func loop() {
        while true {
            let stage = requests.with { $0.stage }
            if case .cancelling = stage {
                break
            }
            let handled = step(limit: 256)
            if case .draining(let deadline) = stage {
                if handled == 0 || SystemTime.monotonic() > deadline {
                    break
                }
                continue
            }
            if handled == 256 {
                continue
            }
            let now = clock.now()
            if let deadline = coordinator.nextDeadline, deadline <= now {
                perturbation?.beforeTimers()
                fire(deadline)
                continue
            }
            note(now)
            sleep(now)
        }
        end()
    }

    /// Handles at most `limit` events and all changes that were asked for.
    @discardableResult
    private func step(limit: Int) -> Int {
        var handled = 0
        while handled < limit, let slot = queue.next() {
            let block = unsafe slot.base.assumingMemoryBound(to: tally_event.self)
            unsafe coordinator.take(block)
            lastNote = unsafe block.pointee.time_us
            queue.release(slot)
            handled += 1
        }
        let controls = requests.with { requests in
            defer { requests.controls.removeAll() }
            return requests.controls
        }
        for control in controls {
            coordinator.take(control, at: clock.now())
        }
        return handled
    }

    /// Fires the timers of one instant, unless an event came in meanwhile.
    private func fire(_ deadline: Int64) {
        if queue.count == 0 {
            coordinator.advance(to: deadline)
        }
    }

    private func note(_ now: Int64) {
        guard now - lastNote >= Self.markInterval else { return }
        lastNote = now
        for (type, microseconds) in watch.check() {
            var writer = clockBlock.writer()
            unsafe writer.header.pointee.time_us = now
            _ = writer.set(.stepMicroseconds, "step_us", .int(microseconds))
            _ = writer.finish(type: type)
            unsafe coordinator.take(writer.header)
        }
        coordinator.mark(at: now)
    }

    private func sleep(_ now: Int64) {
        var until = lastNote + Self.markInterval
        if let deadline = coordinator.nextDeadline {
            until = min(until, deadline)
        }
        if until > now {
            queue.wait(microseconds: until - now)
        }
    }

    private func end() {
        var dropped: UInt64 = 0
        while let slot = queue.next() {
            dropped += 1
            queue.release(slot)
        }
        let cancelled = requests.with { requests in
            if case .cancelling = requests.stage { true } else { false }
        }
        coordinator.end(at: clock.now(), reason: cancelled ? .cancelled : .drained, dropped: dropped)
        ended.change { $0 = dropped }
    }

    private func finishPumped() -> UInt64 {
        if let dropped = ended.with({ $0 }) {
            return dropped
        }
        if case .draining = requests.with({ $0.stage }) {
            pump()
        }
        end()
        return ended.with { $0 } ?? 0
    }
}
