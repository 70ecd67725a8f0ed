internal import Glibc
internal import PluginKit

/// A file, or standard output, that holds whole lines: a batch that fails is taken back or at least ends its line.
struct OutputFile {
    private let path: String
    private let keepsContent: Bool
    private let rotates: Bool
    private var descriptor: Int32 = -1
    private var wasOpened = false
    /// Whether what was written can be taken back: a file of our own, which nobody else appends to.
    private var canShrink = false
    private var isInsideLine = false
    /// How long the file is when its output is taken up; nil when it is not.
    private var resumedSize: Int?
    /// Whether it can be put aside: it is a file, and no device or pipe.
    private(set) var isRegular = false
    /// Whether it is open.
    var isOpen: Bool { descriptor >= 0 }

    private var isStandardOutput: Bool { path == "-" }
    private var name: String { isStandardOutput ? "standard output" : path }

    /// A file, not yet opened; one that `rotates` is never emptied.
    init(path: String, keepsContent: Bool, rotates: Bool = false) {
        // What the program's own streams go to may have content already.
        self.path = path == "/dev/stdout" ? "-" : path
        self.keepsContent = keepsContent || path == "/dev/stderr"
        self.rotates = rotates
    }

    /// Opens the file; what it held is gone, unless it is to be kept or this is not the first time.
    mutating func open() throws(OutputFileError) {
        if isStandardOutput {
            descriptor = STDOUT_FILENO
            return
        }
        let fresh = keepsContent || wasOpened || rotates || resumedSize != nil ? 0 : O_TRUNC
        descriptor = try openForAppending(fresh)
        wasOpened = true
        var status = stat()
        isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        canShrink = !keepsContent && isRegular
        if let resumedSize {
            guard isRegular, status.st_size >= resumedSize else {
                try? close()
                throw .resume(path: name, size: resumedSize)
            }
            guard ftruncate(descriptor, resumedSize) == 0 else { throw .write(path: name, code: errno) }
            status.st_size = resumedSize
            self.resumedSize = nil
        }
        // A kill in the middle of a write leaves a piece of a line.
        isInsideLine = isRegular && endsInsideLine(status.st_size)
        if rotates, !isRegular {
            try? close()
            throw .notRegular(path: name)
        }
    }

    private func openForAppending(_ more: Int32) throws(OutputFileError) -> Int32 {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | OutputPlace.flags(for: path)
        // What trackers say may be personal: a new file is its owner's alone, as an archive is.
        let descriptor = unsafe Glibc.open(OutputPlace.name(of: path), flags | more, 0o600)
        guard descriptor >= 0 else { throw .open(path: name, code: errno) }
        return descriptor
    }

    private func endsInsideLine(_ size: Int) -> Bool {
        guard size > 0 else { return false }
        let reading = unsafe Glibc.open(OutputPlace.name(of: path), O_RDONLY | O_CLOEXEC)
        guard reading >= 0 else { return false }
        defer { _ = Glibc.close(reading) }
        var last: UInt8 = 0
        return unsafe pread(reading, &last, 1, size - 1) == 1 && last != UInt8(ascii: "\n")
    }

    // MARK: - Taking up

    /// How long it is, once the disk has all of it; nil where what was written cannot be taken back.
    mutating func safeSize() throws(OutputFileError) -> Int? {
        var status = stat()
        guard descriptor >= 0, !isStandardOutput, !rotates, unsafe fstat(descriptor, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        try synchronise()
        return status.st_size
    }

    /// When it is opened, takes back what was written behind this size.
    mutating func resume(at size: Int) { resumedSize = size }

    // MARK: - Rotation

    /// How many bytes it holds.
    var size: Int64 { Int64(max(lseek(descriptor, 0, SEEK_END), 0)) }

    /// Puts the file aside under another name and begins an empty one; when that fails, the old one goes on.
    mutating func finish(as finished: String, synchronised: Bool) throws(OutputFileError) {
        if synchronised { try synchronise() }
        guard unsafe rename(OutputPlace.name(of: path), OutputPlace.name(of: finished)) == 0 else {
            throw .finish(path: name, code: errno)
        }
        let next: Int32
        do throws(OutputFileError) {
            next = try openForAppending(O_EXCL)
            // Whoever was let read the file can read the next one too.
            var status = stat()
            if unsafe fstat(descriptor, &status) == 0 { fchmod(next, status.st_mode & 0o777) }
        } catch {
            unsafe rename(OutputPlace.name(of: finished), OutputPlace.name(of: path))
            throw error
        }
        let old = descriptor
        descriptor = next
        isInsideLine = false
        if synchronised { Self.synchroniseFolder(of: path) }
        guard Glibc.close(old) == 0 else { throw .close(path: finished, code: errno) }
    }

    /// Waits until the disk has what was written; pipes and devices have no disk.
    func synchronise() throws(OutputFileError) {
        guard descriptor >= 0, fsync(descriptor) != 0, errno != EINVAL, errno != EROFS else { return }
        throw .synchronise(path: name, code: errno)
    }

    /// Waits until the disk has the names of a file's folder; without them a new file is lost with the power.
    static func synchroniseFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = unsafe Glibc.open(OutputPlace.name(of: folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        _ = Glibc.close(descriptor)
    }

    // MARK: - Writing

    /// Writes all bytes.
    mutating func write(_ buffer: ByteBuffer) throws(OutputFileError) {
        if buffer.isEmpty { return }
        if isInsideLine {
            // An earlier write failed in the middle of a line; the next line must not be glued to it.
            let end = ByteBuffer(capacity: 1)
            end.append(UInt8(ascii: "\n"))
            try writeAll(end)
        }
        try writeAll(buffer)
    }

    private mutating func writeAll(_ buffer: ByteBuffer) throws(OutputFileError) {
        var done = 0
        var failure: Int32 = 0
        unsafe buffer.withBytes { bytes in
            while done < bytes.count {
                let count = unsafe Glibc.write(
                    descriptor,
                    bytes.baseAddress.map { unsafe $0 + done },
                    bytes.count - done
                )
                if count > 0 {
                    done += count
                    continue
                }
                failure = count < 0 ? errno : EIO
                if failure == EINTR { continue }
                if failure == EAGAIN, waitForRoom() { continue }
                break
            }
        }
        if done > 0 { isInsideLine = buffer[done - 1] != UInt8(ascii: "\n") }
        guard done == buffer.count else { throw .write(path: name, code: failure) }
    }

    /// Waits until a descriptor that does not block takes bytes again.
    private func waitForRoom() -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&request, 1, -1) > 0
    }

    /// The size now, for ``rollBack(to:)``; nil when nothing can be taken back.
    var mark: Int? {
        guard canShrink else { return nil }
        let size = lseek(descriptor, 0, SEEK_END)
        return size < 0 ? nil : size
    }

    /// Takes back what was written since the mark, as far as that is possible.
    mutating func rollBack(to mark: Int?) {
        guard let mark, ftruncate(descriptor, mark) == 0 else { return }
        isInsideLine = false
    }

    /// Closes the file; standard output stays open.
    mutating func close() throws(OutputFileError) {
        let closing = descriptor
        descriptor = -1
        guard closing >= 0, !isStandardOutput else { return }
        guard Glibc.close(closing) == 0 else { throw .close(path: name, code: errno) }
    }
}

/// Why a file could not be opened, written or closed.
enum OutputFileError: Error, CustomStringConvertible {
    /// The system refused to open it.
    case open(path: String, code: Int32)
    /// The system refused to write to it.
    case write(path: String, code: Int32)
    /// The system found on closing it that not all was written.
    case close(path: String, code: Int32)
    /// The system could not say that the disk has what was written.
    case synchronise(path: String, code: Int32)
    /// The file could not be put aside.
    case finish(path: String, code: Int32)
    /// It is a device or a pipe, which cannot be put aside.
    case notRegular(path: String)
    /// The file is shorter than its output that is to be taken up.
    case resume(path: String, size: Int)

    /// One line: what, where, what to do.
    var description: String {
        switch self {
        case .open(let path, let code):
            "cannot open \"\(path)\" for writing: \(Self.text(code)); create its folder, make it writable, or set "
                + "\"path\" to another file"
        case .write(let path, let code):
            "cannot write to \"\(path)\": \(Self.text(code)); \(Self.advice(code)) or set \"path\" to another file"
        case .close(let path, let code):
            "closing \"\(path)\" failed: \(Self.text(code)); its last lines may be missing"
        case .synchronise(let path, let code):
            "the disk may not have all of \"\(path)\": \(Self.text(code)); look after the disk"
        case .finish(let path, let code):
            "cannot put \"\(path)\" aside: \(Self.text(code)); writing goes on in it, make its folder writable"
        case .notRegular(let path):
            "\"\(path)\" is no ordinary file and cannot be rotated; leave \"rotate_bytes\" and \"rotate_s\" out, or set "
                + "\"path\" to another file"
        case .resume(let path, let size):
            "\"\(path)\" no longer holds the \(size) bytes that were written to it; begin anew without the checkpoint"
        }
    }

    /// What helps where a write failed, besides another file.
    private static func advice(_ code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: "make room"
        case EPIPE: "have somebody read it"
        default: "look after what is there"
        }
    }

    /// The system's words for an error.
    static func text(_ code: Int32) -> String {
        if code == ELOOP { return "it is a symbolic link in a folder that others can write, or links in a circle" }
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe "\(String(cString: text)) (errno \(code))"
    }
}
