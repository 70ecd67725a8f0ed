/// When something is said in a run.
///
/// What several coordinators say of the same events is, in this order and at one moment in that of the trackers, what
/// one coordinator says of them.
package struct OutputMoment: Comparable, Sendable {
    /// Steps of an event: the core's own word before the trackers, their sessions' begin, the event, their sessions'
    /// end, the core's word behind them; and timers behind the event.
    package static let (beginning, handling, ending, behindTrackers, timers): (UInt32, UInt32, UInt32, UInt32, UInt32) =
        (1, 2, 3, 4, 5)

    /// How many recorded events the run has had, with the present one; its end counts too.
    package var event: UInt64
    /// What of the event.
    package var step: UInt32
    /// The run's time, us.
    package var time: Int64

    /// A moment; before the first event unless given.
    package init(event: UInt64 = 0, step: UInt32 = 0, time: Int64 = 0) {
        self.event = event
        self.step = step
        self.time = time
    }

    package static func < (left: OutputMoment, right: OutputMoment) -> Bool {
        (left.event, left.step, left.time) < (right.event, right.step, right.time)
    }
}

/// Keeps what a run says until it is its turn among what others say of the run. [core]
package protocol OutputStage: AnyObject {
    /// Keeps an output of the run itself.
    func hold(_ output: Output, at moment: OutputMoment)

    /// Keeps a request to deliver what was said so far, behind all that; see ``OutputConsumer``.
    func flush(
        runID: String,
        session: UInt32,
        budget: Int64,
        at moment: OutputMoment,
        done: @escaping @Sendable (FlushAnswer) -> Void
    )

    /// Goes on with other consumers behind all that was said so far; those that are new begin at `time`.
    func deliver(to consumers: [any OutputConsumer], from time: Int64, at moment: OutputMoment)
}
