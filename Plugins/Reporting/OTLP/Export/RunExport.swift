internal import EventModel
internal import Metrics
internal import PluginKit
internal import Spooling

/// What of a player run goes out, made of its outputs one after another; what it keeps has a bound.
///
/// Everything follows from the outputs: a replay of the run's archive makes the same bytes.
final class RunExport {
    /// Takes each request that is complete.
    typealias Sink = (_ batch: Batch, _ stream: String, _ resource: Message) -> Void

    /// Streams that no instance is called by.
    private static let spans = ":spans"
    private static let metrics = ":metrics"
    private static let events = ":events"
    /// How many trackers may have a request that waits for more.
    private static let mostStreams = 64

    let name: String
    private let configuration: OTLPConfiguration
    private let clock: SpanClock
    private let resource: Message
    private let measurement: RunMeasurement
    private var metricExport: MetricExport
    private var recorder: SpanRecorder?
    private var number: UInt32 = 0
    /// Those of the session that a log was of last.
    private var ids: SessionIDs?
    private var batches: [String: Batch] = [:]
    /// The length of time that a request holds has this number, counted from the run's start.
    private var window: Int64 = 0
    /// Spans that ended and were not put into a batch.
    private let ended = EndedSpans()
    private var lastEvent: UInt64 = 0

    init(_ origin: OriginView, _ configuration: OTLPConfiguration) {
        name = origin.playerRunID.string
        self.configuration = configuration
        clock = SpanClock(epoch: origin.epochMicroseconds)
        resource = Message(
            (
                ResourceFields.attributes,
                .list(
                    [
                        Attributes.pair("service.name", configuration.serviceName),
                        Attributes.pair("service.instance.id", name),
                    ] + configuration.resource.map { Attributes.pair($0.name, $0.value) }
                )
            )
        )
        metricExport = MetricExport(dimensions: configuration.metricAttributes)
        measurement = RunMeasurement(
            run: ExactText(name),
            epoch: origin.epochMicroseconds,
            grouping: configuration.metricAttributes
        )
    }

    /// The form of all that is made of the run.
    var encoding: Encoding { configuration.encoding }

    private func wants(_ signal: Signal) -> Bool { configuration.signals.contains(signal) }

    /// Takes an output, and hands on the requests that it completes.
    func follow(_ output: OutputView, _ origin: OriginView, _ sink: Sink) {
        closeOld(at: origin.time, sink)
        switch output.kind {
        case .event: if let event = output.event { follow(event, origin, sink) }
        case .record: if let record = output.record { add(record, origin, sink) }
        case .sessionBegin: begin(origin, isJoined: false, sink)
        case .sessionEnd: end(origin, sink)
        case .runEnd: close(sink)
        default: break
        }
    }

    /// Hands on all that waits for more.
    func close(_ sink: Sink) {
        for stream in batches.keys.sorted() { close(stream, sink) }
    }

    // MARK: - Sessions

    private func ids(of session: UInt32) -> SessionIDs {
        if let ids, ids.number == session { return ids }
        let made = SessionIDs(run: name, session: session)
        ids = made
        return made
    }

    private func begin(_ origin: OriginView, isJoined: Bool, _ sink: Sink) {
        number = origin.session
        if !isJoined { measurement.begin(session: origin.session, at: origin.time) }
        guard wants(.traces) else { return }
        recorder = SpanRecorder(
            ids(of: origin.session),
            at: origin.time,
            clock,
            isJoined: isJoined,
            personal: configuration.personal,
            ended.add
        )
    }

    private func follow(_ event: EventView, _ origin: OriginView, _ sink: Sink) {
        lastEvent = event.ordinal
        if event.session > number { begin(origin, isJoined: true, sink) }
        measurement.follow(event)
        if event.session == number, event.session > 0 {
            recorder?.follow(event)
            addSpans(behind: event.ordinal << 4, sink)
        }
        if configuration.events, wants(.logs), event.type != .playheadSample { add(event, origin, sink) }
    }

    private func end(_ origin: OriginView, _ sink: Sink) {
        let metrics = measurement.end(session: origin.session, at: origin.time)
        if origin.session == number, var recorder {
            recorder.end(at: origin.time, metrics)
            // Behind those of the last event.
            addSpans(behind: lastEvent << 4 &+ 8, sink)
            self.recorder = nil
        }
        if let metrics, wants(.metrics) {
            var batch = Batch(.metrics, scope: Self.ownScope, session: origin.session)
            for message in metricExport.messages(of: metrics, clock) {
                batch.add(configuration.encoding.bytes(of: message), number: UInt64(origin.session))
            }
            sink(batch, Self.metrics, resource)
        }
        close(sink)
    }

    // MARK: - Requests

    private static let ownScope = Message(
        (ScopeFields.name, .text(OTLPReporter.descriptor.id)),
        (ScopeFields.version, .text(OTLPReporter.descriptor.version))
    )

    /// Closes what was begun in an earlier window.
    private func closeOld(at time: Int64, _ sink: Sink) {
        let now = time / (configuration.interval * 1000)
        guard now > window else { return }
        window = now
        close(sink)
    }

    private func close(_ stream: String, _ sink: Sink) {
        if let batch = batches.removeValue(forKey: stream), !batch.elements.isEmpty { sink(batch, stream, resource) }
    }

    private func add(
        _ element: [UInt8],
        number: UInt64,
        session: UInt32,
        to stream: String,
        _ sink: Sink,
        _ empty: () -> Batch
    ) {
        if let batch = batches[stream], batch.session != session || batch.isFull { close(stream, sink) }
        if batches[stream] == nil {
            if batches.count >= Self.mostStreams { close(sink) }
            batches[stream] = empty()
        }
        batches[stream]?.add(element, number: number)
    }

    /// Adds the spans that ended, numbered from here on: an event ends no more than eight.
    private func addSpans(behind number: UInt64, _ sink: Sink) {
        for (place, span) in ended.removeAll().enumerated() {
            add(
                configuration.encoding.bytes(of: span),
                number: number &+ UInt64(place),
                session: self.number,
                to: Self.spans,
                sink
            ) { Batch(.traces, scope: Self.ownScope, session: self.number) }
        }
    }

    // MARK: - Logs

    private func add(_ record: RecordView, _ origin: OriginView, _ sink: Sink) {
        guard wants(.logs) else { return }
        let instance = origin.instance.string
        let kind = record.kind.string
        let message = log(
            origin,
            named: "media.record",
            body: record.attributes,
            [
                Attributes.pair(MediaAttribute.recordID.name, "\(name)/\(instance)/\(origin.ordinal)"),
                Attributes.pair(MediaAttribute.recordKind.name, kind),
                Attributes.pair(MediaAttribute.instance.name, instance),
            ]
        )
        add(
            configuration.encoding.bytes(of: message),
            number: origin.ordinal,
            session: origin.session,
            to: instance,
            sink
        ) {
            let scope = Message(
                (ScopeFields.name, .text(origin.plugin.string)),
                (ScopeFields.version, .text(origin.pluginVersion.string))
            )
            return Batch(.logs, scope: scope, session: origin.session)
        }
    }

    private func add(_ event: EventView, _ origin: OriginView, _ sink: Sink) {
        let message = log(
            origin,
            named: "media.\(event.typeName.string)",
            body: event.attributes,
            [Attributes.pair(MediaAttribute.eventNumber.name, Attributes.message(Int64(clamping: event.ordinal)))]
        )
        add(
            configuration.encoding.bytes(of: message),
            number: event.ordinal,
            session: event.session,
            to: Self.events,
            sink
        ) { Batch(.logs, scope: Self.ownScope, session: event.session) }
    }

    private func log(
        _ origin: OriginView,
        named event: String,
        body: AttributeList,
        _ own: [Message]
    ) -> Message {
        var attributes = own
        var message = Message()
        let time = clock.nanoseconds(origin.time)
        message.add(LogRecordFields.time, .fixed(time))
        message.add(LogRecordFields.observed, .fixed(time))
        message.add(LogRecordFields.severity, .word(9))
        message.add(LogRecordFields.severityText, .text("INFO"))
        message.add(LogRecordFields.eventName, .text(event))
        message.add(LogRecordFields.body, .message(Attributes.members(body, personal: configuration.personal)))
        if origin.session > 0 {
            let ids = ids(of: origin.session)
            attributes.append(Attributes.pair(MediaAttribute.session.name, ids.text))
            message.add(LogRecordFields.trace, .id(ids.trace))
            message.add(LogRecordFields.span, .id(ids.span))
        }
        message.add(LogRecordFields.attributes, .list(attributes))
        return message
    }
}

/// Spans that ended since the last look.
private final class EndedSpans {
    private var spans: [Message] = []

    func add(_ span: Message) { spans.append(span) }

    func removeAll() -> [Message] {
        defer { spans = [] }
        return spans
    }
}
