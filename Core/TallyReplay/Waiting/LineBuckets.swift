internal import Archive
internal import Glibc
internal import System

/// Lines of one archive that wait in a file without a name, by bucket, each with its number.
@safe final class LineBuckets {
    /// How many buckets there are.
    static let count = 256
    /// Bytes of a bucket that are written at once.
    private static let written = 32 * 1024
    /// What stands before lines that follow each other in the archive: the first one's number, and their bytes.
    fileprivate static let headBytes = 16

    /// A part of the file: whole stretches of lines.
    struct Chunk {
        let offset: Int
        let count: Int
    }

    private struct Bucket {
        var waiting: [UInt8] = []
        var chunks: [Chunk] = []
        /// Where the last stretch begins in what waits, and the number that would go on in it.
        var last: (head: Int, next: Int)?
    }

    /// Bytes that lie in the file.
    private(set) var bytes = 0
    /// Why the file could not be made, written or read; nil when it could.
    private(set) var failure: SystemFailure?
    private let path: String
    private let descriptor: Int32
    private var buckets = Array(repeating: Bucket(), count: LineBuckets.count)
    private var latest = -1

    /// Buckets for lines of an archive, in a file in a folder.
    init(of path: String, in folder: String) {
        self.path = path
        descriptor = SpillFile.makeUnnamed(in: folder)
        if descriptor < 0 { failure = SystemFailure() }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Adds a line without its break.
    func append(_ line: UnsafeRawBufferPointer, number: Int, to index: Int) {
        // Lines of one run mostly follow each other: they need one head together.
        if latest == index, let last = buckets[index].last, last.next == number {
            unsafe append(line, in: &buckets[index], head: last.head, number: number)
        } else {
            let head = buckets[index].waiting.count
            buckets[index].waiting.append(contentsOf: Self.bytes(of: number) + Self.bytes(of: 0))
            unsafe append(line, in: &buckets[index], head: head, number: number)
        }
        latest = index
        if buckets[index].waiting.count >= Self.written { write(&buckets[index]) }
    }

    private func append(_ line: UnsafeRawBufferPointer, in bucket: inout Bucket, head: Int, number: Int) {
        unsafe bucket.waiting.append(contentsOf: line)
        bucket.waiting.append(0x0A)
        let count = bucket.waiting.count - head - Self.headBytes
        bucket.waiting.replaceSubrange(head + 8..<head + Self.headBytes, with: Self.bytes(of: count))
        bucket.last = (head, number + 1)
    }

    private static func bytes(of number: Int) -> [UInt8] { unsafe withUnsafeBytes(of: number) { unsafe Array($0) } }

    private func write(_ bucket: inout Bucket) {
        let count = bucket.waiting.count
        var done = 0
        while done < count, failure == nil {
            let wrote = unsafe bucket.waiting.withUnsafeBytes { waiting in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: waiting[done...])
                return unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(bytes + done))
            }
            if wrote > 0 { done += wrote } else if errno != EINTR { failure = SystemFailure() }
        }
        bucket.chunks.append(Chunk(offset: bytes, count: count))
        bytes += count
        bucket.waiting.removeAll(keepingCapacity: true)
        bucket.last = nil
    }

    /// Lends the lines of a bucket, to which nothing is added any more; nil when it has none.
    func lines(of index: Int) -> BucketLines? {
        if !buckets[index].waiting.isEmpty { write(&buckets[index]) }
        buckets[index].waiting = []
        guard !buckets[index].chunks.isEmpty else { return nil }
        return BucketLines(path, self, buckets[index].chunks)
    }

    /// Reads a chunk; false when that fails.
    fileprivate func read(_ chunk: Chunk, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        var done = 0
        while done < chunk.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done..<chunk.count])
            let got = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(chunk.offset + done))
            if got > 0 {
                done += got
            } else if got == 0 || errno != EINTR {
                failure = failure ?? (got == 0 ? SystemFailure(number: EIO) : SystemFailure())
                return false
            }
        }
        return true
    }
}

/// The lines of one bucket, in the order of the archive.
@safe final class BucketLines: LineFeed {
    let path: String
    private let buckets: LineBuckets
    private var chunks: ArraySlice<LineBuckets.Chunk>
    private var chunk: UnsafeMutableRawBufferPointer
    private var offset = 0
    private var count = 0

    fileprivate init(_ path: String, _ buckets: LineBuckets, _ chunks: [LineBuckets.Chunk]) {
        self.path = path
        self.buckets = buckets
        self.chunks = chunks[...]
        unsafe chunk = .allocate(byteCount: chunks.map(\.count).max() ?? 0, alignment: 16)
    }

    deinit { unsafe chunk.deallocate() }

    func next() -> LineStretch? {
        if offset == count {
            guard let next = chunks.popFirst(), unsafe buckets.read(next, into: chunk) else { return nil }
            offset = 0
            count = next.count
        }
        let first = unsafe chunk.loadUnaligned(fromByteOffset: offset, as: Int.self)
        let length = unsafe chunk.loadUnaligned(fromByteOffset: offset + 8, as: Int.self)
        let begin = offset + LineBuckets.headBytes
        offset = begin + length
        return unsafe LineStretch(
            UnsafeRawBufferPointer(rebasing: chunk[begin..<offset]),
            count: length,
            firstNumber: first
        )
    }
}
