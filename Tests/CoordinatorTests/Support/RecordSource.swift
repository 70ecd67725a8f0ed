import Coordinator
import EventModel
import PluginABI

/// Hands records to reporters as a run does.
@safe final class RecordSource {
    private let identity: OriginIdentity
    private let record = RecordBuilder()
    private(set) var sent: UInt64 = 0

    /// Each record has texts of so many bytes; without an instance it is the core that says them.
    init(bytes: Int = 16, instance: String = "mine") {
        identity = OriginIdentity(
            runID: "run",
            pluginID: instance.isEmpty ? "" : "org.tally.test",
            version: "1.0.0",
            instance: instance,
            epoch: 0
        )
        record.begin("text")
        for start in stride(from: 0, to: bytes, by: Limits.valueBytes) {
            let count = min(bytes - start, Limits.valueBytes)
            record.set(named: "text at \(start)", .string(String(repeating: "x", count: count)))
        }
    }

    /// Hands the next `count` records to all consumers.
    func send(_ count: Int, to consumers: any OutputConsumer...) {
        for _ in 0..<count {
            sent += 1
            let output = unsafe Output(
                what: TALLY_OUTPUT_RECORD,
                identity: identity,
                session: 1,
                ordinal: sent,
                time: Int64(sent),
                item: UnsafeRawPointer(record.raw)
            )
            for consumer in consumers where consumer.wanted & (1 << TALLY_OUTPUT_RECORD) != 0 {
                consumer.consume(output)
            }
        }
    }
}

extension OutputConsumer {
    /// Asks to deliver what was taken of a session, and gives the answers that come.
    func flushed(session: UInt32 = 0) -> Notes<FlushAnswer> {
        let answers = Notes<FlushAnswer>()
        flush(runID: "run", session: session, budget: 1_000) { answers.add($0) }
        return answers
    }
}
