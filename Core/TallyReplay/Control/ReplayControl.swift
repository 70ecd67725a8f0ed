internal import CLinux
internal import Glibc
internal import PluginABI
internal import Synchronization
package import System

/// Halts a replay, lets it go on step by step, ends it, and does things between two of its lines.
///
/// Everything may be called from any thread. What is asked for happens on the replay's own thread before its next line,
/// also while it waits for that line's time or for more of the archive.
@safe package final class ReplayControl: @unchecked Sendable {
    private struct State {
        var isPaused = false
        /// Events that may pass while it is paused.
        var steps = 0
        /// Whether it waits behind the last event that might pass.
        var isHolding = false
        /// When a pause of a given length is over.
        var resumesAt: Int64?
        var stopReason: String?
        var jobs: [AwaitedJob<Void>] = []
        var isClosed = false
        var thread: pthread_t?

        /// Whether nothing hinders the next line.
        var isQuiet: Bool { !isPaused && stopReason == nil && jobs.isEmpty && resumesAt == nil }
    }

    private enum Decision {
        case stop
        case pass
        case step
        case hold(until: Int64?)
    }

    private let state: Condition<State>
    private let attention: Atomic<Bool>
    private let clock: any ReplayClock
    private let signal: Int32
    // Of the replay's thread alone.
    @safe @exclusivity(unchecked) private var schedule: ReplaySchedule?
    @safe @exclusivity(unchecked) private var origin: Int64?
    @safe @exclusivity(unchecked) private var heldSince: Int64?

    /// Makes the control of one replay.
    ///
    /// - Parameters:
    ///   - isPaused: whether the replay waits before its first event.
    ///   - clock: what it is paced by.
    package init(isPaused: Bool = false, clock: (any ReplayClock)? = nil) {
        state = Condition(State(isPaused: isPaused))
        attention = Atomic(isPaused)
        self.clock = clock ?? MachineClock()
        signal = tally_eventfd()
        precondition(signal >= 0, "cannot make an eventfd: error \(errno)")
    }

    deinit {
        Glibc.close(signal)
    }

    // MARK: - From any thread

    /// Lets nothing pass until ``resume()``, or for so many milliseconds; false when it is so already.
    @discardableResult
    package func pause(milliseconds: Int64? = nil) -> Bool {
        change { state in
            defer {
                state.isPaused = true
                state.steps = 0
                state.resumesAt = milliseconds.map { clock.now() + $0 * 1000 }
            }
            return !state.isPaused || milliseconds != nil
        }
    }

    /// Goes on; false when it goes on already.
    @discardableResult
    package func resume() -> Bool {
        change { state in
            defer {
                state.isPaused = false
                state.steps = 0
                state.resumesAt = nil
            }
            return state.isPaused
        }
    }

    /// Lets the next events pass at once, and what stands between them; then nothing more until ``resume()``.
    ///
    /// A replay that goes on is paused behind them.
    package func step(_ count: Int) {
        change { state in
            state.isPaused = true
            state.isHolding = false
            state.resumesAt = nil
            state.steps = min(state.steps + count, Int.max / 2)
        }
    }

    /// Waits at most `limit`, ms, until the events of ``step(_:)`` have passed; how many have not.
    package func waitForSteps(limit: Int64) -> Int {
        let deadline = SystemTime.monotonic() + limit * 1000
        let isDone = state.wait(until: deadline) { state -> Bool? in
            let isPassed = state.isPaused && state.steps == 0 && state.isHolding
            return isPassed || !state.isPaused || state.stopReason != nil || state.isClosed ? true : nil
        }
        return isDone == true ? 0 : state.with { $0.steps }
    }

    /// Ends the replay before its next line; runs that are open are left open.
    ///
    /// The first reason counts.
    package func stop(_ reason: String) { change { $0.stopReason = $0.stopReason ?? reason } }

    /// Why the replay was ended before its archives were; nil when it was not.
    package var stopReason: String? { state.with { $0.stopReason } }

    /// Whether the replay waits for ``resume()``, and the events that may pass before.
    package var pause: (isPaused: Bool, steps: Int) { state.with { ($0.isPaused, $0.steps) } }

    /// Does something on the replay's thread between two lines, and waits for it at most `limit`, ms.
    ///
    /// On that thread itself it happens at once.
    package func perform<Answer>(limit: Int64, _ body: @escaping () -> Answer) throws(JobFailure) -> Answer {
        if isCurrent { return body() }
        let answer = Condition<Answer?>(nil)
        let job = AwaitedJob<Void> {
            let made = body()
            answer.change { $0 = made }
        }
        let isTaken = change { state -> Bool in
            guard !state.isClosed else { return false }
            state.jobs.append(job)
            return true
        }
        guard isTaken else { throw .ended }
        return try job.value(answer, limit: limit)
    }

    /// Takes nothing more: whoever waits is told that the replay is over.
    package func close() {
        let jobs = change { state in
            state.isClosed = true
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.drop() }
    }

    @discardableResult
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let result = state.change { state in
            let result = body(&state)
            attention.store(!state.isQuiet || schedule != nil, ordering: .relaxed)
            return result
        }
        var one: UInt64 = 1
        _ = unsafe write(signal, &one, MemoryLayout<UInt64>.size)
        return result
    }

    private var isCurrent: Bool {
        let thread = state.with { $0.thread }
        return thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }

    // MARK: - On the replay's thread

    /// Whether the next line may pass without a look at anything else.
    var isOpen: Bool { !attention.load(ordering: .relaxed) }

    /// Whether the replay was ended.
    var isStopped: Bool { !isOpen && stopReason != nil }

    /// Paces all that follows.
    func keep(_ pace: ReplayPace?) {
        schedule = pace.map { ReplaySchedule($0) }
        change { _ in }
    }

    /// Does something with the calling thread as the replay's own.
    package func onThisThread<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let before = state.with { state in
            defer { state.thread = pthread_self() }
            return state.thread
        }
        defer { state.with { $0.thread = before } }
        return try body()
    }

    /// Waits until a line's turn has come, and does meanwhile what is asked; false when the replay was ended.
    func admit(_ time: Int64, base: inout Int64?, isEvent: Bool) -> Bool {
        let due = schedule?.due(time, base: &base, isEvent: isEvent)
        while true {
            clear()
            performJobs()
            switch decide(isEvent: isEvent) {
            case .stop: return false
            case .step:
                heldSince = heldSince ?? clock.now()
                schedule?.pass(due ?? 0)
                return true
            case .hold(let end):
                let now = clock.now()
                heldSince = heldSince ?? now
                clock.wait(end.map { max($0 - now, 0) } ?? Self.longestWait, orUntil: signal)
            case .pass:
                guard let due else { return true }
                let now = clock.now()
                let start = anchor(now)
                guard start + due > now else {
                    schedule?.pass(due)
                    return true
                }
                clock.wait(start + due - now, orUntil: signal)
            }
        }
    }

    /// Waits until a descriptor can be read, at most so many milliseconds, negative for ever, and does meanwhile what
    /// is asked; false when the replay was ended.
    package func wait(forInput descriptor: Int32, milliseconds: Int32) -> Bool {
        repeat {
            tally_wait_either(descriptor, signal, milliseconds)
            clear()
            performJobs()
            if stopReason != nil { return false }
            // What woke it may have been the signal alone, and a read would hold up what is asked next.
        } while milliseconds < 0 && tally_wait_readable(descriptor, 0) <= 0
        return true
    }

    /// The longest wait at one time, us.
    private static let longestWait: Int64 = 3_600_000_000

    /// Where the schedule's start lies: a pause moves it by as much as it lasted.
    private func anchor(_ now: Int64) -> Int64 {
        var start = origin ?? now - (schedule?.offset ?? 0)
        if let held = heldSince {
            // What had passed of the wait before the pause still counts; what was stepped over is not waited for.
            start = now - max(held - start, schedule?.offset ?? 0)
            heldSince = nil
        }
        origin = start
        return start
    }

    private func decide(isEvent: Bool) -> Decision {
        let now = clock.now()
        return state.change { state in
            defer { attention.store(!state.isQuiet || schedule != nil, ordering: .relaxed) }
            if state.stopReason != nil { return .stop }
            if let end = state.resumesAt, now >= end {
                state.isPaused = false
                state.resumesAt = nil
            }
            state.isHolding = state.isPaused && state.steps == 0
            guard state.isPaused else { return .pass }
            guard state.steps > 0 else { return .hold(until: state.resumesAt) }
            if isEvent { state.steps -= 1 }
            return .step
        }
    }

    private func performJobs() {
        let jobs = state.with { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { job.run(()) }
    }

    private func clear() {
        var count: UInt64 = 0
        _ = unsafe read(signal, &count, MemoryLayout<UInt64>.size)
    }
}
