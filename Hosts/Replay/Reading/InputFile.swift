internal import Glibc
internal import HostSupport
internal import System

/// An open input: a file, a topic of Kafka, or standard input for the operand `-`; gzip and zstd are known by
/// their first bytes.
@safe final class InputFile {
    /// Why an input cannot be read.
    struct Failure: Error {
        /// What happened and where.
        let message: String
        /// The system's error number; 0 when it is not the system that refuses.
        let number: Int32
        /// Why, of what is no file; nil for one.
        var reason: String?
        /// How the program ends then.
        let exitCode: ExitCode

        /// The input is there and is not what it should be.
        static func badData(_ message: String) -> Failure {
            Failure(message: message, number: 0, exitCode: .badData)
        }
    }

    /// The name that messages use.
    let name: String
    private let descriptor: Int32
    /// What the bytes come from when that is a topic of Kafka.
    private let topic: TopicPipe?
    private let counting: (Int) -> Void
    private let decompression: (any Decompression)?
    /// Bytes that were read and not taken yet.
    private let pending: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    private var holdsMore = false
    /// What is read behind it, and the one of them that is read.
    private var parts: ArraySlice<ArchivePiece>
    private var part: InputFile?
    /// What was read of that before it was asked for.
    private var ahead: ArraySlice<UInt8> = []
    /// Whether what was read ends in the midst of a line.
    private var isWithinLine = false
    /// Told of each part that is begun, and how many lines lie before it.
    private let entering: (String, Int) -> Void
    private var lines = 0
    private let hasParts: Bool

    /// Whether it is an ordinary file, of which a read never waits for somebody.
    let isFile: Bool
    /// Whether its bytes are compressed.
    var isCompressed: Bool { decompression != nil }
    /// Whether they are compressed with gzip.
    var isGzip: Bool { decompression is GzipDecompression }

    /// Bytes of compressed input that are read at once.
    private static let readBytes = 128 * 1024

    /// Called before each read of a pipe or a terminal, which may last; false ends the input.
    private let waitForBytes: (Int32) -> Bool

    /// What is read of the plain bytes, in order; nil for all.
    private var stretches: ArraySlice<Range<Int>>?
    /// How many plain bytes were read or left out.
    private var position = 0

    /// Opens it; `counting` is told of each number of bytes that is read, before decompression.
    ///
    /// `stretches` says which plain bytes are read, rising; the others are left out. `parts` are files that are read
    /// behind it, as if they were one; `entering` is told of each, and how many lines lie before it.
    init(
        _ operand: String,
        parts: ArraySlice<ArchivePiece> = [],
        entering: @escaping (String, Int) -> Void = { _, _ in },
        stretches: [Range<Int>]? = nil,
        counting: @escaping (Int) -> Void = { _ in },
        waitForBytes: @escaping (Int32) -> Bool = { _ in true }
    ) throws(Failure) {
        let name = operand == "-" ? "standard input" : operand
        self.name = name
        self.stretches = stretches?[...]
        self.counting = counting
        self.parts = parts
        self.entering = entering
        hasParts = !parts.isEmpty
        topic = try Self.topic(operand)
        let descriptor =
            topic?.descriptor
            ?? (operand == "-" ? dup(STDIN_FILENO) : unsafe open(PathName.bytes(operand), O_RDONLY | O_CLOEXEC))
        let openProblem: Int32 = descriptor < 0 ? errno : 0
        self.descriptor = descriptor
        var status = stat()
        let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        self.isFile = isFile
        let waitForBytes = isFile ? { _ in true } : waitForBytes
        self.waitForBytes = waitForBytes
        let pending = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readBytes, alignment: 64)
        unsafe self.pending = pending
        // Four bytes tell what it is; a pipe may give them one by one.
        var count = 0
        var problem = openProblem
        while problem == 0, count < 4, waitForBytes(descriptor) {
            do throws(SystemFailure) {
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: pending[count..<4])
                let got = unsafe try FileDescriptor(descriptor).read(into: room)
                if got == 0 { break }
                count += got
            } catch {
                problem = error.number
            }
        }
        end = count
        counting(count)
        let first = unsafe Array(pending[..<count])
        switch first {
        case _ where ZstdDecompression.reads(first): decompression = ZstdDecompression()
        case _ where first.starts(with: [0x1F, 0x8B]): decompression = GzipDecompression()
        default: decompression = nil
        }
        guard problem == 0 else { throw Self.failure(name, problem) }
    }

    deinit {
        close(descriptor)
        unsafe pending.deallocate()
    }

    /// Reads some plain bytes; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        var got = unsafe copyAhead(into: buffer)
        if got == 0, let part { got = unsafe try part.read(into: buffer) }
        if got == 0, part == nil { got = unsafe try readStretch(into: buffer) }
        while got == 0, let piece = parts.popFirst() {
            let path = piece.path
            let next = try InputFile(
                path,
                stretches: piece.stretches,
                counting: counting,
                waitForBytes: waitForBytes
            )
            part = next
            let begin = try next.begin()
            // A line that was cut off in one part does not go on with the begin of another one.
            let isNew = isWithinLine && Self.beginsLine(begin)
            ahead = (isNew ? [UInt8(ascii: "\n")] : []) + begin
            entering(path, isNew ? lines + 1 : lines)
            got = unsafe copyAhead(into: buffer)
        }
        guard hasParts, got > 0 else { return got }
        isWithinLine = unsafe buffer[got - 1] != UInt8(ascii: "\n")
        lines += unsafe buffer[..<got].reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        return got
    }

    /// The first bytes, as many as tell the begin of a line from that of an object within one.
    private func begin() throws(Failure) -> ArraySlice<UInt8> {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 16)
        defer { unsafe bytes.deallocate() }
        var count = 0
        while count < bytes.count {
            let got = unsafe try read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
            if got == 0 { break }
            count += got
        }
        return unsafe ArraySlice(bytes[..<count])
    }

    /// Whether bytes begin a line: its members `run` and `n` come first.
    private static func beginsLine(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "{") else { return false }
        let name = bytes.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
        return ["\"run\"", "\"n\""].contains { name.starts(with: $0.utf8) }
    }

    /// Takes over what was read of a part to look at its begin.
    private func copyAhead(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(ahead.count, buffer.count)
        unsafe buffer.copyBytes(from: ahead.prefix(count))
        ahead.removeFirst(count)
        return count
    }

    private func readStretch(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard let stretches else { return unsafe try readNext(into: buffer) }
        guard let stretch = stretches.first else { return 0 }
        if position < stretch.lowerBound {
            try skip(stretch.lowerBound - position)
            position = stretch.lowerBound
        }
        let room = unsafe buffer[..<min(buffer.count, stretch.upperBound - position)]
        let got = unsafe try readNext(into: UnsafeMutableRawBufferPointer(rebasing: room))
        guard got > 0 else { throw .badData("\(name): it became shorter while it was read") }
        position += got
        guard position == stretch.upperBound else { return got }
        // What is cut within a line would be lost unseen.
        guard unsafe buffer[got - 1] == UInt8(ascii: "\n") else {
            let remedy = "its index or manifest is of another state of it: make that anew"
            throw .badData("\(name): byte \(position) is within a line: \(remedy)")
        }
        self.stretches?.removeFirst()
        return got
    }

    /// Leaves out plain bytes.
    private func skip(_ count: Int) throws(Failure) {
        if decompression == nil, isFile {
            // Some may have been read already.
            let ahead = end - start
            (start, end) = (0, 0)
            guard lseek(descriptor, count - ahead, SEEK_CUR) >= 0 else { throw Self.failure(name, errno) }
            return
        }
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.readBytes, alignment: 64)
        defer { unsafe scratch.deallocate() }
        var left = count
        while left > 0 {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: scratch[..<min(left, scratch.count)])
            let got = unsafe try readNext(into: room)
            if got == 0 { return }
            left -= got
        }
    }

    /// Reads some plain bytes from where it stands; 0 at the end.
    private func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard let decompression else {
            if start < end { return unsafe copyPending(into: buffer) }
            return unsafe try readBytes(into: buffer)
        }
        while true {
            // A full output may have left plain bytes behind in the decompressor.
            if start == end, decompression.isComplete || !holdsMore {
                start = 0
                end = unsafe try readBytes(into: pending)
                if end == 0, !decompression.isComplete { throw damaged("the compressed data is cut off") }
                if end == 0 { return 0 }
            }
            let rest = unsafe UnsafeRawBufferPointer(rebasing: pending[start..<end])
            guard let (taken, made) = unsafe decompression.step(rest, buffer) else {
                throw damaged("the compressed data is damaged")
            }
            let hadInput = start < end
            start += taken
            holdsMore = made == buffer.count
            if made > 0 { return made }
            if taken == 0, hadInput { throw damaged("the compressed data is damaged") }
        }
    }

    private func copyPending(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(end - start, buffer.count)
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: pending[start..<start + count]))
        start += count
        return count
    }

    private func readBytes(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard waitForBytes(descriptor) else { return 0 }
        let count: Int
        do throws(SystemFailure) {
            count = unsafe try FileDescriptor(descriptor).read(into: buffer)
        } catch {
            throw Self.failure(name, error.number)
        }
        if count == 0, let problem = topic?.problem, !problem.isEmpty {
            throw Self.failure(name, problem)
        }
        counting(count)
        return count
    }

    /// Opens what an operand names when that is a topic.
    private static func topic(_ operand: String) throws(Failure) -> TopicPipe? {
        guard TopicPipe.names(operand) else { return nil }
        do throws(TopicPipe.Failure) {
            return try TopicPipe(operand)
        } catch {
            throw failure(operand, error.reason)
        }
    }

    private func damaged(_ what: String) -> Failure {
        .badData("\(name): \(what)")
    }

    private static func failure(_ name: String, _ reason: String) -> Failure {
        Failure(message: "\(name): cannot read it: \(reason)", number: 0, reason: reason, exitCode: .noInput)
    }

    private static func failure(_ name: String, _ number: Int32) -> Failure {
        Failure(message: "\(name): cannot read it: \(SystemError.text(number))", number: number, exitCode: .noInput)
    }
}

/// A file that is read as an archive or a part of one.
struct ArchivePiece {
    let path: String
    /// Which of its plain bytes are read, whole lines, rising; nil for all.
    var stretches: [Range<Int>]?
}
