package import Coordinator
internal import PluginABI
internal import Synchronization
internal import System
package import TextEncoding

/// Hands outputs to whoever wants to look on: in the form of the reporter that writes lines of JSON.
///
/// It works on the run's own thread, never waits, and costs one look at a number as long as nobody looks on. What a
/// subscriber cannot take is counted and told to it as soon as it can take something.
package final class OutputTap: OutputConsumer, Sendable {
    /// What rules of delivery call it, as if it were a reporter.
    package static let reporterName = "tap"

    /// Takes a line with its end; false when there is no room for it.
    package typealias Sink = @Sendable (_ line: [UInt8]) -> Bool

    /// What a subscription did.
    package struct Counts: Equatable, Sendable {
        /// Lines that were sent.
        package var sent: UInt64 = 0
        /// Lines for which the subscriber had no room.
        package var unsent: UInt64 = 0
        /// Lines that were more than the limit of a second.
        package var overLimit: UInt64 = 0

        /// The counts as a reply has them.
        package var json: JSONValue {
            ["sent": .int(Int64(sent)), "unsent": .int(Int64(unsent)), "over_limit": .int(Int64(overLimit))]
        }
    }

    struct Subscription {
        let filter: TapFilter
        let sink: Sink
        var counts = Counts()
        /// What was lost and not told yet.
        var untold = Counts()
        var second: Int64 = -1
        var inSecond = 0
    }

    package let wanted: UInt32 =
        1 << TALLY_OUTPUT_EVENT | 1 << TALLY_OUTPUT_RECORD | 1 << TALLY_OUTPUT_BEACON

    private let subscriptions = Lock<[Int: Subscription]>([:])
    private let count = Atomic<Int>(0)
    private let clock: @Sendable () -> Int64

    /// A tap that nobody looks at; `clock` gives us, and only goes forward.
    package init(clock: @escaping @Sendable () -> Int64 = { SystemTime.monotonic() }) {
        self.clock = clock
    }

    /// Begins to show outputs to a subscriber, in place of what it was shown before.
    package func subscribe(_ id: Int, _ filter: TapFilter, _ sink: @escaping Sink) {
        subscriptions.with { subscriptions in
            subscriptions[id] = Subscription(filter: filter, sink: sink)
            count.store(subscriptions.count, ordering: .relaxed)
        }
    }

    /// Shows a subscriber nothing more; nil when it was shown nothing.
    @discardableResult
    package func unsubscribe(_ id: Int) -> Counts? {
        subscriptions.with { subscriptions in
            let counts = subscriptions.removeValue(forKey: id)?.counts
            count.store(subscriptions.count, ordering: .relaxed)
            return counts
        }
    }

    /// What all that look on now were sent, and not sent.
    package var totals: Counts {
        subscriptions.with { subscriptions in
            subscriptions.values.reduce(into: Counts()) { sum, subscription in
                sum.sent += subscription.counts.sent
                sum.unsent += subscription.counts.unsent
                sum.overLimit += subscription.counts.overLimit
            }
        }
    }

    package func consume(_ output: Output) {
        guard count.load(ordering: .relaxed) > 0, let line = TapLine.read(output) else { return }
        let second = clock() / 1_000_000
        subscriptions.with { subscriptions in
            for id in subscriptions.keys { subscriptions[id]?.show(line, second) }
        }
    }

    package func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }
}

extension OutputTap.Subscription {
    fileprivate mutating func show(_ line: TapLine, _ second: Int64) {
        guard line.passes(filter) else { return }
        if second != self.second {
            self.second = second
            inSecond = 0
        }
        inSecond += 1
        if let limit = filter.limit, inSecond > limit {
            counts.overLimit += 1
            untold.overLimit += 1
            return
        }
        if untold != OutputTap.Counts(), sink(Self.lost(untold)) { untold = OutputTap.Counts() }
        if sink(line.bytes) {
            counts.sent += 1
        } else {
            counts.unsent += 1
            untold.unsent += 1
        }
    }

    private static func lost(_ counts: OutputTap.Counts) -> [UInt8] {
        let line: JSONValue = [
            "line": "tap_lost", "unsent": .int(Int64(counts.unsent)), "over_limit": .int(Int64(counts.overLimit)),
        ]
        return Array((line.canonicalText + "\n").utf8)
    }
}
