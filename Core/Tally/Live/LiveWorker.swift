internal import Coordinator
internal import Glibc
internal import Synchronization
internal import System

/// Drives the live runs that share a thread, with one queue for the events of all.
///
/// A run has a worker of its own while there are few, so that a plugin that hangs holds up nobody else's run; many
/// share ``mostWorkers``. There is none without a run, and a run stays with its worker.
@safe final class LiveWorker: RunDriver, @unchecked Sendable {
    /// Where track calls put their events.
    let queue = EventQueue()
    /// What its runs lend their trackers, one after another.
    let lent = LentMemory()
    /// What is due when, by the runs' places; time is the machine's since boot.
    var schedule = DueQueue<UInt32>()
    /// When the thread woke last.
    private(set) var woken: Int64 = 0

    private struct Calls {
        var runs: [(run: LiveRun, isLast: Bool)] = []
        var joined: [UInt32: LiveRun] = [:]
        var isClosed = false
    }

    private let calls = Lock(Calls())
    private var thread: Thread?
    /// The runs by their places, on the thread alone.
    private var runs: [UInt32: LiveRun] = [:]

    /// All workers that have runs.
    private static let all = Lock<[LiveWorker]>([])
    /// How many workers a process has at most: 16 a processor.
    static let mostWorkers = 16 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// How many runs it has, and the place that was given last; guarded by ``all``.
    private var count = 0
    private var lastPlace: UInt32 = 0

    private init() {
        thread = Thread(name: "tally-core", callingPlugins: true) { [self] in drive() }
    }

    deinit {
        queue.deallocate()
    }

    /// The worker that has the fewest runs, with a place for one more.
    static func place() -> (worker: LiveWorker, place: UInt32) {
        all.with { workers in
            let least = workers.min { $0.count < $1.count }
            let worker: LiveWorker
            if let least, workers.count >= mostWorkers {
                worker = least
            } else {
                worker = LiveWorker()
                workers.append(worker)
            }
            worker.count += 1
            // A track call that comes late for a run that is over must not find another in its place.
            worker.lastPlace = (worker.lastPlace + 1) & EventSlot.lastOwner
            return (worker, worker.lastPlace)
        }
    }

    /// Whether the caller is the worker's thread.
    var isCurrent: Bool { thread?.isCurrent ?? false }

    /// Drives a run from now on.
    func join(_ run: LiveRun) {
        calls.with { calls in
            calls.joined[run.place] = run
            calls.runs.append((run, isLast: false))
        }
        queue.interrupt()
    }

    /// Gives a run a turn behind the events that are queued, which is its last when it is to end.
    func call(_ run: LiveRun, isLast: Bool = false) {
        calls.with { $0.runs.append((run, isLast)) }
        queue.interrupt()
    }

    /// Forgets a run that has ended; without runs the worker ends.
    func leave() {
        let isLast = Self.all.with { workers -> Bool in
            count -= 1
            guard count == 0 else { return false }
            workers.removeAll { $0 === self }
            return true
        }
        guard isLast else { return }
        calls.with { $0.isClosed = true }
        queue.interrupt()
        thread?.join()
    }

    // MARK: - The worker's thread

    var dueTime: Int64 { SystemTime.boot() }

    func awaitArrivals(atMost microseconds: Int64?) {
        if microseconds != 0 { queue.wait(microseconds: microseconds ?? 3_600_000_000) }
        woken = SystemTime.boot()
    }

    func handleArrivals() -> Bool {
        // Events that were queued before a call are handled before it.
        let (called, isClosed) = takeCalls()
        for (run, _) in called { run.collectJobs() }
        var rest = queue.count
        var last: LiveRun?
        while rest > 0, let slot = queue.next() {
            rest -= 1
            if slot.owner != last?.place {
                last.map(reschedule)
                last = run(at: slot.owner)
            }
            last?.handle(slot)
            queue.release(slot)
        }
        last.map(reschedule)
        for (run, isLast) in called where runs[run.place] === run {
            run.handleCall(isLast: isLast)
            if isLast { runs[run.place] = nil } else { reschedule(run) }
        }
        return !isClosed
    }

    func advance(_ place: UInt32, to time: Int64) {
        guard let run = runs[place] else { return }
        run.scheduled = .max
        run.advance(toBoot: time)
        reschedule(run)
    }

    private func takeCalls() -> (called: [(run: LiveRun, isLast: Bool)], isClosed: Bool) {
        let (called, joined, isClosed) = calls.with { calls in
            defer { (calls.runs, calls.joined) = ([], [:]) }
            return (calls.runs, calls.joined, calls.isClosed)
        }
        runs.merge(joined) { _, new in new }
        return (called, isClosed)
    }

    /// The run at a place; nil when it is over.
    private func run(at place: UInt32) -> LiveRun? {
        if let run = runs[place] { return run }
        // It began, and was told something, since the calls were looked at.
        guard let run = calls.with({ $0.joined.removeValue(forKey: place) }) else { return nil }
        runs[place] = run
        return run
    }

    private func reschedule(_ run: LiveRun) {
        let due = run.sleep()
        // One that is due later is found out when its old time comes.
        guard due < run.scheduled else { return }
        schedule.insert(run.place, due: due)
        run.scheduled = due
    }
}
