internal import Archive
internal import Coordinator
internal import PluginABI

/// Writes a player run's events to its archive.
///
/// In debug builds it also proves that each line reads back the same.
final class ArchiveRecorder: RunRecorder {
    private let writer: ArchiveWriter

    private let checked: Bool

    /// With `checked`, debug builds read each line back.
    init(writer: ArchiveWriter, checked: Bool) {
        self.writer = writer
        self.checked = checked
    }

    func record(_ event: EventView, report: UnsafePointer<tally_state>) {
        #if DEBUG
        if checked { unsafe RoundTripCheck.check(event, report: report) }
        #endif
        unsafe writer.event(event, report: report)
    }

    func mark(at time: Int64) {
        writer.mark(at: time)
    }

    func end(at time: Int64, reason: RunEndReason, dropped: UInt64) {
        writer.end(at: time, reason: reason.rawValue, dropped: dropped)
    }

    func erase() {
        writer.erase()
    }
}
