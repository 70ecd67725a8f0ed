internal import Glibc

/// Memory that lies in a file, and that the system may write there and take away; it stays where it is.
@safe package final class SpilledMemory {
    package let bytes: UnsafeMutableRawBufferPointer
    private let file: SpillFile
    private let offset: Int

    fileprivate init(_ bytes: UnsafeMutableRawBufferPointer, _ file: SpillFile, offset: Int) {
        unsafe self.bytes = unsafe bytes
        self.file = file
        self.offset = offset
    }

    deinit {
        unsafe munmap(bytes.baseAddress, bytes.count)
        unsafe file.giveBack(offset, bytes.count)
    }

    /// Takes the pages away from the process; they come back from the file when they are used.
    package func rest() { unsafe madvise(bytes.baseAddress, bytes.count, MADV_DONTNEED) }
}

/// A file without a name for outputs that have to wait longer than memory lasts; it is gone with the process.
@safe package final class SpillFile: @unchecked Sendable {
    private struct State {
        var descriptor: Int32?
        var size = 0
        /// Places that nobody needs, by their size.
        var free: [Int: [Int]] = [:]
        var bytes = 0
        var failure: SystemFailure?
    }

    private let state = Lock(State())
    /// Where it lies.
    package let folder: String

    /// A file in `TMPDIR`, or `/tmp`; it is made when it is first needed.
    package init() { folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp" }

    deinit {
        if let descriptor = state.with({ $0.descriptor }) { close(descriptor) }
    }

    /// Bytes that were asked for so far.
    package var bytes: Int { state.with { $0.bytes } }

    /// Why memory could not be given the last time; nil when it always could.
    package var failure: SystemFailure? { state.with { $0.failure } }

    /// Memory of so many bytes; nil when the file cannot be made, or the disk is full.
    package func memory(_ count: Int) -> SpilledMemory? {
        let place = state.with { state -> (descriptor: Int32, offset: Int)? in
            let descriptor = state.descriptor ?? Self.makeUnnamed(in: folder)
            guard descriptor >= 0 else {
                state.failure = SystemFailure()
                return nil
            }
            state.descriptor = descriptor
            state.bytes += count
            if let offset = state.free[count]?.popLast() { return (descriptor, offset) }
            // Now, because a write into a page that the disk has no room for ends the process.
            let refusal = posix_fallocate(descriptor, state.size, count)
            guard refusal == 0 else {
                state.failure = SystemFailure(number: refusal)
                return nil
            }
            state.size += count
            return (descriptor, state.size - count)
        }
        guard let place else { return nil }
        let mapped = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, place.descriptor, place.offset)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
            let failure = SystemFailure()
            state.with { $0.failure = failure }
            giveBack(place.offset, count)
            return nil
        }
        return unsafe SpilledMemory(
            UnsafeMutableRawBufferPointer(start: mapped, count: count),
            self,
            offset: place.offset
        )
    }

    /// The descriptor of a new file that has no name any more; below 0 when none can be made.
    package static func makeUnnamed(in folder: String) -> Int32 {
        var path = Array("\(folder)/tally-spill-XXXXXX".utf8CString)
        return unsafe path.withUnsafeMutableBufferPointer { path in
            guard let start = path.baseAddress else { return -1 }
            let descriptor = unsafe mkstemp(start)
            if descriptor >= 0 {
                unsafe unlink(start)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            }
            return descriptor
        }
    }

    fileprivate func giveBack(_ offset: Int, _ count: Int) {
        state.with { $0.free[count, default: []].append(offset) }
    }
}
