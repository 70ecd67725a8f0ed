internal import Archive
internal import Glibc
internal import System
internal import TextEncoding

/// Puts runs that are over into archives: compressed, each run whole, by tenant, date and hour.
///
/// A run is in an archive when its line is in the archive's list of runs; then its own file is deleted. What a crash
/// leaves behind the last run of the list is cut off before more is added. One thread does all of it.
package final class ArchiveShelf: Sendable {
    /// Where archives lie, and how large they get.
    package struct Options: Sendable {
        /// The folder of all archives.
        package var folder: String
        /// After how many bytes another archive is begun in the same hour.
        package var archiveBytes = 256 * 1024 * 1024
        /// Days that a tenant's archives are kept, by tenant; of others they are kept for ever.
        package var retention: [String: Int] = [:]
        /// The level of compression.
        package var level: Int32 = 3
        /// How long an archive stays open behind the last run that was added, us: the names of its runs are in memory.
        package var openFor: Int64 = 600_000_000

        package init(folder: String) { self.folder = folder }
    }

    /// What was done so far.
    package struct Statistics: Sendable {
        /// Runs that are in an archive.
        package var runs: UInt64 = 0
        /// Their bytes before they were compressed.
        package var plainBytes: UInt64 = 0
        /// Their bytes in archives.
        package var bytes: UInt64 = 0
        /// Archives that are open.
        package var open = 0
        /// Archives that were deleted since they were old.
        package var deleted: UInt64 = 0
        /// Why the last run could not be put into an archive; nil when it could.
        package var problem: String?
    }

    private struct State {
        var waiting: [String] = []
        var isWorking = false
        var isClosing = false
        var statistics = Statistics()
    }

    /// For how long it is asked which runs are over, h: longer than players try to send.
    static let knownHours = 26
    /// The folder of lists that were taken over from other collectors, whose archives lie elsewhere.
    static let adoptedFolder = ".adopted"
    /// How many runs are made safe together.
    private static let together = 500

    package let options: Options
    private let state = Condition(State())
    private let thread = Lock<Thread?>(nil)
    private let log: @Sendable (String) -> Void

    /// Makes the folder when it is not there, and begins to wait for runs.
    package init(_ options: Options, log: @escaping @Sendable (String) -> Void) throws(CollectionFailure) {
        self.options = options
        self.log = log
        guard unsafe mkdir(options.folder, 0o700) == 0 || errno == EEXIST else {
            throw CollectionFailure(path: options.folder, reason: SystemError.text(errno))
        }
        thread.with { thread in
            thread = Thread(name: "tally-shelf") { [weak self] in
                var archives: [String: HourArchive] = [:]
                while let self, self.shelveNext(&archives) {}
            }
        }
    }

    /// What was done so far.
    package var statistics: Statistics { state.with { $0.statistics } }

    /// How many runs wait.
    package var waiting: Int { state.with { $0.waiting.count } }

    /// Adds the file of a run that is over.
    package func add(_ path: String) { state.change { $0.waiting.append(path) } }

    /// Waits until all that was added is in archives.
    package func drain() {
        _ = state.wait(until: nil) { $0.waiting.isEmpty && !$0.isWorking ? true : nil }
    }

    /// Puts all that waits into archives, and takes no more.
    package func close() {
        state.change { $0.isClosing = true }
        thread.with { $0 }?.join()
    }

    /// The runs that archives of late have, with the last entry of the journal that each is made of.
    package func recentRuns(now: Int64) -> [(key: RunKey, entry: UInt64, last: UInt64, heard: Int64)] {
        recentRuns(in: options.folder, now)
    }

    /// The runs of late that are in archives of collectors whose place this one took, by entries of their journals.
    func adoptedRuns(now: Int64) -> [(key: RunKey, entry: UInt64, last: UInt64, heard: Int64)] {
        recentRuns(in: "\(options.folder)/\(Self.adoptedFolder)", now)
    }

    private func recentRuns(
        in folder: String,
        _ now: Int64
    ) -> [(key: RunKey, entry: UInt64, last: UInt64, heard: Int64)] {
        HourArchive.lists(in: folder, since: now - Int64(Self.knownHours) * 3_600_000_000).flatMap { path in
            HourArchive.entries(of: path).map { ($0.key, $0.entry, $0.last, $0.heard) }
        }
    }

    // MARK: - The shelf's thread

    private func shelveNext(_ archives: inout [String: HourArchive]) -> Bool {
        let next = state.wait(until: nil) { state -> [String]? in
            guard !state.waiting.isEmpty || state.isClosing else { return nil }
            state.isWorking = true
            let first = Array(state.waiting.prefix(Self.together))
            state.waiting.removeFirst(first.count)
            return first
        }
        guard let paths = next, !paths.isEmpty else { return false }
        var done: [String] = []
        var touched: Set<String> = []
        for path in paths {
            do throws(SystemFailure) {
                if let name = try add(path, &archives) { touched.insert(name) }
                done.append(path)
            } catch {
                state.with { $0.statistics.problem = "\(path): \(error)" }
                retry(path, after: error)
            }
        }
        for name in touched {
            do throws(SystemFailure) {
                guard let safe = try archives[name]?.commit() else { continue }
                state.with { state in
                    state.statistics.runs += safe.runs
                    state.statistics.plainBytes += safe.plainBytes
                    state.statistics.bytes += safe.bytes
                    state.statistics.problem = nil
                }
            } catch {
                log("\(name): the archive cannot be written: \(error)")
                archives[name] = nil
                done = []
                for path in paths { retry(path, after: error) }
            }
        }
        for path in done { unsafe unlink(path) }
        // What is not written now is opened again when it is: there may be many tenants, and there are many hours.
        let now = SystemTime.monotonic()
        for name in touched { archives[name]?.used = now }
        archives = archives.count > 64 ? [:] : archives.filter { now - $0.value.used < options.openFor }
        let open = archives.count
        state.with { $0.statistics.open = open }
        state.change { $0.isWorking = false }
        return true
    }

    private func retry(_ path: String, after error: SystemFailure) {
        let isClosing = state.change { state -> Bool in
            if !state.isClosing { state.waiting.append(path) }
            return state.isClosing
        }
        // What cannot be written now is left for the next process.
        if !isClosing { usleep(200_000) }
    }

    /// Adds a run to its archive; nil when there is nothing in it.
    private func add(_ path: String, _ archives: inout [String: HourArchive]) throws(SystemFailure) -> String? {
        let contents: OpenRunFile.Contents
        do throws(SystemFailure) {
            contents = try OpenRunFile.contents(of: path)
        } catch {
            // Gone already: an earlier process had it in an archive, or it was erased.
            guard error.number != ENOENT else { return nil }
            guard error.number == ENODATA else { throw error }
            log("\(path): a run's file is damaged; it is in no archive, and kept as \(RunPlaces.keepDamaged(path))")
            return nil
        }
        guard let header = OpenRunFile.header(of: contents.lines) else { return nil }
        let folder = try folder(of: contents.key.tenant, at: contents.place.heard)
        var number = 1
        while true {
            let name = folder + Self.name(at: contents.place.heard, number)
            let archive: HourArchive
            if let open = archives[name] { archive = open } else { archive = try HourArchive(name) }
            archives[name] = archive
            guard archive.bytes < options.archiveBytes else {
                number += 1
                continue
            }
            // A process that died between the list and the deletion.
            guard !archive.has(header.run) else { return nil }
            try archive.add(contents, header, level: options.level)
            return name
        }
    }

    private func folder(of tenant: String, at time: Int64) throws(SystemFailure) -> String {
        var path = options.folder
        for name in [tenant, Self.date(at: time)] {
            path += "/" + name
            guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFailure() }
        }
        return path + "/"
    }

    private static func date(at time: Int64) -> String {
        let buffer = ByteBuffer(capacity: 32)
        CivilDate(microsecondsSinceEpoch: time).appendISO8601(to: buffer, fractionDigits: 0)
        return String(buffer.string.prefix(10))
    }

    private static func name(at time: Int64, _ number: Int) -> String {
        let hour = CivilDate(microsecondsSinceEpoch: time).hour
        return (hour < 10 ? "0" : "") + String(hour) + (number == 1 ? "" : "-\(number)") + ".tally.zst"
    }

    /// Deletes archives of days that are older than a tenant keeps them.
    ///
    /// - Returns: the folders that were deleted.
    package func deleteOld(now: Int64) -> [String] {
        var deleted: [String] = []
        for (tenant, days) in options.retention {
            let oldest = Self.date(at: now - Int64(days) * 86_400_000_000)
            let folder = "\(options.folder)/\(tenant)"
            for date in FileNames.names(in: folder, endingWith: "") ?? []
            where date.count == 10 && date.first?.isNumber == true && date < oldest {
                for name in FileNames.names(in: "\(folder)/\(date)", endingWith: "") ?? [] {
                    unsafe unlink("\(folder)/\(date)/\(name)")
                }
                if unsafe rmdir("\(folder)/\(date)") == 0 { deleted.append("\(folder)/\(date)") }
            }
        }
        state.with { $0.statistics.deleted += UInt64(deleted.count) }
        return deleted
    }
}
