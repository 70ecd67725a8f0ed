internal import Archive
internal import Glibc
internal import HostSupport
internal import System

/// An archive that is still written: at its present end it waits for more.
@safe final class FollowedFile {
    /// Whether nothing came for as long as the limit, and the end was not there.
    private(set) var isAbandoned = false

    /// The name that messages use.
    let name: String
    private let descriptor: Int32
    private let idleLimit: Int64
    private let wait: (_ milliseconds: Int32) -> Bool
    private let isComplete: () -> Bool
    private var count: Int64 = 0

    /// How often it is looked for more, ms.
    private static let interval: Int32 = 20

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the archive.
    ///   - idleLimit: how long nothing may come, s.
    ///   - wait: waits so long, and says whether to go on.
    ///   - isComplete: whether what was read is all that there is to come; asked on the replay's thread.
    /// - Throws: when it cannot be opened.
    init(
        _ path: String,
        idleLimit: Int,
        wait: @escaping (_ milliseconds: Int32) -> Bool,
        isComplete: @escaping () -> Bool
    ) throws(InputFile.Failure) {
        name = path
        self.idleLimit = Int64(idleLimit) * 1_000_000
        self.wait = wait
        self.isComplete = isComplete
        descriptor = unsafe open(PathName.bytes(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(SystemError.text(errno), errno) }
    }

    deinit { close(descriptor) }

    /// Reads some bytes, and waits for them; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(InputFile.Failure) -> Int {
        let asked = SystemTime.monotonic()
        while true {
            let got = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if got < 0, errno != EINTR { throw failure(SystemError.text(errno), errno) }
            if got > 0 {
                let isFirst = count == 0
                count += Int64(got)
                if isFirst, unsafe Self.isCompressed(buffer[..<got]) {
                    throw failure("a compressed archive cannot be followed while it is written", 0)
                }
                return got
            }
            if isComplete() { return 0 }
            var status = stat()
            if unsafe fstat(descriptor, &status) == 0, status.st_size < count {
                throw failure("it has become shorter: it was erased, or is written anew", 0)
            }
            if SystemTime.monotonic() - asked >= idleLimit {
                isAbandoned = true
                return 0
            }
            guard wait(Self.interval) else { return 0 }
        }
    }

    /// Bytes that were read, once more.
    func kept(_ bytes: Range<Int>) -> ArchiveSource { ArchiveSource(path: name, bytes: bytes, of: descriptor) }

    private static func isCompressed(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
        unsafe bytes.starts(with: [0x1F, 0x8B]) || ZstdDecompression.reads(bytes.prefix(4))
    }

    private func failure(_ reason: String, _ number: Int32) -> InputFile.Failure {
        InputFile.Failure(
            message: "\(name): cannot follow it: \(reason)",
            number: number,
            exitCode: number == 0 ? .badData : .noInput
        )
    }
}
