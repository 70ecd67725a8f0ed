package import EventModel
package import PluginABI
internal import TextEncoding

/// Writes one player run to a file while it goes on.
///
/// Lines go to the file at once. Only samples that follow the last write by less than ``ArchiveFormat/writeInterval``
/// wait for what comes next, which a mark does after a second of silence. In one thread, the coordinator's.
package final class ArchiveWriter {
    private var encoder: ArchiveLineEncoder
    private let file: ArchiveFile
    private var lastWrite: Int64 = 0
    private var header: ArchiveHeader
    private var isErased = false
    private let onFailure: (ArchiveFile.Failure) -> Void

    /// Begins the archive with its header, which is written at once.
    ///
    /// `onFailure` is called once when the file can no longer be written; the run goes on without archive.
    package init(
        file: ArchiveFile,
        header: ArchiveHeader,
        onFailure: @escaping (ArchiveFile.Failure) -> Void
    ) {
        self.file = file
        self.header = header
        self.onFailure = onFailure
        encoder = ArchiveLineEncoder(run: header.run)
        encoder.header(header)
        write(at: 0)
    }

    /// Why writing stopped, nil as long as it goes on.
    package var failure: ArchiveFile.Failure? {
        file.failure
    }

    /// Adds an event with what the player reported with it.
    package func event(_ event: EventView, report: UnsafePointer<tally_state>) {
        guard !isErased else { return }
        unsafe encoder.event(event, report: report)
        if event.type != .playheadSample || event.time - lastWrite >= ArchiveFormat.writeInterval {
            write(at: event.time)
        }
    }

    /// Adds a mark.
    package func mark(at time: Int64) {
        guard !isErased else { return }
        encoder.mark(at: time)
        write(at: time)
    }

    /// Adds the run's end.
    package func end(at time: Int64, reason: String, dropped: UInt64) {
        guard !isErased else { return }
        encoder.end(at: time, reason: reason, dropped: dropped)
        write(at: time)
    }

    /// Deletes what was written; nothing is written from now on but that it was erased.
    package func erase() {
        guard !isErased else { return }
        isErased = true
        encoder.buffer.removeAll()
        file.empty()
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
