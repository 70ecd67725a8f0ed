internal import Archive
internal import Glibc
internal import System
internal import TextEncoding

/// Takes over what another collector's folder has of runs that go on, while no collector uses either folder.
///
/// First all is copied, then the other journal forgets it, and then the files there go: what was cut off goes on when
/// it is repeated. Archives stay where they are; which runs they have is taken over, so that what players send once
/// more is no other run.
package struct CollectionAdoption {
    /// What was taken over.
    package struct Outcome: Equatable, Sendable {
        /// Runs that go on.
        package var open = 0
        /// Runs that are over and in no archive yet.
        package var ended = 0
        /// Runs in archives of the last day, which are known as over from now on.
        package var archived = 0
        /// Names of runs of which both folders have something; nothing was changed of them.
        package var doubled: [String] = []
    }

    private let source: RunPlaces
    private let target: RunPlaces
    private let archives: (source: String, target: String)
    /// The last entry of the other journal that is done, by run.
    private var done: [RunKey: UInt64] = [:]
    /// Runs that came into the new folder before, and were over there since.
    private var overThere: Set<String> = []
    /// What was taken over, with its file in the old place.
    private var adopted: [RunKey: [String]] = [:]

    /// Takes over from one collector's folder into another one's.
    package init(from source: String, into target: String) {
        self.source = RunPlaces(folder: source + "/runs")
        self.target = RunPlaces(folder: target + "/runs")
        archives = (source + "/archives", target + "/archives")
        for path in self.source.openFiles() + self.source.endedFiles() {
            guard let contents = try? OpenRunFile.contents(of: path) else { continue }
            done[contents.key] = max(done[contents.key] ?? 0, contents.place.entry)
        }
        for entry in HourArchive.lists(in: archives.source, since: .min).flatMap(HourArchive.entries) {
            done[entry.key] = max(done[entry.key] ?? 0, entry.entry)
        }
        overThere = Set(HourArchive.lists(in: archives.target, since: .min).flatMap(HourArchive.entries).map(\.id))
        for path in self.target.endedFiles() {
            if let id = (try? OpenRunFile.contents(of: path)).flatMap(Self.id) { overThere.insert(id) }
        }
    }

    private static func id(of contents: OpenRunFile.Contents) -> String? {
        OpenRunFile.header(of: contents.lines)?.run
    }

    /// Whether an entry of the other collector's journal is in a run's file or an archive.
    package func isDone(_ reports: ReceivedReports, entry: UInt64) -> Bool { entry <= done[reports.key] ?? 0 }

    /// Whether an entry of the other collector's journal is of a run that was taken over.
    package func isAdopted(_ reports: ReceivedReports) -> Bool { adopted[reports.key] != nil }

    /// Copies it; `last` is the last entry of the journal of the folder that it comes into.
    ///
    /// - Throws: which file could not be written.
    package mutating func copy(behind last: UInt64) throws(CollectionFailure) -> Outcome {
        var outcome = Outcome()
        do throws(SystemFailure) {
            try target.make()
        } catch {
            throw CollectionFailure(path: target.folder, reason: error.description)
        }
        outcome.archived = try rememberArchived()
        for path in source.openFiles() + source.endedFiles() {
            guard let contents = try? OpenRunFile.contents(of: path), let bytes = try? FileBytes.read(path) else {
                continue
            }
            let whole = Array(bytes.prefix(contents.bytes))
            let place = target.open(contents.key)
            if let id = Self.id(of: contents), overThere.contains(id) {
                // It was taken over before, and has ended since.
            } else if let known = try? FileBytes.read(place) {
                // An adoption that was cut off had this one done.
                guard known.starts(with: whole) else {
                    outcome.doubled.append(contents.key.name)
                    continue
                }
            } else {
                var reached = contents.place
                reached.entry = last
                try write(whole + Array((contents.isOver ? "" : reached.line).utf8), to: place)
            }
            adopted[contents.key, default: []].append(path)
            if contents.isOver { outcome.ended += 1 } else { outcome.open += 1 }
        }
        return outcome
    }

    /// Deletes what was copied where it was.
    ///
    /// - Throws: which file could not be deleted.
    package func removeCopied() throws(CollectionFailure) {
        for path in adopted.values.joined() {
            guard unsafe unlink(path) == 0 else { throw failure(path) }
        }
    }

    /// Has the other collector's runs that are over known where they are asked for again.
    ///
    /// - Returns: how many.
    private func rememberArchived() throws(CollectionFailure) -> Int {
        var count = 0
        let since = SystemTime.wall() - Int64(ArchiveShelf.knownHours) * 3_600_000_000
        for list in HourArchive.lists(in: archives.source, since: since) {
            let parts = list.dropFirst(archives.source.utf8.count + 1).split(separator: "/").map(String.init)
            guard parts.count == 3, let bytes = try? FileBytes.read(list) else { continue }
            var folder = archives.target
            for name in ["", ArchiveShelf.adoptedFolder, parts[0], parts[1]] {
                folder += name.isEmpty ? "" : "/" + name
                guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(folder) }
            }
            let origin = SHA256.hex(of: archives.source).prefix(12)
            try write(bytes, to: "\(folder)/\(origin)-\(parts[2])")
            count += HourArchive.entries(of: list).count
        }
        return count
    }

    private func failure(_ path: String) -> CollectionFailure {
        CollectionFailure(path: path, reason: SystemError.text(errno))
    }

    private func write(_ bytes: [UInt8], to path: String) throws(CollectionFailure) {
        do throws(SystemFailure) {
            try FileBytes.replace(path, with: bytes)
        } catch {
            throw CollectionFailure(path: path, reason: error.description)
        }
    }
}
