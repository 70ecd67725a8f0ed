internal import Coordinator
internal import EventModel
internal import PluginABI
internal import Synchronization
internal import System

/// Drives a coordinator by a clock: handles queued events, fires timers when they are due, ends the run.
///
/// The thread of its worker is the run's `[core]` context, unless the run is pumped by hand, as tests do.
@safe package final class LiveRun: @unchecked Sendable {
    /// Where track calls put their events.
    package let queue: EventQueue
    /// By which the queue knows its events.
    let place: UInt32
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
    private let worker: LiveWorker?
    /// Held by the thread that pumps: a control socket may ask for something meanwhile.
    private let pumping = ReentrantLock()
    @safe @exclusivity(unchecked) private var watch: ClockWatch
    private var lastNote: Int64 = 0
    private var dropped: UInt64 = 0
    /// From when until when there is nothing to do, in the run's time; nil while it is at work.
    private var pause: (from: Int64, until: Int64)?
    /// What is done at the next boundary.
    private var ready: [AwaitedJob<Boundary>] = []
    /// When the worker comes to it without being called, us since boot; the worker's alone.
    var scheduled: Int64 = .max

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
        // A run that began a while ago is quiet from now on: a mark would keep what is told of then from its time.
        lastNote = clock.now()
        self.perturbation = perturbation
        if pumped {
            (worker, place, queue) = (nil, 0, EventQueue())
        } else {
            let (worker, place) = LiveWorker.place()
            self.worker = worker
            self.place = place
            queue = worker.queue
            coordinator.move(to: worker.lent)
            worker.join(self)
        }
    }

    deinit {
        if isPumped { queue.deallocate() }
    }

    /// The run's time, us since its start.
    package var time: Int64 {
        if let bootStart { SystemTime.boot() &- bootStart } else { clock.now() }
    }

    /// Whether track calls are taken.
    package var isAccepting: Bool { accepting.load(ordering: .relaxed) }

    /// Whether the caller is the thread of the run's worker, which must not wait for itself.
    package var isCurrent: Bool { worker?.isCurrent ?? false }

    /// Whether nothing happens but by ``pump()``.
    package var isPumped: Bool { worker == nil }

    /// Does something with the coordinator at the next event boundary, given the run's time; never when the run ends
    /// before.
    package func perform(_ body: @escaping (Coordinator, Int64) -> Void) {
        add(AwaitedJob { body($0.coordinator, $0.time) })
    }

    /// Does something on the run's thread at the next event boundary; false when the run is over.
    func schedule(_ body: @escaping @Sendable () -> Void) -> Bool { add(AwaitedJob { _ in body() }) }

    /// Looks at what is due anew.
    func wake() { worker?.call(self) }

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
            pumping.with { handleQueued() }
        }
        return try job.value(answer, limit: limit)
    }

    /// Queues a job; false when the run is over.
    @discardableResult
    private func add(_ job: AwaitedJob<Boundary>) -> Bool {
        let isOpen = requests.with { requests -> Bool in
            guard !requests.isOver else { return false }
            requests.jobs.append(job)
            return true
        }
        if isOpen { worker?.call(self) }
        return isOpen
    }

    /// Handles everything that is due by now, on this thread.
    ///
    /// For runs that are pumped; others have a worker for it.
    package func pump() {
        guard isPumped else { return }
        pumping.with {
            handleQueued()
            let now = clock.now()
            lookAtClocks(before: now)
            fireTimers(dueAt: now)
        }
    }

    /// Ends the run and waits for its end.
    ///
    /// - Returns: how many queued events were dropped.
    package func finish(_ mode: DestroyMode) -> UInt64 {
        accepting.store(false, ordering: .sequentiallyConsistent)
        let isFirst = requests.with { requests -> Bool in
            guard case .running = requests.stage else { return false }
            switch mode {
            case .drain(let limit): requests.stage = .draining(deadline: SystemTime.monotonic() + limit * 1000)
            case .cancel: requests.stage = .cancelling
            }
            return true
        }
        guard let worker else { return finishPumped() }
        if isFirst { worker.call(self, isLast: true) }
        let dropped = ended.wait(until: nil) { $0 } ?? 0
        if isFirst { worker.leave() }
        return dropped
    }

    // MARK: - The worker's thread

    /// Looks for what is asked of the run: it is done behind the events that are queued by now.
    func collectJobs() {
        ready += requests.with { requests in
            defer { requests.jobs.removeAll() }
            return requests.jobs
        }
    }

    /// Handles an event of the run.
    func handle(_ slot: EventSlot) {
        if !isAccepting, isDropping {
            dropped += 1
            return
        }
        endPause()
        let block = unsafe slot.base.assumingMemoryBound(to: tally_event.self)
        let time = unsafe block.pointee.time_us
        lookAtClocks(before: time)
        unsafe coordinator.handle(block)
        // What is told of a while ago makes the run no quieter.
        lastNote = max(lastNote, time)
    }

    /// Whether what is queued is not handled any more: the run was cancelled, or had its time to drain.
    private var isDropping: Bool {
        switch requests.with({ $0.stage }) {
        case .running: false
        case .draining(let deadline): SystemTime.monotonic() > deadline
        case .cancelling: true
        }
    }

    /// Makes the changes that were asked for, unless the run was cancelled; then it ends if this is its last turn.
    func handleCall(isLast: Bool) {
        endPause()
        if case .cancelling = requests.with({ $0.stage }) {} else { handleJobs() }
        if isLast { end() }
    }

    /// Fires the timers that are due at a time of the machine, and marks that nothing happens.
    func advance(toBoot time: Int64) {
        endPause()
        let now = bootStart.map { time - $0 } ?? clock.now()
        lookAtClocks(before: now)
        fireTimers(dueAt: now)
        guard now - lastNote >= Self.markInterval else { return }
        lastNote = now
        coordinator.mark(at: now)
    }

    /// Has nothing to do for now.
    ///
    /// - Returns: until when, us since boot.
    func sleep() -> Int64 {
        let now = time
        let until = min(lastNote + Self.markInterval, coordinator.nextDeadline ?? .max)
        pause = (now, until)
        return bootStart.map { until + $0 } ?? SystemTime.boot() + until - now
    }

    /// Finds out whether the worker was woken far too late for the run, where it slept until then.
    private func endPause() {
        guard let pause, let worker else { return }
        self.pause = nil
        watch.waited(from: pause.from, until: pause.until, wokenAt: time - (SystemTime.boot() - worker.woken))
    }

    // MARK: - Steps

    /// Handles all events that are queued, and all changes that were asked for.
    private func handleQueued() {
        while let slot = queue.next() {
            handle(slot)
            queue.release(slot)
        }
        collectJobs()
        handleJobs()
    }

    private func handleJobs() {
        let jobs = ready
        ready = []
        for job in jobs {
            let now = clock.now()
            lookAtClocks(before: now)
            job.run(Boundary(coordinator: coordinator, time: now))
        }
    }

    private func fireTimers(dueAt now: Int64) {
        while let deadline = coordinator.nextDeadline, deadline <= now {
            perturbation?.beforeTimers()
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
            var writer = coordinator.lent.clockBlock.writer()
            unsafe writer.header.pointee.time_us = finding.time
            _ = writer.set(.stepMicroseconds, "step_us", .int(finding.microseconds))
            _ = writer.finish(type: finding.type)
            unsafe coordinator.handle(writer.header)
        }
    }

    private func end() {
        requests.with { $0.isOver = true }
        collectJobs()
        for job in ready { job.drop() }
        ready = []
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
            while let slot = queue.next() {
                dropped += 1
                queue.release(slot)
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
