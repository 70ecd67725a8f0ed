package import EventModel
package import PluginABI
internal import TextEncoding

/// Writes one player run to a file while it goes on.
///
/// Lines go to the file at once. Only samples that follow the last write by less than ``ArchiveFormat/writeInterval``
/// wait for what comes next, which a mark does after a second of silence. In one thread, the coordinator's.
@safe package final class ArchiveWriter {
    private var encoder: ArchiveLineEncoder
    private let file: ArchiveFile
    private var lastWrite: Int64 = 0
    private var header: ArchiveHeader
    private var isErased = false
    private let onFailure: (ArchiveFile.Failure) -> Void
    private var onLine: LineHandler?

    /// Gets each line with its break, its number, its session and its time; the bytes are lent for the call.
    package typealias LineHandler = (
        _ line: UnsafeRawBufferPointer, _ ordinal: UInt64, _ session: UInt32, _ time: Int64
    ) -> Void
    /// The session of the last event.
    private var session: UInt32 = 0

    /// Begins the archive with its header, which is written at once.
    ///
    /// `onFailure` is called once when the file can no longer be written; the run goes on without archive.
    package init(file: ArchiveFile, header: ArchiveHeader, onFailure: @escaping (ArchiveFile.Failure) -> Void) {
        self.file = file
        self.header = header
        self.onFailure = onFailure
        encoder = ArchiveLineEncoder(run: header.run)
        encoder.header(header)
        if !file.isUnnamed { write(at: 0) }
    }

    /// The bytes of a header's line, which is read up to ``ArchiveFormat/longestLine``.
    package static func bytes(of header: ArchiveHeader) -> Int {
        var encoder = ArchiveLineEncoder(run: header.run)
        encoder.header(header)
        return encoder.buffer.count
    }

    /// Hands on each line as it is written, the header first; also when the file can no longer be written.
    package func handOn(_ handler: @escaping LineHandler) {
        var first = ArchiveLineEncoder(run: header.run)
        first.header(header)
        unsafe first.buffer.withBytes { unsafe handler($0, 0, 0, 0) }
        unsafe onLine = unsafe handler
    }

    /// Hands on the line that is behind so many bytes.
    private func handOn(behind count: Int, at time: Int64) {
        guard let onLine = unsafe onLine else { return }
        unsafe encoder.buffer.withBytes { bytes in
            unsafe onLine(UnsafeRawBufferPointer(rebasing: bytes[count...]), encoder.nextOrdinal - 1, session, time)
        }
    }

    /// Whether a line is of use to nobody.
    private var isUnused: Bool { unsafe isErased || isLost && onLine == nil }

    /// Why writing stopped, nil as long as it goes on.
    package var failure: ArchiveFile.Failure? { file.failure }

    /// Adds an event with what the player reported with it.
    package func event(_ event: EventView, report: UnsafePointer<tally_state>) {
        guard !isUnused else { return }
        let count = encoder.buffer.count
        session = event.session
        unsafe encoder.event(event, report: report)
        handOn(behind: count, at: event.time)
        if file.isUnnamed {
            writeFull()
        } else if event.type != .playheadSample || event.time - lastWrite >= ArchiveFormat.writeInterval {
            write(at: event.time)
        }
    }

    /// Adds a mark.
    package func mark(at time: Int64) {
        guard !isUnused else { return }
        let count = encoder.buffer.count
        encoder.mark(at: time)
        handOn(behind: count, at: time)
        if file.isUnnamed { writeFull() } else { write(at: time) }
    }

    /// What was written, to be read again by this process; nil when it is not whole.
    package func reading() -> ArchiveFileReading? { flush() ? file.reading() : nil }

    /// A descriptor to read all that was added, in this process or a child; nil when it is not whole.
    package func readable() -> (descriptor: Int32, bytes: Int)? { flush() ? file.readable() : nil }

    /// Writes what waits.
    ///
    /// - Returns: whether all that was ever added is in the file.
    package func flush() -> Bool {
        guard !isErased, !isLost else { return false }
        write(at: lastWrite)
        return file.failure == nil
    }

    /// Whether an unnamed file has become too large: what is added counts for nobody.
    private var isLost: Bool { file.isUnnamed && file.failure != nil }

    /// Nobody reads an unnamed file after a crash: its lines go there when there are many.
    private func writeFull() {
        if encoder.buffer.count >= Self.manyBytes { write(at: lastWrite) }
    }

    private static let manyBytes = 64 * 1024

    /// Adds the run's end.
    package func end(at time: Int64, reason: String, dropped: UInt64) {
        guard !isErased else { return }
        let count = encoder.buffer.count
        encoder.end(at: time, reason: reason, dropped: dropped)
        handOn(behind: count, at: time)
        guard !file.isUnnamed else { return }
        write(at: time)
    }

    /// Deletes what was written; nothing is written from now on but that it was erased.
    package func erase() {
        guard !isErased else { return }
        isErased = true
        encoder.buffer.removeAll()
        file.empty()
        guard !file.isUnnamed else { return }
        header.trackers = []
        header.isErased = true
        encoder.go(to: 0)
        encoder.header(header)
        write(at: lastWrite)
    }

    private func write(at time: Int64) {
        lastWrite = time
        let failed = file.failure != nil
        unsafe encoder.buffer.withBytes { unsafe file.write($0) }
        encoder.buffer.removeAll()
        if let failure = file.failure, !failed {
            onFailure(failure)
        }
    }
}
