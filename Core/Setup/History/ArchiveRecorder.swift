package import Archive
package import Coordinator
package import EventModel
package import PluginABI

/// Writes a player run's events to its archive, or to an unnamed file that only serves trackers which take another's
/// place.
///
/// In debug builds it also proves that each line reads back the same.
package final class ArchiveRecorder: RunRecorder {
    private let writer: ArchiveWriter

    /// Records with a writer.
    package init(writer: ArchiveWriter) { self.writer = writer }

    /// Keeps a run's lines in an unnamed file, `limit` bytes at most; beyond that there is no history.
    package convenience init(keeping limit: Int, of run: RunDescription) {
        self.init(keeping: limit, ArchiveHeader(run))
    }

    /// The same of a run with a header that others get to see.
    package convenience init(keeping limit: Int, _ header: ArchiveHeader) {
        self.init(writer: ArchiveWriter(file: ArchiveFile(limit: limit), header: header) { _ in })
    }

    package func begin(_ lines: OutputRouter) {
        guard lines.wantsLines else { return }
        unsafe writer.handOn { line, ordinal, session, time in
            unsafe lines.line(line, ordinal: ordinal, session: session, at: time)
        }
    }

    package func record(_ event: EventView, report: UnsafePointer<tally_state>) {
        #if DEBUG
        unsafe RoundTripCheck.check(event, report: report)
        #endif
        unsafe writer.event(event, report: report)
    }

    package func mark(at time: Int64) { writer.mark(at: time) }

    package func end(at time: Int64, reason: RunEndReason, dropped: UInt64) {
        writer.end(at: time, reason: reason.rawValue, dropped: dropped)
    }

    package func erase() { writer.erase() }

    package func history() -> (any RunHistory)? { writer.reading().map { RecordedLines($0) } }

    package func readable() -> (descriptor: Int32, bytes: Int)? { writer.readable() }

    package func flush() -> Bool { writer.flush() }
}

extension ArchiveHeader {
    /// The header of a run of this version.
    package init(_ run: RunDescription, trackers: [Tracker] = []) {
        self.init(
            run: run.id,
            semantics: Int64(run.semantics),
            core: TallyVersion.core,
            epoch: run.epoch,
            trackers: trackers
        )
    }
}

/// A run's lines, read again while more are written.
private final class RecordedLines: RunHistory {
    private let reader: ArchiveReader

    init(_ lines: ArchiveFileReading) { reader = ArchiveReader(lines) }

    func replay(into run: Coordinator) -> Int? {
        let before = reader.lineNumber
        var isWhole = true
        while isWhole, let line = try? reader.next(damaged: { _ in isWhole = false }) {
            switch line {
            case .header, .end: break
            case .event(let event): unsafe run.replay(UnsafeMutablePointer(mutating: event.raw))
            case .mark(let time):
                run.advance(before: time)
                run.reach(time)
            }
        }
        return isWhole ? reader.lineNumber - before : nil
    }
}
