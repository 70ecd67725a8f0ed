internal import EventModel
internal import PluginABI
internal import System

/// Hands what a player run puts out to every consumer, in order. [core]
@safe package final class OutputRouter {
    private var owned: ConsumerList
    /// The same, for calls at each output.
    @safe @exclusivity(unchecked) private var list: Unmanaged<ConsumerList>
    private var core: OriginIdentity
    /// The asset of the open session, or of the last one.
    private(set) var video = SessionVideo(id: "")
    /// Who keeps outputs until it is their turn; nil where all are made here.
    private let stage: (any OutputStage)?
    /// When what comes is said.
    @safe @exclusivity(unchecked) var moment = OutputMoment()

    /// Hands outputs to these, each when it is its turn.
    package init(consumers: [any OutputConsumer], run: RunDescription, stage: (any OutputStage)? = nil) {
        self.stage = stage
        owned = ConsumerList(consumers)
        unsafe list = Unmanaged.passUnretained(owned)
        core = OriginIdentity(runID: run.id, epoch: run.epoch)
    }

    /// Hands everything to these consumers from now on; one that is new begins with the run's begin.
    package func replace(_ next: [any OutputConsumer], at time: Int64) {
        if let stage { return stage.deliver(to: next, from: time, at: moment) }
        let before = owned
        owned = ConsumerList(next)
        unsafe list = Unmanaged.passUnretained(owned)
        for consumer in next where consumer.wanted & (1 << TALLY_OUTPUT_RUN_BEGIN) != 0 {
            guard !before.consumers.contains(where: { $0 === consumer }) else { continue }
            unsafe consumer.consume(
                Output(what: TALLY_OUTPUT_RUN_BEGIN, identity: core, session: 0, ordinal: 0, time: time, item: nil)
            )
        }
    }

    /// Hands everything to a consumer that stands for the present ones.
    func divert(to consumer: any OutputConsumer) {
        owned = ConsumerList([consumer])
        unsafe list = Unmanaged.passUnretained(owned)
    }

    /// An event as the trackers see it.
    func event(_ event: EventView) {
        if event.type == .metadataChange, event.session != 0, let id = event.attributes[.videoID]?.string {
            showVideo(id.string)
        }
        unsafe send(
            TALLY_OUTPUT_EVENT,
            session: event.session,
            ordinal: event.ordinal,
            at: event.time,
            UnsafeRawPointer(event.raw)
        )
    }

    /// The beginning or end of a session or of the run.
    func boundary(_ what: UInt32, session: UInt32, at time: Int64, event: EventView? = nil) {
        if what == TALLY_OUTPUT_SESSION_BEGIN { showVideo(event?.attributes[.videoID]?.string?.string ?? "") }
        unsafe send(what, session: session, ordinal: 0, at: time, event.map { unsafe UnsafeRawPointer($0.raw) })
    }

    /// Whether anybody wants archive lines.
    package var wantsLines: Bool { owned.consumers.contains { $0.wanted & (1 << TALLY_OUTPUT_LINE) != 0 } }

    /// A line of the run's archive, with its break; lent for the call.
    package func line(_ line: UnsafeRawBufferPointer, ordinal: UInt64, session: UInt32, at time: Int64) {
        let characters = unsafe line.assumingMemoryBound(to: CChar.self)
        var text = unsafe tally_str(ptr: characters.baseAddress, len: characters.count)
        unsafe withUnsafePointer(to: &text) { text in
            unsafe send(TALLY_OUTPUT_LINE, session: session, ordinal: ordinal, at: time, UnsafeRawPointer(text))
        }
    }

    /// Outputs name this asset from now on.
    private func showVideo(_ id: String) {
        guard id != video.id else { return }
        video = SessionVideo(id: id)
        core = unsafe OriginIdentity(core.origin, videoID: id)
    }

    /// What the core itself says.
    private func send(_ what: UInt32, session: UInt32, ordinal: UInt64, at time: Int64, _ item: UnsafeRawPointer?) {
        unsafe send(Output(what: what, identity: core, session: session, ordinal: ordinal, time: time, item: item))
    }

    /// A record or a beacon of a tracker, or what the core says.
    package func send(_ output: Output) {
        if let stage { return stage.hold(output, at: moment) }
        unsafe list._withUnsafeGuaranteedRef { $0.consume(output) }
    }

    /// Asks all consumers to deliver what they took; calls `done` once, from any thread, when all have answered.
    package func flush(
        runID: String,
        session: UInt32,
        budget: Int64,
        done: @escaping @Sendable (FlushAnswer) -> Void
    ) {
        if let stage {
            return stage.flush(runID: runID, session: session, budget: budget, at: moment, done: done)
        }
        let consumers = owned.consumers
        guard !consumers.isEmpty else {
            done(FlushAnswer())
            return
        }
        let open = Lock((count: consumers.count, sum: FlushAnswer()))
        for consumer in consumers {
            consumer.flush(runID: runID, session: session, budget: budget) { answer in
                let sum = open.with { open -> FlushAnswer? in
                    open.count -= 1
                    open.sum = open.sum + answer
                    return open.count == 0 ? open.sum : nil
                }
                if let sum {
                    done(sum)
                }
            }
        }
    }
}

/// The id of a session's asset, by which who makes outputs sees that it is another one.
final class SessionVideo {
    let id: String

    init(id: String) { self.id = id }
}

/// The consumers of a run's outputs, in order.
///
/// To hand an output to them counts no references: several times for each event, that would cost more than the event.
@safe final class ConsumerList {
    /// The consumers.
    let consumers: [any OutputConsumer]
    private let owned: [Place]
    private let places: [Unmanaged<Place>]

    /// A consumer where it never changes, so that nobody has to keep it alive for a call.
    private final class Place {
        let consumer: any OutputConsumer

        init(_ consumer: any OutputConsumer) {
            self.consumer = consumer
        }
    }

    init(_ consumers: [any OutputConsumer]) {
        self.consumers = consumers
        owned = consumers.map { Place($0) }
        unsafe places = owned.map { unsafe Unmanaged.passUnretained($0) }
    }

    /// Hands an output to those that want its kind at the moment: a reporter may change its mind with its
    /// configuration.
    func consume(_ output: Output) {
        let kind: UInt32 = 1 << output.what
        for index in unsafe places.indices {
            unsafe places[index]._withUnsafeGuaranteedRef { place in
                if place.consumer.wanted & kind != 0 { place.consumer.consume(output) }
            }
        }
    }
}
