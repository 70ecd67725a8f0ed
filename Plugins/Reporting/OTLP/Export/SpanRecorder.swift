internal import EventModel
internal import Metrics
internal import PluginABI
internal import TextEncoding

/// The trace of one session: a span of the session, and below it those of what happened in it.
///
/// Of each kind one span is open at most, so that no session needs more memory than another. What names a span follows
/// from the run, the session and the number of the event that began it: the same live and in a replay.
struct SpanRecorder {
    /// A span that has not ended.
    private struct OpenSpan {
        let id: [UInt8]
        let start: Int64
        var attributes = SpanAttributes()
        var isIncomplete = false
        var seeks: Int64 = 0
    }

    /// How long a request can have taken, us: a day.
    private static let longestRequest: Int64 = 86_400_000_000

    private let ids: SessionIDs
    private let clock: SpanClock
    private let personal: Bool
    private var session: OpenSpan
    private var open: [SpanKind: OpenSpan] = [:]
    /// Takes each span that has ended.
    private let sink: (Message) -> Void

    /// Begins a trace; `isJoined` says that the session was under way already.
    init(
        _ ids: SessionIDs,
        at time: Int64,
        _ clock: SpanClock,
        isJoined: Bool,
        personal: Bool,
        _ sink: @escaping (Message) -> Void
    ) {
        (self.ids, self.clock, self.personal, self.sink) = (ids, clock, personal, sink)
        session = OpenSpan(id: ids.span, start: time, isIncomplete: isJoined)
    }

    /// Takes the next event of the session.
    mutating func follow(_ event: EventView) {
        switch event.type {
        case .videoLoad, .metadataChange, .sessionSnapshot:
            session.attributes.read(event, as: .session, personal: personal, withCustom: true)
        case .adBreakStart: begin(.adBreak, event)
        case .adBreakComplete:
            end(.ad, at: event.time, isIncomplete: true)
            end(.adBreak, at: event.time)
        case .adStart: begin(.ad, event)
        case .adComplete: end(.ad, at: event.time, outcome: "completed")
        case .adSkip: end(.ad, at: event.time, outcome: "skipped")
        case .adError where !event.state.has(TALLY_STATE_IN_AD): end(.ad, at: event.time, outcome: "failed")
        case .chapterStart: begin(.chapter, event)
        case .chapterComplete: end(.chapter, at: event.time, outcome: "completed")
        case .chapterSkip: end(.chapter, at: event.time, outcome: "skipped")
        case .bufferStart: begin(.stall, event)
        case .bufferComplete: end(.stall, at: event.time)
        case .seekStart:
            if open[.seek] == nil { begin(.seek, event) } else { continueSeek(event) }
            open[.seek]?.seeks += 1
        case .seekComplete: end(.seek, at: event.time)
        case .requestCompleted: addRequest(event, outcome: "completed")
        case .requestFailed: addRequest(event, outcome: "failed")
        case .requestCancelled: addRequest(event, outcome: "cancelled")
        default: break
        }
    }

    /// Ends what is open, and the session's span.
    mutating func end(at time: Int64, _ metrics: SessionMetrics?) {
        for kind in SpanKind.allCases.reversed() { end(kind, at: time, isIncomplete: true) }
        if let metrics { session.attributes.set(.endReason, metrics.endReason.description) }
        session.isIncomplete = session.isIncomplete || metrics == nil
        session.attributes.set(.session, ids.text)
        session.attributes.set(.number, Int64(ids.number))
        let isFailed = metrics.map { $0.isStartFailed || $0.isStarted && $0.failedAfter } ?? false
        write(session, .session, to: time, isFailed: isFailed)
    }

    // MARK: - Spans in it

    private mutating func begin(_ kind: SpanKind, _ event: EventView) {
        end(kind, at: event.time, isIncomplete: true)
        var span = OpenSpan(id: SessionIDs.span(event.ordinal), start: event.time)
        span.attributes.read(event, as: kind, personal: personal)
        open[kind] = span
    }

    private mutating func continueSeek(_ event: EventView) {
        let target = MediaAttribute.read(on: .seek).first { $0.attribute == "seek_to_ms" }
        if let target, let value = event.attributes[target.key] { open[.seek]?.attributes.set(target, value) }
    }

    private mutating func end(_ kind: SpanKind, at time: Int64, outcome: String = "", isIncomplete: Bool = false) {
        guard var span = open.removeValue(forKey: kind) else { return }
        span.isIncomplete = isIncomplete
        span.attributes.set(.outcome, outcome)
        if span.seeks > 0 { span.attributes.set(.seekCount, span.seeks) }
        write(span, kind, to: time, isFailed: outcome == "failed")
    }

    private func addRequest(_ event: EventView, outcome: String) {
        let milliseconds = event.attributes[.requestDurationMs]?.int ?? 0
        let length = min(max(milliseconds, 0), Self.longestRequest / 1000) * 1000
        var span = OpenSpan(id: SessionIDs.span(event.ordinal), start: event.time &- length)
        span.attributes.read(event, as: .request, personal: personal)
        span.attributes.set(.outcome, outcome)
        write(span, .request, to: event.time, isFailed: outcome == "failed")
    }

    private func write(_ span: OpenSpan, _ kind: SpanKind, to time: Int64, isFailed: Bool) {
        var attributes = span.attributes
        if span.isIncomplete { attributes.set(.incomplete, true) }
        let parent = kind == .session ? nil : kind == .ad ? open[.adBreak]?.id ?? ids.span : ids.span
        sink(
            Message(
                (SpanFields.trace, .id(ids.trace)),
                (SpanFields.span, .id(span.id)),
                parent.map { (SpanFields.parent, .id($0)) },
                (SpanFields.name, .text(kind.name)),
                // Of a client where another machine answers, and else of this one alone.
                (SpanFields.kind, .word(kind == .request ? 3 : 1)),
                (SpanFields.start, .fixed(clock.nanoseconds(span.start))),
                (SpanFields.end, .fixed(clock.nanoseconds(max(time, span.start)))),
                (SpanFields.attributes, .list(attributes.messages)),
                isFailed ? (SpanFields.status, .message(Message((StatusFields.code, .word(2))))) : nil
            )
        )
    }
}

/// What names a session's trace and its own span: the same live and in a replay.
struct SessionIDs {
    let number: UInt32
    /// `run/session`.
    let text: String
    /// The trace, 16 bytes.
    let trace: [UInt8]
    /// The session's own span, 8 bytes.
    let span: [UInt8]

    init(run: String, session number: UInt32) {
        self.number = number
        text = "\(run)/\(number)"
        var digest = SHA256()
        digest.update(text)
        trace = Array(digest.finalize().prefix(16))
        // No event has a number as large.
        span = Self.span(1 << 63 | UInt64(number))
    }

    /// The span that the event with a number begins.
    static func span(_ number: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
}

/// Times as the protocol has them.
struct SpanClock: Sendable {
    /// Wall clock at the run's time 0, us since 1970.
    let epoch: Int64

    /// A time of the run, in ns since 1970; a time before that is that.
    func nanoseconds(_ time: Int64) -> UInt64 {
        let microseconds = UInt64(max(0, epoch.addingReportingOverflow(time).partialValue))
        return min(microseconds, UInt64.max / 1000) * 1000
    }
}

/// A span's attributes, each once: what is said of it later holds.
struct SpanAttributes: Sendable {
    /// How many attributes of an application's own a span has.
    private static let mostCustom = 32

    private var names: [String] = []
    private var values: [String: Message] = [:]
    private var custom = 0

    /// The attributes in the order in which they came.
    var messages: [Message] { names.compactMap { values[$0] } }

    mutating func set(_ attribute: MediaAttribute, _ text: String) {
        guard !text.isEmpty else { return }
        keep(attribute.name, Attributes.message(text))
    }

    mutating func set(_ attribute: MediaAttribute, _ number: Int64) { keep(attribute.name, Attributes.message(number)) }

    mutating func set(_ attribute: MediaAttribute, _ truth: Bool) { keep(attribute.name, Attributes.message(truth)) }

    mutating func set(_ attribute: MediaAttribute, _ value: AttributeView) {
        keep(attribute.name, Attributes.message(value.value))
    }

    /// Takes what an event says of a span: what has a name in the registry and, on demand, the application's own.
    mutating func read(_ event: EventView, as kind: SpanKind, personal: Bool, withCustom: Bool = false) {
        for attribute in MediaAttribute.read(on: kind) {
            guard let value = event.attributes[attribute.key], personal || !value.isPersonal else { continue }
            set(attribute, value)
        }
        guard withCustom else { return }
        for attribute in event.attributes where attribute.isCustom && (personal || !attribute.isPersonal) {
            let name = MediaAttribute.custom(attribute.name.string)
            if values[name] == nil {
                guard custom < Self.mostCustom else { continue }
                custom += 1
            }
            keep(name, Attributes.message(attribute.value))
        }
    }

    private mutating func keep(_ name: String, _ value: Message) {
        if values.updateValue(Attributes.pair(name, value), forKey: name) == nil { names.append(name) }
    }
}
