internal import CLinux
internal import Coordinator
internal import Glibc
internal import PlayerReports
internal import PluginLoading
package import Setup
internal import Synchronization
internal import System
internal import TextEncoding

/// All player runs of players elsewhere, driven by a few workers.
///
/// A run stays with its worker, which does its steps in the order of the journal. Any thread.
package final class RunPool: Sendable {
    /// Who may send what of which run.
    package let intake = RunIntake()
    /// What was taken and is not done.
    package let backlog: Backlog
    /// Where archives go.
    let shelf: ArchiveShelf
    let telemetry: Telemetry
    let workers: [PoolWorker]
    private let options: RunOptions
    private let accepted = Atomic<UInt64>(0)
    /// Runs of an earlier process that go on.
    package let restored: Int
    /// How many changes of plugins were made.
    let changes = Lock<Int>(0)

    /// Finds the runs of an earlier process, and begins to drive them; they are read when something comes for them.
    ///
    /// - Throws: when the folder cannot be used.
    package init(
        _ telemetry: Telemetry,
        _ options: RunOptions,
        shelf: ArchiveShelf
    ) throws(CollectionFailure) {
        self.telemetry = telemetry
        self.options = options
        self.shelf = shelf
        backlog = Backlog(limit: options.waitingBytes, isShared: options.tenants > 1)
        let places = options.places
        do throws(SystemFailure) {
            try places.make()
        } catch {
            throw CollectionFailure(path: options.folder, reason: error.description)
        }
        var sleeping = [[(key: RunKey, path: String, due: Int64)]](repeating: [], count: options.workers)
        var count = 0
        for path in places.openFiles() {
            do throws(SystemFailure) {
                let contents = try OpenRunFile.contents(of: path)
                intake.restore(
                    contents.key,
                    safe: contents.place.last,
                    isOver: contents.isOver,
                    heard: contents.place.heard
                )
                if contents.isOver {
                    shelf.add(places.setAside(contents.key))
                } else {
                    let worker = Self.worker(of: contents.key, options.workers)
                    sleeping[worker].append((contents.key, path, contents.place.due))
                    count += 1
                }
            } catch {
                if (try? OpenRunFile.hasWork(path)) == false {
                    // Nothing of it was done, and the journal has it.
                    unsafe unlink(path)
                } else {
                    let kept = RunPlaces.keepDamaged(path)
                    let text = "\(path): a run's file cannot be read: \(error); it is kept as \(kept)"
                    telemetry.log.write("", 2, text)
                }
            }
        }
        restored = count
        for path in places.endedFiles() {
            if let contents = try? OpenRunFile.contents(of: path) {
                intake.restore(
                    contents.key,
                    safe: contents.place.last,
                    isOver: true,
                    heard: contents.place.heard
                )
            }
            shelf.add(path)
        }
        let (intake, backlog) = (intake, backlog)
        workers = sleeping.enumerated().map { number, sleeping in
            PoolWorker(number, telemetry, options, sleeping: sleeping, intake: intake, backlog: backlog) { path in
                shelf.add(path)
            }
        }
        telemetry.addRun(self)
    }

    private static func worker(of key: RunKey, _ count: Int) -> Int {
        // The same in every process: a run's entries of the journal come to one worker after a restart too.
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in key.name.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        return Int(hash % UInt64(count))
    }

    /// Hands on what came for a run and is in the ``backlog``, in the order of the journal.
    package func accept(_ reports: ReceivedReports, entry: UInt64) {
        defer { accepted.store(entry, ordering: .releasing) }
        workers[Self.worker(of: reports.key, workers.count)].receive(reports, entry: entry)
    }

    /// The last entries of the journal that are in archives already, by run.
    package var finishedEntries: [RunKey: UInt64] {
        var finished: [RunKey: UInt64] = [:]
        let now = SystemTime.wall()
        for run in shelf.recentRuns(now: now) {
            finished[run.key] = max(finished[run.key] ?? 0, run.entry)
            intake.restore(run.key, safe: run.last, isOver: true, heard: run.heard)
        }
        // In other forms than Tally's own a session may go on as another run.
        for run in shelf.adoptedRuns(now: now) where run.key.form == .native {
            intake.restore(run.key, safe: run.last, isOver: true, heard: run.heard)
        }
        for path in options.places.endedFiles() {
            guard let contents = try? OpenRunFile.contents(of: path) else { continue }
            finished[contents.key] = max(finished[contents.key] ?? 0, contents.place.entry)
        }
        return finished
    }

    /// Takes an entry that an earlier process has made safe, unless it is in an archive.
    package func restore(_ reports: ReceivedReports, entry: UInt64, finished: [RunKey: UInt64]) {
        guard entry > finished[reports.key] ?? 0 else { return accepted.store(entry, ordering: .releasing) }
        intake.restore(reports.key, safe: reports.last, isOver: false, heard: reports.received)
        backlog.add(reports)
        accept(reports, entry: entry)
    }

    /// Entries of the journal before this one are done.
    package var firstNotDone: UInt64 {
        let next = accepted.load(ordering: .acquiring) + 1
        return workers.compactMap(\.firstWaiting).min() ?? next
    }

    /// Makes what is in the runs' files safe, so that the journal may forget it.
    package func synchronize() {
        let descriptor = unsafe open(options.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        tally_sync_file_system(descriptor)
        Glibc.close(descriptor)
    }

    /// Gives memory that is free back to the system.
    package func trimMemory() { tally_trim_memory() }

    /// What the workers did.
    package var counts: WorkerCounts {
        workers.reduce(into: WorkerCounts()) { $0.add($1.counts) }
    }

    /// How many runs are open.
    package var openRunCount: Int { workers.reduce(0) { $0 + $1.runCount } }

    /// Ends all runs that are open, where time is that of the reports; returns when it is done.
    package func endAll() {
        let last = RunPlace.times.upperBound - 1
        for worker in workers { _ = try? worker.perform(limit: .max / 2_000) { $0.advance(to: last) } }
    }

    /// Ends runs of which nothing can come any more, behind all that came of them.
    package func end(_ keys: [RunKey]) {
        for (number, worker) in workers.enumerated() {
            let own = keys.filter { Self.worker(of: $0, workers.count) == number }
            if !own.isEmpty { _ = try? worker.perform(limit: 60_000) { $0.end(own) } }
        }
    }

    /// Open runs that something came for, the oldest `limit` of each worker.
    package func overviews(limit: Int) -> [RunOverview] {
        workers.flatMap { (try? $0.perform(limit: 5_000) { $0.overviews(limit: limit) }) ?? [] }
    }

    /// An open run by its name; nil when there is none.
    package func overview(tenant: String?, name: String) -> RunOverview? {
        for worker in workers {
            let found = (try? worker.perform(limit: 5_000) { $0.overview(tenant: tenant, name: name) }) ?? nil
            if let found { return found }
        }
        return nil
    }

    /// Does what came so far, and ends; open runs go on with the next process.
    package func close() {
        telemetry.unregister(self)
        for worker in workers { worker.close() }
        options.closing.isClosing.store(true, ordering: .relaxed)
        shelf.close()
    }
}
