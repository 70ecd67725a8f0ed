internal import Glibc
internal import Synchronization
internal import System
internal import TextEncoding

/// Where a run is recorded: a file, or a new file in a folder.
package struct ArchivePlace {
    /// The archive's file.
    package let file: String
    /// The folder in which it is one of many; nil when a file was named.
    package let folder: String?

    /// Takes a path that names a file, or a folder: one that is there, or ends in a slash and is made.
    package init(_ path: String) {
        if path.hasSuffix("/") { unsafe mkdir(PathName.bytes(path), 0o700) }
        guard path.hasSuffix("/") || Self.isFolder(path) else {
            file = path
            folder = nil
            return
        }
        folder = path
        file = PathName.joined(path, Self.name())
    }

    /// Takes the path of a folder, which is made when it is not there: each run gets a file of its own.
    package init(folder path: String) throws(HostError) {
        if !Self.isFolder(path), unsafe mkdir(PathName.bytes(path), 0o700) != 0 {
            let reason =
                errno == EEXIST ? "it is no folder, and each run is recorded to a file in it" : SystemError.text(errno)
            throw .cannotCreate(path: path, reason: reason)
        }
        folder = path
        file = PathName.joined(path, Self.name())
    }

    /// The file of the next run: a new one in the folder, or the one that was named.
    package func nextFile() -> String { folder.map { PathName.joined($0, Self.name()) } ?? file }

    /// Where the archives are that a crash may have cut off.
    var recovered: String { folder ?? file }

    /// How every archive begins.
    private static let start = Array("{\"run\":\"".utf8)

    /// Makes sure that a file which is there is an archive, so that no other file is lost by a slip in a name.
    ///
    /// An empty file may be replaced, and so may an archive that a crash has cut off anywhere.
    package static func check(_ path: String) throws(HostError) {
        let descriptor = unsafe open(PathName.bytes(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        // What cannot be read is told when it is to be made.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        var bytes = [UInt8](repeating: 0, count: start.count)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0, !start.starts(with: bytes[..<count]) else { return }
        throw .isNoArchive(path: path)
    }

    private static let count = Atomic(0)

    /// A name that no other player takes, and that sorts by time.
    private static func name() -> String {
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let date = CivilDate(microsecondsSinceEpoch: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000)
        let buffer = ByteBuffer(capacity: 32)
        date.appendISO8601(to: buffer, fractionDigits: 3)
        // A colon has a meaning to many tools that take a path.
        return buffer.string.filter { $0 != ":" && $0 != "-" } + "-\(getpid())" + (number == 0 ? "" : "-\(number)")
            + ".tally"
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(PathName.bytes(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// Where the trackers' persistent values are kept.
package enum StorePlace {
    /// Makes sure that the file can be read and written, so that a run is not in vain.
    ///
    /// The file is replaced as a whole: its folder has to take another one beside it.
    package static func check(_ path: String) throws(HostError) {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw .cannotCreate(path: path, reason: "it is a directory")
            default: throw .cannotCreate(path: path, reason: "it is no ordinary file")
            }
            guard unsafe access(path, R_OK) == 0 else {
                throw .cannotCreate(path: path, reason: SystemError.text(errno))
            }
        }
        let beside = "\(path).\(getpid()).part"
        let descriptor = unsafe open(beside, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: SystemError.text(errno)) }
        close(descriptor)
        unsafe unlink(beside)
    }
}
