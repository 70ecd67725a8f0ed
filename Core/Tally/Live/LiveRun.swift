internal import Coordinator
internal import EventModel
internal import PluginABI
internal import Synchronization
internal import System

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

    /// The instant between two events.
    private struct Boundary {
        let coordinator: Coordinator
        let time: Int64
    }

    private struct Requests {
        var jobs: [AwaitedJob<Boundary>] = []
        var stage = Stage.running
        var isOver = false
    }

    private let coordinator: Coordinator
    private let requests = Lock(Requests())
    private let accepting = Atomic<Bool>(true)
    private let ended = Condition<UInt64?>(nil)
    private var thread: Thread?
    /// Held by the thread that pumps: a control socket may ask for something meanwhile.
    private let pumping = ReentrantLock()
    @safe @exclusivity(unchecked) private var watch: ClockWatch
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
        watch = ClockWatch(at: clock.now(), clock.reading())
        self.perturbation = perturbation
        if !pumped {
            thread = Thread(name: "tally-core", callingPlugins: true) { self.loop() }
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
    package var isAccepting: Bool { accepting.load(ordering: .relaxed) }

    /// Whether the caller is the run's own thread, which must not wait for itself.
    package var isCurrent: Bool { thread?.isCurrent ?? false }

    /// Whether nothing happens but by ``pump()``.
    package var isPumped: Bool { thread == nil }

    /// Does something with the coordinator at the next event boundary, given the run's time; never when the run ends
    /// before.
    package func perform(_ body: @escaping (Coordinator, Int64) -> Void) {
        add(AwaitedJob { body($0.coordinator, $0.time) })
    }

    /// Does something on the run's thread at the next event boundary; false when the run is over.
    func schedule(_ body: @escaping @Sendable () -> Void) -> Bool { add(AwaitedJob { _ in body() }) }

    /// Does something with the coordinator at the next event boundary, and waits for it at most `limit`, ms.
    ///
    /// Not to be called on the run's own thread. In a run that is pumped it happens at once.
    package func perform<Answer>(
        limit: Int64,
        _ body: @escaping (Coordinator, Int64) -> Answer
    ) throws(JobFailure) -> Answer {
        guard !isCurrent else { throw .onOwnThread }
        let answer = Condition<Answer?>(nil)
        let job = AwaitedJob<Boundary> { boundary in
            let made = body(boundary.coordinator, boundary.time)
            answer.change { $0 = made }
        }
        guard add(job) else { throw .ended }
        if isPumped {
            pumping.with { _ = step(limit: .max) }
        }
        return try job.value(answer, limit: limit)
    }

    /// Queues a job; false when the run is over.
    @discardableResult
    private func add(_ job: AwaitedJob<Boundary>) -> Bool {
        let taken = requests.with { requests -> Bool in
            guard !requests.isOver else { return false }
            requests.jobs.append(job)
            return true
        }
        queue.interrupt()
        return taken
    }

    /// Handles everything that is due by now, on this thread.
    ///
    /// For runs that are pumped; a run with a thread of its own does it there.
    package func pump() {
        guard thread == nil else { return }
        pumping.with {
            step(limit: .max)
            let now = clock.now()
            lookAtClocks(before: now)
            while let deadline = coordinator.nextDeadline, deadline <= now {
                coordinator.advance(to: deadline)
            }
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
        guard let thread else { return finishPumped() }
        queue.interrupt()
        let dropped = ended.wait(until: nil) { $0 } ?? 0
        thread.join()
        return dropped
    }

    // MARK: - The loop

    private func loop() {
        while true {
            let stage = requests.with { $0.stage }
            if case .cancelling = stage { break }
            let handled = step(limit: 256)
            if case .draining(let deadline) = stage {
                if handled == 0 || SystemTime.monotonic() > deadline { break }
                continue
            }
            if handled == 256 { continue }
            let now = clock.now()
            lookAtClocks(before: now)
            if let deadline = coordinator.nextDeadline, deadline <= now {
                perturbation?.beforeTimers()
                fire(deadline)
                continue
            }
            markSilence(now)
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
            let time = unsafe block.pointee.time_us
            lookAtClocks(before: time)
            unsafe coordinator.handle(block)
            lastNote = time
            queue.release(slot)
            handled += 1
        }
        let jobs = requests.with { requests in
            defer { requests.jobs.removeAll() }
            return requests.jobs
        }
        for job in jobs {
            let now = clock.now()
            lookAtClocks(before: now)
            job.run(Boundary(coordinator: coordinator, time: now))
        }
        return handled
    }

    /// Fires the timers of one instant, unless an event came in meanwhile.
    private func fire(_ deadline: Int64) {
        if queue.count == 0 {
            coordinator.advance(to: deadline)
        }
    }

    /// Tells of a sleep, or of a wall clock that was set, before what happens at `time` and before any timer of then.
    @inline(__always)
    private func lookAtClocks(before time: Int64) {
        if watch.isDue(at: time) { findSleep(before: time) }
    }

    private func findSleep(before time: Int64) {
        for finding in watch.findings(before: time, now: clock.now(), clock.reading()) {
            var writer = clockBlock.writer()
            unsafe writer.header.pointee.time_us = finding.time
            _ = writer.set(.stepMicroseconds, "step_us", .int(finding.microseconds))
            _ = writer.finish(type: finding.type)
            unsafe coordinator.handle(writer.header)
        }
    }

    private func markSilence(_ now: Int64) {
        guard now - lastNote >= Self.markInterval else { return }
        lastNote = now
        coordinator.mark(at: now)
    }

    private func sleep(_ now: Int64) {
        var until = lastNote + Self.markInterval
        if let deadline = coordinator.nextDeadline {
            until = min(until, deadline)
        }
        if until > now {
            queue.wait(microseconds: until - now)
            watch.waited(from: now, until: until, wokenAt: clock.now())
        }
    }

    private func end() {
        let late = requests.with { requests in
            requests.isOver = true
            defer { requests.jobs.removeAll() }
            return requests.jobs
        }
        for job in late {
            job.drop()
        }
        var dropped: UInt64 = 0
        while let slot = queue.next() {
            dropped += 1
            queue.release(slot)
        }
        let cancelled = requests.with { requests in
            if case .cancelling = requests.stage { true } else { false }
        }
        let now = clock.now()
        lookAtClocks(before: now)
        coordinator.end(at: now, reason: cancelled ? .cancelled : .drained, dropped: dropped)
        ended.change { $0 = dropped }
    }

    private func finishPumped() -> UInt64 {
        pumping.with {
            if let dropped = ended.with({ $0 }) { return dropped }
            if case .draining = requests.with({ $0.stage }) {
                pump()
            }
            end()
            return ended.with { $0 } ?? 0
        }
    }
}

/// How a player run is ended.
public enum DestroyMode: Sendable, Equatable {
    /// Everything that is queued is handled and delivered first; takes at most `limit`, ms.
    case drain(limit: Int64 = 10_000)
    /// What is queued is dropped, as the guides' destroy does: track calls, and what waits for reporters unless other
    /// runs share them.
    case cancel
}

/// What became of a player run's last events and outputs.
public struct DestroyReport: Sendable, Equatable {
    /// Track calls that were queued and never handled.
    public var droppedEvents: UInt64 = 0
    /// Outputs that reporters sent, or gave up after trying.
    public var delivered: UInt64 = 0
    /// Outputs that reporters keep for later.
    public var kept: UInt64 = 0
    /// Outputs that were lost.
    public var droppedOutputs: UInt64 = 0
    /// Whether everything was done within the limit.
    public var inTime = true

    /// Nothing was dropped.
    package init() {}
}

/// Delays that tests put into a live run, to show that its archive replays the same all the same.
package struct LivePerturbation: Sendable {
    /// Called in a track call between taking the time and queueing the event.
    package let beforeEnqueue: @Sendable () -> Void
    /// Called before a timer fires.
    package let beforeTimers: @Sendable () -> Void

    package init(beforeEnqueue: @escaping @Sendable () -> Void, beforeTimers: @escaping @Sendable () -> Void) {
        self.beforeEnqueue = beforeEnqueue
        self.beforeTimers = beforeTimers
    }
}
