internal import Archive
internal import EventModel
internal import Glibc
internal import Setup
internal import System
internal import TextEncoding

// The file beside the archive.
extension ArchiveIndex {
    /// By what an archive is known to be as it was: it cannot be written without its time of change, which nobody sets.
    package struct FileState: Equatable {
        private let bytes: Int64
        private let inode: Int64
        private let changed: Int64

        /// The file as it is; nil when it cannot be looked at.
        package init?(_ path: String) {
            var status = stat()
            guard unsafe stat(PathName.bytes(path), &status) == 0 else { return nil }
            bytes = Int64(status.st_size)
            inode = Int64(bitPattern: UInt64(status.st_ino))
            changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        }

        fileprivate var json: JSONValue { ["bytes": .int(bytes), "inode": .int(inode), "changed_ns": .int(changed)] }
    }

    /// The name of an archive's index.
    package static func path(of archive: String) -> String { archive + ".index" }

    /// Whether a path names the index of an archive that lies beside it.
    package static func isIndex(_ path: String) -> Bool {
        guard path.hasSuffix(".index") else { return false }
        return unsafe access(PathName.bytes(String(path.dropLast(6))), F_OK) == 0
    }

    /// Reads the index of an archive; nil without one, and after a warning when it cannot be believed.
    package static func read(of archive: String, _ log: LogPrinter) -> ArchiveIndex? {
        let path = path(of: archive)
        guard unsafe access(PathName.bytes(path), F_OK) == 0 else { return nil }
        var status = stat()
        guard unsafe stat(PathName.bytes(path), &status) == 0, [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        else {
            log.show(.warning, "\(path): the index is no file, and the archive is read without it")
            return nil
        }
        let bytes: [UInt8]
        do throws(TextFile.Failure) {
            bytes = try TextFile.read(path, limit: .max)
        } catch {
            let problem = "the index cannot be read (\(error.reason)), and the archive is read without it"
            log.show(.warning, "\(path): \(problem)")
            return nil
        }
        guard let (state, index) = parse(bytes) else {
            log.show(.warning, "\(path): the index is damaged, and the archive \(remedy(archive))")
            return nil
        }
        guard let now = FileState(archive), state == now.json else {
            log.show(.warning, "\(path): the index is of another state of the archive, which \(remedy(archive))")
            return nil
        }
        return index
    }

    private static func remedy(_ archive: String) -> String {
        "is read without it: 'tally-replay index \(archive)' makes it anew"
    }

    /// Makes the index of an archive that was recorded just now, and lies there as it was written.
    package static func write(ofRecorded archive: String) throws(HostError) {
        guard let state = FileState(archive) else {
            throw .cannotCreate(path: path(of: archive), reason: "the archive is not there")
        }
        var index = ArchiveIndex()
        var isDamaged = false
        do throws(ArchiveSource.Failure) {
            let reader = ArchiveReader(try ArchiveSource(path: archive))
            while let line = try reader.next(damaged: { _ in isDamaged = true }) {
                index.read(line, of: reader.decoder.run.string, at: reader.lineOffset..<reader.offset)
            }
        } catch {
            throw .cannotCreate(path: path(of: archive), reason: SystemError.text(error.number))
        }
        guard !isDamaged else { throw .cannotCreate(path: path(of: archive), reason: "the archive is damaged") }
        try index.write(beside: archive, in: state)
    }

    /// Writes it beside the archive, which has to be in this state still.
    package func write(beside archive: String, in state: FileState) throws(HostError) {
        guard FileState(archive) == state else {
            throw .cannotCreate(path: Self.path(of: archive), reason: "the archive was written meanwhile")
        }
        try TextFile.replace(Self.path(of: archive), with: text(of: state.json))
    }
}
