internal import Archive
internal import Coordinator
internal import EventModel
internal import PluginABI
internal import Setup
internal import TextEncoding

/// Hands the lines of a run that is replayed on to who wants archive lines, with the numbers that they had.
///
/// Only what the archive says is a line: what the coordinator tells a recorder besides, as a mark where a timer said
/// something, is in the archive as a line of its own.
final class ReplayLines: RunRecorder {
    /// The kind of a line.
    enum Kind {
        case event, mark, end
    }

    private var encoder: ArchiveLineEncoder
    private let header: ArchiveHeader
    /// Keeps the lines, for a tracker that takes another's place.
    private let keeping: ArchiveRecorder?
    private var router: OutputRouter?
    /// The session of the last event.
    private var session: UInt32 = 0
    /// The line that is replayed now; nil between lines.
    private var line: (kind: Kind, ordinal: UInt64)?

    /// Hands on the lines of the run with this header.
    init(_ header: ArchiveHeader, keeping: ArchiveRecorder?) {
        self.header = header
        self.keeping = keeping
        encoder = ArchiveLineEncoder(run: header.run)
    }

    /// The next line of this kind that the coordinator tells of has this number in the archive.
    func expect(_ kind: Kind, _ ordinal: UInt64) { line = (kind, ordinal) }

    func begin(_ lines: OutputRouter) {
        router = lines
        encoder.header(header)
        handOn(0, at: 0)
    }

    func record(_ event: EventView, report: UnsafePointer<tally_state>) {
        unsafe keeping?.record(event, report: report)
        session = event.session
        pass(.event, at: event.time) { unsafe $0.event(event, report: report) }
    }

    func mark(at time: Int64) {
        keeping?.mark(at: time)
        pass(.mark, at: time) { $0.mark(at: time) }
    }

    func end(at time: Int64, reason: RunEndReason, dropped: UInt64) {
        keeping?.end(at: time, reason: reason, dropped: dropped)
        pass(.end, at: time) { $0.end(at: time, reason: reason.rawValue, dropped: dropped) }
    }

    func history() -> (any RunHistory)? { keeping?.history() }

    func readable() -> (descriptor: Int32, bytes: Int)? { keeping?.readable() }

    func flush() -> Bool { keeping?.flush() ?? false }

    private func pass(_ kind: Kind, at time: Int64, _ encode: (inout ArchiveLineEncoder) -> Void) {
        guard let line, line.kind == kind else { return }
        self.line = nil
        encoder.go(to: line.ordinal)
        encode(&encoder)
        handOn(line.ordinal, at: time)
    }

    private func handOn(_ ordinal: UInt64, at time: Int64) {
        unsafe encoder.buffer.withBytes { bytes in
            unsafe router?.line(bytes, ordinal: ordinal, session: session, at: time)
        }
        encoder.buffer.removeAll()
    }
}
