internal import CLinux
internal import Coordinator
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import Synchronization
internal import System

/// The player's thread for trackers in processes of their own: begins them, reads what they say, hands it on in its
/// turn, and ends who does not come back.
@safe final class IsolationThread: @unchecked Sendable {
    /// How long a process may take until it runs at all, us.
    static let startLimit: Int64 = 30 * 1_000_000
    /// Us.
    static let period: Int64 = 600 * 1_000_000
    /// How long it lets what is said lie where much is said, us: to be woken costs more than to read it.
    private static let nap: Int64 = 40_000
    /// After how many works in a row much is said.
    private static let manyWorks = 16
    /// How long it sleeps at most, us; while one is behind, and else.
    private static let (shortSleep, longSleep): (Int64, Int64) = (50_000, 500_000)
    /// Bytes that are read of one before the others' turn.
    private static let readBytes = 1024 * 1024

    /// Lets the next process of a tracker begin when the run is over; set before ``begin()``.
    var restart: (@Sendable (IsolationState.Change) -> Void)?
    var trackers: [IsolatedTracker]
    let shared: IsolationState
    private let turns: OutputTurns
    let settings: IsolationSettings
    let log: PluginLog
    private let isClosed = Atomic<Bool>(false)
    private let started = Condition<[TrackerPage?]?>(nil)
    private var thread: Thread?
    var refusal: PluginError?
    private var deadline = Int64.max
    /// The time that this process has run, us: neither a sleep of the machine nor a halt of the process ends a tracker.
    var now: Int64 = 0
    private var clock = SystemTime.monotonic()
    private var lastWork: Int64 = -1
    /// How often in a row there was something to do soon after the time before.
    private var worksInRow = 0

    init(
        _ trackers: [IsolatedTracker],
        _ shared: IsolationState,
        _ turns: OutputTurns,
        _ settings: IsolationSettings,
        log: PluginLog
    ) {
        self.trackers = trackers
        self.shared = shared
        self.turns = turns
        self.settings = settings
        self.log = log
    }

    /// Begins to run.
    func begin() { thread = Thread(name: "tally-isolated") { self.loop() } }

    /// Waits until each tracker is made, or left out; what each shares with the player.
    ///
    /// - Throws: what the first refuses.
    func waitUntilReady() throws(PluginError) -> [TrackerPage?] {
        let pages = started.wait(until: nil) { $0 } ?? []
        if let refusal { throw refusal }
        return pages
    }

    /// Ends all processes, and waits for this thread.
    func close() {
        guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        shared.callNow()
        thread?.join()
    }

    // MARK: - The loop

    private func loop() {
        while !isClosed.load(ordering: .sequentiallyConsistent) {
            let time = SystemTime.monotonic()
            now += min(time - clock, 1_000_000)
            clock = time
            // Before those that have joined are known: what is completed behind that waits for them.
            let completed = shared.completed.load(ordering: .sequentiallyConsistent)
            trackers += shared.added.removeAll()
            for tracker in trackers { begin(tracker) }
            var isWorking = false
            for tracker in trackers where tracker.page != nil {
                isWorking = read(tracker) || isWorking
                watch(tracker)
            }
            listenToRun()
            isWorking = release(completed) || isWorking
            if !hasBegun, trackers.allSatisfy({ $0.condition != .starting && $0.condition != .waiting }) {
                hasBegun = true
                for tracker in trackers {
                    shared.known.with {
                        $0[tracker.name, default: .init()].standing = tracker.standing
                        $0[tracker.name, default: .init()].hasSpokenFirst = tracker.hasSpokenFirst
                    }
                }
                started.change { $0 = trackers.map(\.page) }
            }
            isWorking = findDeadline() || isWorking
            wait(isWorking)
        }
        for tracker in trackers where tracker.processID != nil { _ = tracker.end() }
        turns.release(upTo: .max)
        turns.flush(upTo: .max, at: .max)
    }

    var hasBegun = false

    private func begin(_ tracker: IsolatedTracker) {
        do throws(SystemFailure) {
            try tracker.startIfDue(settings)
            guard tracker.condition == .starting, tracker.progress.at == 0 || tracker.progress.value == .max else {
                return
            }
            tracker.progress = (tracker.page?.progress ?? 0, now)
            tracker.behind = nil
            shared.known.with { $0[tracker.name, default: .init()].process = tracker.processID }
        } catch {
            let reason =
                "\(settings.program) cannot be started (\(error.description)); it belongs beside the program that plays"
            leave(tracker, IsolatedEnd(reason: reason, isItsFault: false, isHang: false))
        }
    }

    /// Reads what a tracker has said; whether it has said anything.
    func read(_ tracker: IsolatedTracker) -> Bool {
        var refused: (reason: String, kind: Refusal)?
        let count = tracker.read(atMost: Self.readBytes, into: turns) { word in
            if case .refused(let reason, let kind) = word {
                refused = (reason, kind)
            } else {
                hear(word, tracker)
            }
        }
        if tracker.isReady, !tracker.commands.isEmpty {
            shared.known.with { $0[tracker.name, default: .init()].commands = tracker.commands }
        }
        if tracker.isReady, tracker.arrival != nil { welcome(tracker) }
        if tracker.hasLeft {
            _ = tracker.end(isEnding: true)
            succeed(tracker)
        } else if let refused {
            _ = tracker.end()
            refuse(tracker, refused.reason, refused.kind)
        } else if count == nil {
            _ = tracker.end()
            ended(tracker, "its process says what makes no sense", isHang: false)
        }
        return count ?? 0 > 0
    }

    private func hear(_ word: IsolatedTracker.Word, _ tracker: IsolatedTracker) {
        let name = tracker.name
        let listener = shared.listener.with { $0 }
        switch word {
        case .log(let level, let text): log.write(name, level, text)
        case .store(let key, let value):
            guard tracker.setup.entry.description.storeKeys.contains(key) else { return }
            listener.onStore?(name, key, value)
        case .fault(let texts): listener.onFault?(name, texts[0], texts[1], texts[2])
        case .disabled(let reason):
            listener.onDisabled?(name)
            shared.known.with { $0[name, default: .init()].failure = reason }
        case .answer(let number, let answer):
            let waiting = shared.answers.with { $0.removeValue(forKey: .init(tracker: name, number: number)) }
            waiting?.give(answer)
        case .refused: break
        }
    }

    /// Takes what the run's thread has noticed.
    func listenToRun() {
        for name in shared.late.removeAll() {
            guard let tracker = trackers.first(where: { $0.setup.name == name }), tracker.processID != nil else {
                continue
            }
            _ = tracker.end()
            ended(tracker, "its process is too far behind", isHang: true)
        }
        for (tracker, successor) in shared.successors.removeAll() {
            tracker.successor = successor
            succeed(tracker)
        }
        for name in shared.forgotten.removeAll() {
            guard let place = trackers.firstIndex(where: { $0.setup.name == name }) else { continue }
            _ = trackers.remove(at: place).end()
        }
        for name in shared.lost.removeAll() {
            guard let tracker = trackers.first(where: { $0.setup.name == name }) else { continue }
            let reason = "what the run was told is not kept, so that no new process can be told"
            leave(tracker, IsolatedEnd(reason: reason, isItsFault: false, isHang: false))
        }
    }

    // MARK: - Turns

    /// Hands on what it is the turn of; whether there was anything.
    private func release(_ completed: UInt64) -> Bool {
        var (all, next) = (completed, completed)
        for tracker in trackers {
            if case .out = tracker.condition { continue }
            let done = tracker.heard
            all = min(all, done)
            if done >= completed {
                tracker.behind = nil
                continue
            }
            if tracker.behind.map({ done >= $0.number }) ?? true { tracker.behind = (completed, now) }
            // Beyond its time nobody waits for it: what it says then comes when it comes.
            if let behind = tracker.behind, now - behind.since <= settings.hold { next = min(next, done) }
        }
        let hasReleased = turns.release(upTo: next)
        turns.flush(upTo: all, at: SystemTime.monotonic())
        return hasReleased
    }

    private var nextDeadline: Int64 { trackers.compactMap { $0.page?.deadline }.min() ?? .max }

    /// Tells the run's thread of timers that are due at another time than it knows; whether there are any.
    private func findDeadline() -> Bool {
        let next = nextDeadline
        guard next != deadline else { return false }
        deadline = next
        shared.listener.with { $0 }.onDeadline?()
        return true
    }

    // MARK: - Waiting

    private func wait(_ isWorking: Bool) {
        // Where much is said it naps: nobody has to call it then.
        // What several trackers say of one event is not much.
        if isWorking {
            worksInRow = lastWork >= 0 && now - lastWork < Self.nap * 2 ? worksInRow + 1 : 0
            lastWork = now
        }
        let naps = isWorking && worksInRow >= Self.manyWorks
        let errors = trackers.compactMap(\.errors)
        guard !naps else {
            var ready = [UInt8](repeating: 0, count: errors.count + 1)
            _ = unsafe tally_wait_any(errors, &ready, Int32(errors.count), Self.nap)
            return
        }
        // Who only does something says no word: it is progress that the others' words wait for.
        let first = turns.first
        let isWaiting = first != nil
        let waitsForRun = first.map { $0 > shared.completed.load(ordering: .relaxed) } ?? false
        shared.waitsForRun.store(waitsForRun, ordering: .sequentiallyConsistent)
        shared.isAsleep.store(true, ordering: .sequentiallyConsistent)
        for tracker in trackers { tracker.page?.listen(for: isWaiting ? .progress : .word) }
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if !hasWork(isWaiting) {
            let length = !isWaiting && trackers.allSatisfy({ $0.behind == nil }) ? Self.longSleep : Self.shortSleep
            var ready = [UInt8](repeating: 0, count: errors.count + 1)
            _ = unsafe tally_wait_any(errors + [shared.call], &ready, Int32(errors.count + 1), length)
        }
        shared.isAsleep.store(false, ordering: .relaxed)
        shared.answerCalls()
        for tracker in trackers { tracker.page?.listen(for: nil) }
    }

    /// Whether something came while it lay down, with or without something that waits for its turn.
    private func hasWork(_ isWaiting: Bool) -> Bool {
        if isClosed.load(ordering: .sequentiallyConsistent) || trackers.contains(where: { $0.hasWord }) { return true }
        if nextDeadline != deadline { return true }
        guard let first = turns.first else { return false }
        guard isWaiting else { return true }
        var reached = shared.completed.load(ordering: .sequentiallyConsistent)
        for tracker in trackers {
            if case .out = tracker.condition { continue }
            reached = min(reached, tracker.done)
        }
        return first <= reached
    }
}
