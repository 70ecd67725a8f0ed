internal import Coordinator
internal import EventModel
internal import PluginLoading
internal import Setup
internal import System

/// Drives its share of the runs, one step after the other, on a thread of its own.
@safe final class PoolWorker: RunDriver, @unchecked Sendable {
    private struct Inbox {
        var turns = ReportTurns<AwaitedJob<PoolWorker>>()
        var isClosing = false
    }

    private struct Published {
        var counts = WorkerCounts()
        var runs = 0
        /// The entry of the journal that is at work.
        var atWork: UInt64?
    }

    private let inbox = Condition(Inbox())
    private let published = Lock(Published())
    private let options: RunOptions
    private let telemetry: Telemetry
    private let shelve: @Sendable (_ path: String) -> Void
    private let intake: RunIntake
    private let backlog: Backlog
    private var thread: Thread?
    // What follows is used on the worker's thread alone.
    @safe private var workshop: RunWorkshop
    private var runs: [RunKey: CollectedRun] = [:]
    /// Runs of an earlier process that nothing came for yet, by the path of their file.
    private var sleeping: [RunKey: String]
    var schedule = DueQueue<RunKey>()
    private var dueOf: [RunKey: Int64] = [:]
    /// Changes of plugins that were made in all runs.
    private var changes: [[ControlEvent]] = []
    private var lastSweep: Int64 = 0
    /// When the newest of all reports came, us since 1970.
    private var latest: Int64 = 0

    /// How often runs that nothing comes for are given the changes that were made, us; and how many each time.
    private static let sweepInterval: Int64 = 10_000
    private static let sweepCount = 20
    /// How long what is on its way to a run is waited for until it is looked at again, us.
    private static let onItsWay: Int64 = 50_000

    /// Begins with runs of an earlier process.
    init(
        _ number: Int,
        _ telemetry: Telemetry,
        _ options: RunOptions,
        sleeping: [(key: RunKey, path: String, due: Int64)],
        intake: RunIntake,
        backlog: Backlog,
        shelve: @escaping @Sendable (_ path: String) -> Void
    ) {
        self.options = options
        self.telemetry = telemetry
        self.shelve = shelve
        self.intake = intake
        self.backlog = backlog
        workshop = RunWorkshop(telemetry, options) { intake.close($0, behind: $1) }
        self.sleeping = Dictionary(sleeping.map { ($0.key, $0.path) }) { first, _ in first }
        for run in sleeping where run.due > 0 {
            schedule.insert(run.key, due: run.due)
            dueOf[run.key] = run.due
        }
        published.with { $0.runs = sleeping.count }
        thread = Thread(name: "tally-runs-\(number)", callingPlugins: true) { [self] in
            drive()
            for run in runs.values { run.abandon() }
        }
    }

    /// What it did.
    var counts: WorkerCounts { published.with { $0.counts } }
    /// How many runs are open.
    var runCount: Int { published.with { $0.runs } }
    /// The first entry of the journal that it has and has not done; nil when it has none.
    var firstWaiting: UInt64? {
        inbox.with { inbox in
            let atWork = published.with { $0.atWork }
            return [inbox.turns.first, atWork].compactMap { $0 }.min()
        }
    }

    /// Hands it what came for a run of its.
    func receive(_ reports: ReceivedReports, entry: UInt64) {
        inbox.change { $0.turns.append(reports, entry) }
    }

    /// Does something on the worker's thread, between two steps, and waits for it at most `limit`, ms.
    func perform<Answer>(limit: Int64, _ body: @escaping (PoolWorker) -> Answer) throws(JobFailure) -> Answer {
        let answer = Condition<Answer?>(nil)
        let job = AwaitedJob<PoolWorker> { worker in
            let made = body(worker)
            answer.change { $0 = made }
        }
        let isOpen = inbox.change { inbox in
            if !inbox.isClosing { inbox.turns.append(job) }
            return !inbox.isClosing
        }
        guard isOpen else { throw .ended }
        return try job.value(answer, limit: limit)
    }

    /// Does all that it has, and ends; open runs stay open in their files.
    func close() {
        inbox.change { $0.isClosing = true }
        thread?.join()
    }

    // MARK: - The worker's thread

    func awaitArrivals(atMost microseconds: Int64?) {
        let rest = min(microseconds ?? .max, hasChangesToMake ? Self.sweepInterval : .max)
        let deadline = rest == .max ? nil : SystemTime.monotonic() + rest
        _ = inbox.wait(until: deadline) { inbox -> Bool? in inbox.turns.isEmpty && !inbox.isClosing ? nil : true }
    }

    func handleArrivals() -> Bool {
        let (turn, isClosing) = inbox.with { inbox -> (ReportTurns<AwaitedJob<PoolWorker>>.Turn?, Bool) in
            let turn = inbox.turns.next()
            // What is in no queue any more is at work before anybody can look.
            if case .reports(let entries)? = turn { publishWork(entries.first?.number) }
            return (turn, inbox.isClosing)
        }
        switch turn {
        case .reports(let entries)?:
            for (reports, number) in entries {
                publishWork(number)
                receiveNow(reports, number)
                backlog.remove(reports)
            }
            publishWork(nil)
        case .job(let job)?: job.run(self)
        case nil: break
        }
        return !isClosing || turn != nil
    }

    func endTurn() {
        sweep()
        publish()
    }

    /// The time by which runs end and what waits is played, us since 1970.
    var dueTime: Int64 { options.followsReports ? latest : SystemTime.wall() }

    /// Does what is due by then where time is that of the reports.
    func advance(to time: Int64) {
        latest = max(latest, time)
        advanceRuns(to: latest)
    }

    /// Ends runs where they stand.
    func end(_ keys: [RunKey]) {
        for key in keys {
            guard let run = run(key) else { continue }
            run.endSilently()
            finish(run)
        }
    }

    private func publishWork(_ entry: UInt64?) { published.with { $0.atWork = entry } }

    private func publish() {
        let counts = workshop.counted
        let open = runs.count + sleeping.count
        published.with { published in
            published.counts = counts
            published.runs = open
        }
    }

    private func receiveNow(_ reports: ReceivedReports, _ entry: UInt64) {
        workshop.counted.entries += 1
        if options.followsReports { advance(to: reports.received) }
        // One that should be over is before something comes that belongs to the next.
        if reports.key.form != .native, let last = run(reports.key),
            last.nextDue.map({ $0 <= reports.received }) == true
        {
            last.advance(to: reports.received)
            finish(last)
        }
        guard let run = run(reports.key, begunAt: reports.received) else { return }
        applyChanges(to: run)
        run.receive(reports, entry: entry)
        finish(run)
    }

    /// The run of a key; one that begins at `begun`, us since 1970, when there is none; else nil.
    private func run(_ key: RunKey, begunAt begun: Int64? = nil) -> CollectedRun? {
        if let run = runs[key] { return run }
        let path = sleeping.removeValue(forKey: key)
        guard path != nil || begun != nil else { return nil }
        let run = CollectedRun(
            key,
            id: key.runID(begunAt: begun ?? 0),
            path: path ?? options.places.open(key),
            workshop
        )
        if let path {
            do throws(SystemFailure) {
                let contents = try OpenRunFile.contents(of: path)
                if let line = contents.damagedLine {
                    workshop.report("\(path), line \(line): damaged; the run goes on with what stands before it")
                }
                run.restore(contents)
                workshop.counted.restored += 1
            } catch {
                workshop.report("\(path): a run of before cannot be read, and begins anew: \(error)")
            }
        } else {
            workshop.counted.begun += 1
            if key.form != .native { intake.begin(key, now: begun ?? 0) }
        }
        runs[key] = run
        return run
    }

    private func finish(_ run: CollectedRun) {
        if run.isOver {
            runs[run.key] = nil
            dueOf[run.key] = nil
            workshop.counted.ended += 1
            run.abandon()
            intake.end(run.key)
            shelve(options.places.setAside(run.key))
        } else if var next = run.nextDue {
            // One that is due and does not end has something on its way.
            if run.key.form == .native { next = max(next, dueTime + Self.onItsWay) }
            // One that is due later is found out when its old time comes.
            guard dueOf[run.key].map({ next < $0 }) ?? true else { return }
            schedule.insert(run.key, due: next)
            dueOf[run.key] = next
        }
    }

    func advance(_ key: RunKey, to time: Int64) {
        dueOf[key] = nil
        guard let run = run(key) else { return }
        applyChanges(to: run)
        run.advance(to: time)
        finish(run)
    }

    // MARK: - Changes of plugins

    private var hasChangesToMake: Bool { !changes.isEmpty && runs.values.contains { $0.changes < changes.count } }

    /// Notes a change, which each run is given before its next step; those that nothing comes for, a few at a time.
    func add(change events: [ControlEvent]) {
        changes.append(events)
        workshop.changeCount = changes.count
    }

    private func applyChanges(to run: CollectedRun) {
        while run.changes < changes.count {
            _ = run.change(changes[run.changes], number: run.changes + 1)
        }
    }

    private func sweep() {
        guard hasChangesToMake else { return }
        let now = SystemTime.monotonic()
        guard now - lastSweep >= Self.sweepInterval else { return }
        lastSweep = now
        for run in runs.values.lazy.filter({ $0.changes < self.changes.count }).prefix(Self.sweepCount) {
            applyChanges(to: run)
        }
    }

    // MARK: - For who looks on

    /// The oldest of the open runs; those of an earlier process that nothing came for are not read for it.
    func overviews(limit: Int) -> [RunOverview] {
        runs.values.sorted { $0.begun < $1.begun }.prefix(limit).map(\.overview)
    }

    /// One run; nil when it is not here.
    func overview(tenant: String?, name: String) -> RunOverview? {
        let found = runs.keys.first { $0.name == name && (tenant == nil || $0.tenant == tenant) }
        let key = found ?? sleeping.keys.first { $0.name == name && (tenant == nil || $0.tenant == tenant) }
        return key.flatMap { run($0)?.overview }
    }

    /// What the trackers of the run are that something came for last.
    var trackerReports: [TrackerReport] { runs.values.first { $0.coordinator != nil }?.coordinator?.reports ?? [] }

    /// Hands all runs' outputs to these consumers.
    func deliver() {
        for run in runs.values {
            if let coordinator = run.coordinator { workshop.hear(coordinator, run.key) }
        }
    }

    /// Forgets a run and its file.
    func erase(_ matches: (RunKey) -> Bool) -> Int {
        var count = 0
        for (key, run) in runs where matches(key) {
            run.coordinator?.eraseRecording()
            run.abandon()
            runs[key] = nil
            count += 1
        }
        for key in sleeping.keys where matches(key) {
            sleeping[key] = nil
            count += 1
        }
        return count
    }
}
