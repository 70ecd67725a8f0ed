internal import Archive
internal import Coordinator
internal import EventModel
internal import PluginABI
internal import TextEncoding

/// Writes a run's archive lines into its worker's buffer, from where they go to the run's file.
final class OpenRunRecorder: RunRecorder {
    private var encoder: ArchiveLineEncoder
    private let buffer: ByteBuffer
    private let path: String
    private var header: ArchiveHeader?
    private var lines: OutputRouter?
    /// The session of the last event.
    private var session: UInt32 = 0
    /// Whether what is told now is in the file already.
    var isRestoring = false
    /// Why the run is ended that its player has not ended; nil when it has.
    var cause: String?
    /// Whether the file is deleted, and nothing follows in it.
    private(set) var isErased = false
    /// Events that were recorded.
    private(set) var events: UInt64 = 0

    /// Records a run in lines that go to the file at `path`.
    init(run: String, into buffer: ByteBuffer, path: String) {
        encoder = ArchiveLineEncoder(run: run, into: buffer)
        self.buffer = buffer
        self.path = path
    }

    /// Writes the header.
    func begin(_ header: ArchiveHeader) {
        encoder.header(header)
        self.header = header
    }

    /// Hands lines on from now on, the header first when the run begins here.
    func begin(_ lines: OutputRouter) {
        self.lines = lines
        guard let header else { return }
        var first = ArchiveLineEncoder(run: header.run)
        first.header(header)
        unsafe first.buffer.withBytes { unsafe lines.line($0, ordinal: 0, session: 0, at: 0) }
    }

    /// Hands on the line that is behind so many bytes.
    private func handOn(behind count: Int, at time: Int64) {
        guard let lines else { return }
        unsafe buffer.withBytes { bytes in
            let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[count...])
            unsafe lines.line(line, ordinal: encoder.nextOrdinal - 1, session: session, at: time)
        }
    }

    /// Goes on behind lines that the file has.
    func goOn(at ordinal: UInt64, events: UInt64) {
        encoder.go(to: ordinal)
        self.events = events
        isRestoring = false
    }

    func record(_ event: EventView, report: UnsafePointer<tally_state>) {
        guard !isRestoring, !isErased else { return }
        events += 1
        session = event.session
        let count = buffer.count
        unsafe encoder.event(event, report: report)
        handOn(behind: count, at: event.time)
    }

    func mark(at time: Int64) {
        guard !isRestoring, !isErased else { return }
        let count = buffer.count
        encoder.mark(at: time)
        handOn(behind: count, at: time)
    }

    func end(at time: Int64, reason: RunEndReason, dropped: UInt64) {
        guard !isRestoring, !isErased else { return }
        let count = buffer.count
        encoder.end(at: time, reason: reason.rawValue, dropped: dropped, cause: cause)
        handOn(behind: count, at: time)
    }

    func erase() { isErased = true }

    /// Whether the file has all lines: between two steps.
    func flush() -> Bool { buffer.count == 0 }

    /// The lines so far; those of the batch that is being handled are not among them.
    func history() -> (any RunHistory)? {
        isErased ? nil : (try? OpenRunFile.contents(of: path)).map { RecordedRun($0.lines) }
    }
}

/// A run's lines as they were when they were asked for.
private final class RecordedRun: RunHistory {
    private var lines: [UInt8]

    init(_ lines: [UInt8]) { self.lines = lines }

    func replay(into run: Coordinator) -> Int? {
        defer { lines = [] }
        return OpenRunFile.replay(lines, into: run)?.lines
    }
}
