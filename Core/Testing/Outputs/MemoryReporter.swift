public import Coordinator
internal import EventModel
internal import PluginABI
internal import System
internal import TextEncoding

/// A reporter that keeps what it takes as text, in the coordinator's own thread: nothing is lost or put off.
@safe public final class MemoryReporter: OutputConsumer, @unchecked Sendable {
    package let wanted: UInt32 = .max & ~(1 << TALLY_OUTPUT_LINE)
    private let transcript = Lock(OutputTranscript())
    private let flushDelay: (@Sendable () -> Void)?

    /// Begins empty; `beforeAnswer` may delay the answer to a flush.
    package init(beforeAnswer: (@Sendable () -> Void)? = nil) { flushDelay = beforeAnswer }

    /// What it took so far.
    public var contents: OutputTranscript { transcript.with { $0 } }

    package func consume(_ output: Output) {
        let time = output.time
        let instance = output.instanceName
        let video = unsafe TranscriptText.text(output.origin.video_id)
        switch output.what {
        case TALLY_OUTPUT_RECORD:
            guard let record = unsafe output.item?.assumingMemoryBound(to: tally_record.self) else { return }
            let view = unsafe RecordView(record)
            let kind = view.kind.string
            let text = TranscriptText.record(view, output)
            let attributes = TranscriptText.attributes(of: view)
            let line = OutputTranscript.Line(
                time: time,
                instance: instance,
                kind: kind,
                video: video,
                text: text,
                attributes: attributes
            )
            transcript.with { $0.lines.append(line) }
        case TALLY_OUTPUT_BEACON:
            guard let beacon = unsafe output.item?.assumingMemoryBound(to: tally_beacon.self) else { return }
            let text = unsafe TranscriptText.beacon(beacon.pointee, output)
            let line = OutputTranscript.Line(
                time: time,
                instance: instance,
                kind: "beacon",
                video: video,
                text: text,
                attributes: [:]
            )
            transcript.with { $0.lines.append(line) }
        case TALLY_OUTPUT_EVENT:
            guard let event = unsafe output.item?.assumingMemoryBound(to: tally_event.self) else { return }
            let text = unsafe TranscriptText.event(EventView(event))
            transcript.with { $0.events.append(text) }
        default:
            let text = "\(time) boundary \(output.what) session \(output.session)"
            transcript.with { $0.events.append(text) }
        }
    }

    package func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        flushDelay?()
        done(FlushAnswer(delivered: 1))
    }
}
