internal import Glibc
internal import HostSupport
internal import System

/// Why a worker cannot go on.
struct WorkerFailure: Error {
    let reason: String
    let exitCode: ExitCode
}

/// The folder in which a worker has the lines of open runs: what another worker left in it is removed, since the topic
/// has all of it.
final class WorkerFolder {
    /// Not that of archives: what somebody else keeps in the folder stays.
    private static let suffix = ".open-run"
    /// How long a replay that a killed worker left may go on, ms.
    private static let patience: Int64 = 30_000_000

    /// Its path.
    let path: String
    /// A replay that is started has it too, so that nobody uses the folder as long as it goes on.
    private let lock: Int32

    /// Makes it when it is not there, and keeps others out until this is gone.
    init(_ path: String) throws(WorkerFailure) {
        self.path = path
        guard unsafe mkdir(PathName.bytes(path), 0o700) == 0 || errno == EEXIST else {
            throw Self.failure(path, "cannot be made: \(SystemError.text(errno))")
        }
        lock = unsafe open(PathName.bytes(path + "/lock"), O_RDWR | O_CREAT | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw Self.failure(path, "cannot be used: \(SystemError.text(errno))") }
        let began = SystemTime.monotonic()
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard SystemTime.monotonic() - began < Self.patience else {
                Glibc.close(lock)
                throw Self.failure(path, "is in use by another worker: give each its own")
            }
            usleep(50_000)
        }
        for name in FileNames.names(in: path, endingWith: Self.suffix) ?? [] {
            unsafe unlink(PathName.bytes("\(path)/\(name)"))
        }
    }

    deinit { close(lock) }

    /// A file for the lines of the run that begins at an offset.
    func file(_ partition: Int32, _ offset: Int64) throws(WorkerFailure) -> RunFile {
        RunFile(path: "\(path)/\(partition)-\(offset)\(Self.suffix)")
    }

    /// What is wrong with a file or folder.
    static func failure(_ path: String, _ reason: String) -> WorkerFailure {
        WorkerFailure(reason: "\(path): the folder of --state \(reason)", exitCode: .cannotCreate)
    }
}

/// The lines of one run, of which some wait in memory.
final class RunFile {
    private static let capacity = 32_768

    /// Where they are.
    let path: String
    private var waiting: [UInt8] = []

    init(path: String) { self.path = path }

    /// Adds a line.
    func append(_ line: UnsafeRawBufferPointer) throws(WorkerFailure) {
        unsafe waiting.append(contentsOf: line)
        waiting.append(UInt8(ascii: "\n"))
        if waiting.count >= Self.capacity { try write() }
    }

    /// Writes what waits.
    func write() throws(WorkerFailure) {
        guard !waiting.isEmpty else { return }
        let descriptor = unsafe open(
            PathName.bytes(path),
            O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
            0o600
        )
        guard descriptor >= 0 else { throw WorkerFolder.failure(path, "takes no file: \(SystemError.text(errno))") }
        defer { close(descriptor) }
        do throws(StandardStream.Failure) {
            try StandardStream.write(waiting, to: descriptor, named: path)
        } catch {
            throw WorkerFailure(reason: error.message, exitCode: .cannotCreate)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Removes them.
    func remove() {
        unsafe unlink(PathName.bytes(path))
    }
}
