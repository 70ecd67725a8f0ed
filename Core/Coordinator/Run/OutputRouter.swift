internal import EventModel
internal import PluginABI

/// Hands what a player run puts out to every consumer, in order. [core]
@safe final class OutputRouter {
    @safe @exclusivity(unchecked) private var consumers: [any OutputConsumer]
    private let core: OriginIdentity

    init(consumers: [any OutputConsumer], run: RunDescription) {
        self.consumers = consumers
        core = OriginIdentity(runID: run.id, epoch: run.epoch)
    }

    /// Hands everything to these consumers from now on; one that is new begins with the run's begin.
    func replace(_ next: [any OutputConsumer], at time: Int64) {
        let before = consumers
        consumers = next
        for consumer in next where consumer.wanted & (1 << TALLY_OUTPUT_RUN_BEGIN) != 0 {
            guard !before.contains(where: { $0 === consumer }) else { continue }
            unsafe consumer.consume(
                Output(what: TALLY_OUTPUT_RUN_BEGIN, identity: core, session: 0, ordinal: 0, time: time, item: nil)
            )
        }
    }

    /// An event as the trackers see it.
    func event(_ event: EventView) {
        guard isWanted(TALLY_OUTPUT_EVENT) else { return }
        unsafe send(
            Output(
                what: TALLY_OUTPUT_EVENT,
                identity: core,
                session: event.session,
                ordinal: event.ordinal,
                time: event.time,
                item: UnsafeRawPointer(event.raw)
            )
        )
    }

    /// The beginning or end of a session or of the run.
    func boundary(_ what: UInt32, session: UInt32, at time: Int64, event: EventView? = nil) {
        guard isWanted(what) else { return }
        let item = unsafe event.map { unsafe UnsafeRawPointer($0.raw) }
        unsafe send(Output(what: what, identity: core, session: session, ordinal: 0, time: time, item: item))
    }

    /// Whether anybody wants an output of this kind at the moment: a reporter may change its mind with its configuration.
    private func isWanted(_ what: UInt32) -> Bool {
        // Counting references at each event costs more than to ask.
        guard !consumers.isEmpty else { return false }
        for consumer in consumers where consumer.wanted & (1 << what) != 0 { return true }
        return false
    }

    /// A record or a beacon of a tracker.
    func send(_ output: Output) {
        for consumer in consumers where consumer.wanted & (1 << output.what) != 0 {
            consumer.consume(output)
        }
    }

    /// Asks all consumers to deliver what they took; calls `done` once, from any thread, when all have answered.
    func flush(
        runID: String,
        session: UInt32,
        budget: Int64,
        done: @escaping @Sendable (FlushAnswer) -> Void
    ) {
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
