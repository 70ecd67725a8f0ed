internal import Coordinator

/// Lets outputs through to a consumer once a replay has come to where an earlier process had left off. [core]
final class ResumedOutputs: OutputConsumer {
    /// Whether what comes is new; what an earlier process had put out is dropped.
    @safe @exclusivity(unchecked) var isOpen = false
    private let consumer: any OutputConsumer

    init(_ consumer: any OutputConsumer) {
        self.consumer = consumer
    }

    var wanted: UInt32 { consumer.wanted }

    func consume(_ output: borrowing Output) {
        if isOpen { consumer.consume(output) }
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        consumer.flush(runID: runID, session: session, budget: budget, done: done)
    }
}
