internal import CZlib
internal import Glibc
internal import System

/// The files of a journal.
///
/// A file's name is the number of its first entry. An entry is a frame: the count of its bytes, a checksum of all that
/// follows, its number, its bytes; numbers are little endian. What is cut off at the end of the last file was not safe
/// yet, and nobody was told that it was. One thread at a time uses it.
///
/// A file that is needed no more is written again as a new one: an entry then goes where the file has blocks already,
/// and is safe without the file system's own journal, which others may hold up for half a second. What the file holds
/// of before has lower numbers, and is cut off when it is written no more.
@safe struct JournalFolder {
    /// What an entry takes beside its bytes.
    static let frameBytes = 16
    private static let suffix = ".journal"
    private static let spareName = "/spare"
    /// The longest entry that is believed to be one.
    private static let longestEntry = 64 * 1024 * 1024

    /// The number of the next entry.
    private(set) var next: UInt64 = 1
    private let path: String
    /// The numbers of the first entries of files that are written no more.
    private var older: [UInt64] = []
    private var current: (first: UInt64, descriptor: Int32, bytes: Int)?
    private var hasSpare = false

    /// Makes the folder when it is not there, for its owner alone.
    init(_ path: String) throws(JournalFailure) {
        self.path = path
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw JournalFailure(path: path, number: errno, action: "create")
        }
    }

    // MARK: - After a crash

    /// Calls `body` with each entry that is safe.
    ///
    /// - Throws: when a file cannot be read, or one that is not the last is damaged.
    mutating func recover(_ body: (UInt64, UnsafeRawBufferPointer) -> Void) throws(JournalFailure) {
        guard let names = FileNames.names(in: path, endingWith: Self.suffix) else {
            throw JournalFailure(path: path, number: errno, action: "read")
        }
        let firsts = names.compactMap { UInt64($0.dropLast(Self.suffix.count)) }.sorted()
        for (place, first) in firsts.enumerated() {
            unsafe try recover(first, isLast: place == firsts.count - 1, body)
        }
        older = firsts
        unsafe unlink(path + Self.spareName)
    }

    private mutating func recover(
        _ first: UInt64,
        isLast: Bool,
        _ body: (UInt64, UnsafeRawBufferPointer) -> Void
    ) throws(JournalFailure) {
        let name = name(first)
        let descriptor = unsafe open(name, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw JournalFailure(path: name, number: errno, action: "read") }
        defer { close(descriptor) }
        var status = stat()
        unsafe fstat(descriptor, &status)
        let count = Int(status.st_size)
        next = max(next, first)
        guard count > 0 else { return }
        let memory = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let start = unsafe memory, unsafe start != MAP_FAILED else {
            throw JournalFailure(path: name, number: errno, action: "read")
        }
        defer { unsafe munmap(start, count) }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        var place = 0
        while place < count, let entry = unsafe entry(in: bytes, at: place) {
            unsafe body(next, entry)
            place += Self.frameBytes + entry.count
            next += 1
        }
        guard place < count else { return }
        guard isLast else { throw JournalFailure(path: name, number: 0, action: "read a damaged entry of") }
        // Otherwise it would lie in the midst, and be taken for damage.
        guard ftruncate(descriptor, off_t(place)) == 0, fsync(descriptor) == 0 else {
            throw JournalFailure(path: name, number: errno, action: "repair")
        }
    }

    private func entry(in bytes: UnsafeRawBufferPointer, at place: Int) -> UnsafeRawBufferPointer? {
        guard bytes.count - place >= Self.frameBytes else { return nil }
        let count = unsafe Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
        let sum = unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
        let ordinal = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
        guard count <= min(Self.longestEntry, bytes.count - place - Self.frameBytes), ordinal == next else {
            return nil
        }
        let checked = unsafe UnsafeRawBufferPointer(rebasing: bytes[(place + 8)..<(place + Self.frameBytes + count)])
        guard unsafe Self.checksum(checked) == sum else { return nil }
        return unsafe UnsafeRawBufferPointer(rebasing: checked[8...])
    }

    // MARK: - Writing

    /// Makes entries safe; all of them, or none.
    ///
    /// - Returns: the numbers of each list's entries, and the bytes that were written.
    mutating func write(
        _ lists: [[[UInt8]]],
        segmentBytes: Int
    ) throws(JournalFailure) -> (ranges: [Range<UInt64>], bytes: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lists.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count + Self.frameBytes } })
        var ranges: [Range<UInt64>] = []
        var ordinal = next
        for list in lists {
            let first = ordinal
            for entry in list {
                append(entry, ordinal, to: &bytes)
                ordinal += 1
            }
            ranges.append(first..<ordinal)
        }
        guard ordinal > next else { return (ranges, 0) }
        let file = try segment(segmentBytes)
        do throws(SystemFailure) {
            try FileDescriptor(file.descriptor).writeAll(bytes)
            guard fdatasync(file.descriptor) == 0 else { throw SystemFailure(number: errno) }
        } catch {
            // What the system may have lost is not written behind: another file goes on, at the same number.
            let number = error.number
            ftruncate(file.descriptor, off_t(file.bytes))
            fdatasync(file.descriptor)
            endSegment()
            throw JournalFailure(path: name(file.first), number: number, action: "write")
        }
        current?.bytes += bytes.count
        next = ordinal
        return (ranges, bytes.count)
    }

    private func append(_ entry: [UInt8], _ ordinal: UInt64, to bytes: inout [UInt8]) {
        let start = bytes.count
        for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: entry.count >> (8 * shift))) }
        bytes.append(contentsOf: [0, 0, 0, 0])
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: ordinal >> (8 * UInt64(shift)))) }
        bytes.append(contentsOf: entry)
        let sum = unsafe bytes.withUnsafeBytes {
            unsafe Self.checksum(UnsafeRawBufferPointer(rebasing: $0[(start + 8)...]))
        }
        for shift in 0..<4 { bytes[start + 4 + shift] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(shift))) }
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
        return unsafe UInt32(truncatingIfNeeded: crc32_z(0, start, bytes.count))
    }

    /// The file that is written; another one once it is long enough.
    private mutating func segment(_ limit: Int) throws(JournalFailure) -> (first: UInt64, descriptor: Int32, bytes: Int)
    {
        if let current {
            if current.bytes < limit { return current }
            endSegment()
        }
        let name = name(next)
        // One of the same number has no entry that is safe.
        let isSpare = unsafe hasSpare && rename(path + Self.spareName, name) == 0
        hasSpare = false
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (isSpare ? 0 : O_TRUNC)
        let descriptor = unsafe open(name, flags, 0o600)
        guard descriptor >= 0 else { throw JournalFailure(path: name, number: errno, action: "write") }
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        fsync(folder)
        close(folder)
        older.removeAll { $0 == next }
        let made = (first: next, descriptor: descriptor, bytes: 0)
        current = made
        return made
    }

    /// Writes no more to the file that is written; the next entry begins another one.
    mutating func endSegment() {
        guard let ended = current else { return }
        // A file that another one follows holds nothing of before.
        ftruncate(ended.descriptor, off_t(ended.bytes))
        fdatasync(ended.descriptor)
        close(ended.descriptor)
        older.append(ended.first)
        current = nil
    }

    /// Overwrites entries that are to be deleted; their numbers stay, and they are empty.
    ///
    /// Before anything is appended.
    mutating func erase(_ concerns: (UnsafeRawBufferPointer) -> Bool) throws(JournalFailure) -> Int {
        var erased = 0
        for first in older {
            let name = name(first)
            var bytes: [UInt8]
            do throws(SystemFailure) {
                bytes = try Self.read(name)
            } catch {
                throw JournalFailure(path: name, number: error.number, action: "read")
            }
            var result: [UInt8] = []
            var place = 0
            var ordinal = first
            var changed = 0
            while place + Self.frameBytes <= bytes.count {
                let count = (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
                let end = min(bytes.count, place + Self.frameBytes + count)
                let entry = Array(bytes[(place + Self.frameBytes)..<end])
                let isConcerned = unsafe entry.withUnsafeBytes { unsafe concerns($0) }
                changed += isConcerned ? 1 : 0
                append(isConcerned ? [] : entry, ordinal, to: &result)
                ordinal += 1
                place = end
            }
            guard changed > 0 else { continue }
            erased += changed
            try replace(name, with: result)
        }
        return erased
    }

    private func replace(_ name: String, with bytes: [UInt8]) throws(JournalFailure) {
        let next = name + ".new"
        let descriptor = unsafe open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw JournalFailure(path: next, number: errno, action: "write") }
        defer { close(descriptor) }
        do throws(SystemFailure) {
            try FileDescriptor(descriptor).writeAll(bytes)
            guard fsync(descriptor) == 0, unsafe rename(next, name) == 0 else { throw SystemFailure() }
        } catch {
            throw JournalFailure(path: name, number: error.number, action: "erase in")
        }
    }

    private static func read(_ name: String) throws(SystemFailure) -> [UInt8] {
        let descriptor = unsafe open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw SystemFailure() }
        defer { close(descriptor) }
        var status = stat()
        unsafe fstat(descriptor, &status)
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard unsafe pread(descriptor, &bytes, bytes.count, 0) == bytes.count else { throw SystemFailure() }
        return bytes
    }

    /// Forgets files with nothing but entries before this one, and keeps one of them for new entries.
    ///
    /// - Returns: the paths of the others: to delete one takes long, and no entry is to wait for it.
    mutating func forget(before ordinal: UInt64) -> [String] {
        older.sort()
        var paths: [String] = []
        while let first = older.first {
            // A file reaches to the begin of the next one.
            let end = older.dropFirst().first ?? current?.first ?? next
            guard end <= ordinal else { break }
            older.removeFirst()
            if !hasSpare, unsafe rename(name(first), path + Self.spareName) == 0 {
                hasSpare = true
            } else {
                paths.append(name(first))
            }
        }
        return paths
    }

    /// Where a file lies that is to be written next, when one is wanted: much comes, and there is none.
    var wantedSpare: String? {
        guard !hasSpare, let current, current.bytes >= Self.manyBytes else { return nil }
        return path + Self.spareName
    }

    /// From how many bytes of a file on the next one has its blocks beforehand.
    private static let manyBytes = 4 * 1024 * 1024

    /// Makes a file with all its blocks, a little at a time, so that entries do not wait for the disk behind it.
    ///
    /// - Returns: whether it is there.
    static func makeSpare(_ path: String, bytes: Int) -> Bool {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let zeros = [UInt8](repeating: 0, count: 1024 * 1024)
        for _ in 0..<(bytes / zeros.count) {
            do throws(SystemFailure) {
                try FileDescriptor(descriptor).writeAll(zeros)
                guard fdatasync(descriptor) == 0 else { throw SystemFailure(number: errno) }
            } catch {
                unsafe unlink(path)
                return false
            }
        }
        return true
    }

    /// Whether something can be written here: a file beside the journal, which is removed again.
    func canWrite() -> Bool {
        let name = path + "/probe"
        defer { unsafe unlink(name) }
        return Self.makeSpare(name, bytes: 1024 * 1024)
    }

    /// Has the file that was made written next.
    mutating func useSpare() { hasSpare = true }

    private func name(_ first: UInt64) -> String {
        let digits = String(first)
        return "\(path)/\(String(repeating: "0", count: max(0, 20 - digits.count)))\(digits)\(Self.suffix)"
    }
}

/// Why entries cannot be made safe.
package struct JournalFailure: Error, Equatable, CustomStringConvertible {
    /// The file or folder.
    package let path: String
    /// The system's error number; 0 when what is there is damaged.
    package let number: Int32
    /// What could not be done.
    package let action: String

    package var description: String {
        let reason = number == 0 ? "" : ": \(SystemError.text(number))"
        return "\(path): cannot \(action) the journal\(reason)"
    }
}
