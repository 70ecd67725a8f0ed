internal import PluginKit

/// What is reported of a player run, made of its outputs one after another; what it keeps has a bound.
final class RunReports {
    /// Takes each body that is complete.
    typealias Sink = (ReportBatch) -> Void

    /// How many reports an event makes at most.
    private static let mostOfEvent: UInt64 = 16

    let name: String
    private let configuration: CMCDConfiguration
    private var session: SessionReports?
    private var batch: ReportBatch?
    /// The length of time that a body holds has this number, counted from the run's start.
    private var window: Int64 = 0

    init(_ origin: OriginView, _ configuration: CMCDConfiguration) {
        name = origin.playerRunID.string
        self.configuration = configuration
    }

    /// Takes an output, and hands on the bodies that it completes.
    func follow(_ output: OutputView, _ origin: OriginView, _ sink: Sink) {
        let now = origin.time / (configuration.batchInterval * 1000)
        if now > window {
            window = now
            close(sink)
        }
        switch output.kind {
        case .event: if let event = output.event { follow(event, origin, sink) }
        case .sessionEnd:
            close(sink)
            session = nil
        case .runEnd: close(sink)
        default: break
        }
    }

    /// Hands on what waits for more.
    func close(_ sink: Sink) {
        if let batch { sink(batch) }
        batch = nil
    }

    private func follow(_ event: EventView, _ origin: OriginView, _ sink: Sink) {
        guard event.session > 0 else { return }
        if session?.number != event.session {
            close(sink)
            session = SessionReports(
                run: name,
                number: event.session,
                epoch: origin.epochMicroseconds,
                configuration
            )
        }
        var number = event.ordinal &* Self.mostOfEvent
        session?.follow(event, content: origin.videoID.string) { report in
            if batch?.isFull == true { close(sink) }
            var open = batch ?? ReportBatch(session: event.session)
            open.add(report.text, number: number)
            batch = open
            number &+= 1
        }
    }
}
