internal import EventModel
internal import KafkaClient
internal import PluginKit
internal import Spooling
internal import Threads

/// Sends without a spool: what waits is in librdkafka's queue, and gone with the program.
///
/// A thread hears what became of messages. When the queue is full the host keeps its outputs.
final class DirectDelivery {
    private struct Wait {
        let request: FlushRequest
        /// Messages up to this generation are waited for.
        let generation: Int
    }

    private struct State {
        var totals = DeliveryTotals()
        /// Messages under way, by generation: each flush begins another, so that it waits for no later ones.
        var underway: [Int: Int] = [:]
        var generation = 1
        var waits: [Wait] = []
        /// Since the answer before.
        var delivered: UInt64 = 0
        var dropped: UInt64 = 0
        /// Whether the host was told that nothing more fits.
        var isFull = false
        var isOver = false

        mutating func add(_ queued: Int, to generation: Int) {
            totals.counts["taken", default: 0] += Int64(queued)
            change(generation, by: queued)
        }

        mutating func count(_ number: Int, _ reason: DropReason) {
            totals.counts[reason.rawValue, default: 0] += Int64(number)
        }

        mutating func drop(_ number: Int, _ reason: DropReason) {
            count(number, reason)
            dropped += UInt64(number)
        }

        /// Counts what became of a message.
        mutating func end(_ report: KafkaProducer.Report) {
            change(report.tag, by: -1)
            guard let failure = report.failure else {
                totals.counts["delivered", default: 0] += 1
                delivered += 1
                return
            }
            drop(1, failure.isPurge ? .gone : failure.isExpiry ? .expired : .refused)
        }

        /// A report may come before the message is counted.
        private mutating func change(_ generation: Int, by number: Int) {
            let left = underway[generation, default: 0] + number
            underway[generation] = left == 0 ? nil : left
        }

        /// The answers that are due, each with what became of messages since the one before.
        mutating func answers() -> [(request: FlushRequest, delivered: UInt64, dropped: UInt64)] {
            let oldest = underway.keys.min() ?? .max
            let due = waits.filter { $0.generation < oldest }
            waits.removeAll { $0.generation < oldest }
            return due.map { wait in
                defer { (delivered, dropped) = (0, 0) }
                return (wait.request, delivered, dropped)
            }
        }
    }

    /// How often a host hears at the end that there is still something to do, ms.
    private static let signInterval: Int64 = 250

    private let host: ReporterHost
    private let options: SpoolOptions
    private let producer: KafkaProducer
    private let message: Message
    private let state = Guarded(State())
    private var thread: PluginThread?
    private var warned: Set<String> = []

    init(_ configuration: KafkaConfiguration, _ host: ReporterHost) throws(ReporterFault) {
        self.host = host
        options = configuration.spooling
        message = Message(configuration)
        let settings = try configuration.settings()
        do throws(KafkaFailure) {
            producer = try KafkaProducer(settings)
        } catch {
            throw ReporterFault("librdkafka makes no producer: \(error)")
        }
        thread = PluginThread { [state, producer, host] in
            var notices = ProducerNotices(host)
            while !state.with({ $0.isOver }) { Self.hear(producer.poll(milliseconds: 250), state, host, &notices) }
        }
        guard thread != nil else { throw ReporterFault("the system has no more threads; end some programs") }
    }

    /// Queues outputs and gives how many, from the first on.
    func deliver(_ outputs: OutputBatch) -> Int {
        // Only a flush begins another one, on this thread.
        let generation = state.with { $0.generation }
        var queued = 0
        defer { state.with { $0.add(queued, to: generation) } }
        for index in outputs.indices {
            let output = outputs[index]
            if output.lostCount > 0 { state.with { $0.count(Int(clamping: output.lostCount), .queueFull) } }
            let origin = output.origin
            guard message.read(output, origin) else { continue }
            switch produce(origin.playerRunID, generation) {
            case .queued: queued += 1
            case .full:
                state.with { $0.isFull = true }
                return index
            case .refused(let failure):
                if warned.insert(message.topic).inserted {
                    host.log(.warning, "a message for \(message.topic) cannot be sent: \(failure)")
                }
                state.with { $0.drop(1, .malformed) }
            case .broken: state.with { $0.drop(1, .refused) }
            }
        }
        return outputs.count
    }

    private func produce(_ run: UTF8Text, _ generation: Int) -> KafkaProducer.Outcome {
        unsafe message.withValue { value in
            unsafe message.headers.withBytes { headers in
                unsafe producer.produce(
                    generation,
                    topic: message.topic,
                    key: run.bytes,
                    value: value,
                    headers: UnsafeRawBufferPointer(headers)
                )
            }
        }
    }

    /// Answers when all that was queued until now is reported.
    func flush(_ request: FlushRequest) {
        let due = state.with { state in
            state.waits.append(Wait(request: request, generation: state.generation))
            state.generation += 1
            return state.answers()
        }
        Self.answer(due, host)
        producer.wake()
    }

    /// Sends for at most `drain_ms` more, gives up what is left then, and ends.
    func stop() {
        let end = SystemClock.monotonic() + options.drain
        while SystemClock.monotonic() < end, !isIdle(within: Self.signInterval) { host.ready() }
        if !isIdle(within: 0) {
            producer.purge()
            _ = isIdle(within: 10_000)
        }
        let gone = state.with { state in
            state.isOver = true
            return state.totals.counts[DropReason.gone.rawValue] ?? 0
        }
        producer.wake()
        thread?.join()
        thread = nil
        guard gone > 0 else { return }
        host.log(
            options.tolerated.contains(.gone) ? .warning : .error,
            "\(gone) messages were not sent and are gone with the program: set \"spool\" to a file that keeps them, or "
                + "\"drain_ms\" to a longer time"
        )
    }

    /// What became of messages, as ``SpooledDelivery`` tells it.
    func totals() -> JSONValue {
        state.with { state in
            state.totals.waiting = Int64(state.underway.values.reduce(0, +))
            return state.totals.json(tolerating: options.tolerated)
        }
    }

    /// Whether all is reported, for which it waits.
    private func isIdle(within milliseconds: Int64) -> Bool {
        state.wait(milliseconds: Int(milliseconds)) { $0.underway.isEmpty ? true : nil } == true
    }

    // MARK: - What became of them

    private static func hear(
        _ event: KafkaProducer.Event?,
        _ state: Guarded<State>,
        _ host: ReporterHost,
        _ notices: inout ProducerNotices
    ) {
        switch event {
        case nil: break
        case .notice(let text, let isError): notices.log(text, isError: isError, at: SystemClock.monotonic())
        case .fatal(let text): host.log(.error, "librdkafka: \(text); nothing more is sent: set \"spool\" to go on")
        case .reports(let reports):
            let (isReady, due) = state.with { state in
                for report in reports { state.end(report) }
                defer { state.isFull = false }
                return (state.isFull, state.answers())
            }
            if isReady { host.ready() }
            answer(due, host)
        }
    }

    private static func answer(
        _ due: [(request: FlushRequest, delivered: UInt64, dropped: UInt64)],
        _ host: ReporterHost
    ) {
        for answer in due { host.answer(answer.request, delivered: answer.delivered, kept: 0, dropped: answer.dropped) }
    }
}
