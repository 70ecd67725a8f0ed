internal import Archive
internal import CZstd
internal import EventModel
internal import Glibc
internal import System
internal import TextEncoding

/// Deletes what a collector keeps of a run, of a viewer or of a tenant, while no collector uses the folder.
///
/// In an archive a run's bytes are overwritten where they lie, by a frame that readers pass over, so that the other
/// runs stay where their list says.
package struct CollectionErasure {
    /// What is deleted.
    package enum Subject: Equatable, Sendable {
        /// The run of a name or an id.
        case run(String)
        /// All runs in which this `user_id` was told.
        case user(String)
        /// All runs of a tenant.
        case tenant(String)
    }

    /// What was deleted.
    package struct Outcome: Equatable, Sendable {
        /// Runs in archives.
        package var archived = 0
        /// Runs that went on, or were in no archive yet.
        package var open = 0
    }

    private let subject: Subject
    private let tenant: String?
    private let places: RunPlaces
    private let archives: String
    /// The runs in which the viewer was told, in whatever part of them.
    private var runs: Set<RunKey> = []

    /// Deletes in the folder of a collector, of one tenant alone when it is named.
    package init(_ subject: Subject, of tenant: String? = nil, in folder: String) {
        self.subject = subject
        self.tenant = tenant
        places = RunPlaces(folder: folder + "/runs")
        archives = folder + "/archives"
    }

    /// Finds out whether an entry of the journal has the viewer: then all of its run goes.
    package mutating func find(in reports: ReceivedReports) {
        if concerns(reports) { runs.insert(reports.key) }
    }

    /// Finds the runs in files that have the viewer.
    ///
    /// What was told of a run in one place is deleted in all: a journal may have the parts that say nothing of who
    /// watches, and makes the run anew of them.
    package mutating func findInFiles() {
        guard case .user = subject else { return }
        for path in places.openFiles() + places.endedFiles() {
            guard let contents = try? OpenRunFile.contents(of: path) else { continue }
            if matches(contents) { runs.insert(contents.key) }
        }
        for list in HourArchive.lists(in: archives, since: .min) {
            let descriptor = unsafe open(
                String(list.dropLast(HourArchive.listSuffix.count)),
                O_RDONLY | O_CLOEXEC | O_NOFOLLOW
            )
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            for entry in HourArchive.entries(of: list)
            where matches(entry.key, entry.id, { Self.lines(descriptor, entry.bytes) }) {
                runs.insert(entry.key)
            }
        }
    }

    private func matches(_ contents: OpenRunFile.Contents) -> Bool {
        let id = OpenRunFile.header(of: contents.lines)?.run ?? contents.key.name
        let told = contents.told.compactMap(\.report).joined(separator: "\n")
        return matches(contents.key, id) { contents.lines + Array(told.utf8) }
    }

    /// Deletes it.
    ///
    /// - Throws: which file could not be changed. To repeat it goes on.
    package func erase() throws(CollectionFailure) -> Outcome {
        var outcome = Outcome()
        for path in places.openFiles() + places.endedFiles() {
            guard let contents = try? OpenRunFile.contents(of: path), matches(contents) else { continue }
            guard unsafe unlink(path) == 0 else { throw failure(path) }
            outcome.open += 1
        }
        // What was taken over of another collector is the names of its runs.
        for list in HourArchive.lists(in: "\(archives)/\(ArchiveShelf.adoptedFolder)", since: .min) {
            guard unsafe unlink(list) == 0 else { throw failure(list) }
        }
        for list in HourArchive.lists(in: archives, since: .min) {
            outcome.archived += try erase(inArchive: String(list.dropLast(HourArchive.listSuffix.count)), list)
        }
        return outcome
    }

    /// Whether an entry of the journal is of what is deleted.
    package func concerns(_ reports: ReceivedReports) -> Bool {
        matches(reports.key, reports.key.name) { reports.text }
    }

    private func matches(_ key: RunKey, _ id: String, _ lines: () -> [UInt8]?) -> Bool {
        guard tenant ?? key.tenant == key.tenant else { return false }
        return switch subject {
        case .run(let name): key.name == name || id == name
        case .tenant(let name): key.tenant == name
        case .user(let user): runs.contains(key) || lines().map { Self.tells(user, $0) } ?? false
        }
    }

    /// Whether one of some lines has the viewer.
    private static func tells(_ user: String, _ lines: [UInt8]) -> Bool {
        lines.split(separator: 0x0A).contains { line in
            guard let json = try? JSONParser().parse(Array(line)) else { return false }
            return json["attributes"]?["user_id"]?.string == user || json["payload"]?["userId"]?.string == user
        }
    }

    private func failure(_ path: String) -> CollectionFailure {
        CollectionFailure(path: path, reason: "cannot be erased: \(SystemError.text(errno))")
    }

    // MARK: - Archives

    private func erase(inArchive path: String, _ list: String) throws(CollectionFailure) -> Int {
        let entries = HourArchive.entries(of: list)
        let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        try cutTail(of: path, descriptor, behind: entries, list)
        let erased = entries.filter { entry in
            matches(entry.key, entry.id) { Self.lines(descriptor, entry.bytes) }
        }
        guard !erased.isEmpty else { return 0 }
        for entry in erased {
            let frame = Self.emptyFrame(entry.bytes.count)
            let written = unsafe pwrite(descriptor, frame, frame.count, off_t(entry.bytes.lowerBound))
            guard written == frame.count else { throw failure(path) }
        }
        guard fsync(descriptor) == 0 else { throw failure(path) }
        let gone = Set(erased.map(\.id))
        // The list keeps the archive's length by its last entry: where that one goes, the archive is cut.
        let kept = entries.filter { !gone.contains($0.id) }
        guard !kept.isEmpty else {
            // What has no run is no archive: a replay of the folder would stumble over it.
            guard unsafe unlink(list) == 0, unsafe unlink(path) == 0 else { throw failure(path) }
            return erased.count
        }
        let end = kept.map(\.bytes.upperBound).max() ?? 0
        guard ftruncate(descriptor, off_t(end)) == 0, fsync(descriptor) == 0 else { throw failure(path) }
        do throws(SystemFailure) {
            try FileBytes.replace(list, with: Array(kept.map(\.text).joined().utf8))
        } catch {
            throw failure(list)
        }
        return erased.count
    }

    /// Cuts off what a crash left behind the last run of the list, whoever was in it: those runs have their own files.
    ///
    /// Behind a list that is damaged there may be runs that have none any more.
    private func cutTail(
        of path: String,
        _ descriptor: Int32,
        behind entries: [HourArchive.Entry],
        _ list: String
    ) throws(CollectionFailure) {
        let end = entries.map(\.bytes.upperBound).max() ?? 0
        var (archived, listed) = (stat(), stat())
        guard unsafe fstat(descriptor, &archived) == 0, unsafe stat(list, &listed) == 0 else { throw failure(path) }
        let isWhole = Int(listed.st_size) == entries.reduce(0) { $0 + $1.text.utf8.count }
        guard isWhole, Int(archived.st_size) > end else { return }
        guard ftruncate(descriptor, off_t(end)) == 0, fsync(descriptor) == 0 else { throw failure(path) }
    }

    /// The lines of a run in an archive; nil when they cannot be unpacked.
    private static func lines(_ descriptor: Int32, _ bytes: Range<Int>) -> [UInt8]? {
        var packed = [UInt8](repeating: 0, count: bytes.count)
        guard unsafe pread(descriptor, &packed, packed.count, off_t(bytes.lowerBound)) == packed.count else {
            return nil
        }
        let size = unsafe ZSTD_getFrameContentSize(packed, packed.count)
        guard size < 4 << 30 else { return nil }
        var plain = [UInt8](repeating: 0, count: Int(size))
        let made = unsafe ZSTD_decompress(&plain, plain.count, packed, packed.count)
        return ZSTD_isError(made) == 0 ? plain : nil
    }

    /// A frame of zstd without content, of so many bytes.
    private static func emptyFrame(_ count: Int) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: count)
        let length = UInt32(count - 8)
        let magic: [UInt8] = [0x50, 0x2A, 0x4D, 0x18]
        frame.replaceSubrange(0..<4, with: magic)
        for shift in 0..<4 { frame[4 + shift] = UInt8(truncatingIfNeeded: length >> (8 * UInt32(shift))) }
        return frame
    }
}
