package import Coordinator

/// A consumer that gets what a policy lets through.
package final class FilteredConsumer<Consumer: OutputConsumer & Sendable>: OutputConsumer, Sendable {
    private let consumer: Consumer
    private let filter: DeliveryFilter

    /// Puts a filter before a consumer.
    package init(_ consumer: Consumer, _ filter: DeliveryFilter) {
        self.consumer = consumer
        self.filter = filter
    }

    package var wanted: UInt32 { consumer.wanted }

    package func consume(_ output: borrowing Output) {
        filter.pass(output) { consumer.consume($0) }
    }

    package func flush(
        runID: String,
        session: UInt32,
        budget: Int64,
        done: @escaping @Sendable (FlushAnswer) -> Void
    ) {
        consumer.flush(runID: runID, session: session, budget: budget, done: done)
    }
}
