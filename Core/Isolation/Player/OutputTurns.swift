internal import Coordinator
internal import Glibc
internal import PluginABI
internal import System

/// What a run says and what trackers in other processes say, until it is all there and goes to the reporters in the
/// order in which one coordinator would have said it.
@safe final class OutputTurns: @unchecked Sendable {
    /// An output, or something that comes in its turn among them.
    struct Turn {
        /// What comes.
        enum Content {
            /// An output; the owner has its memory.
            case output(Output, identity: OriginIdentity, owner: AnyObject)
            /// A request to deliver what came before.
            case flush(Flush)
            /// Other consumers, from a time of the run on.
            case deliver([any OutputConsumer], from: Int64)
        }

        let moment: OutputMoment
        /// Its tracker's place among the run's; the core's own word has the first, what is no output the last.
        let place: Int
        /// The message of the run that it waits for all to be done with.
        let number: UInt64
        /// Whether a process said it of what was before it: then it may also belong to an earlier message.
        var isPast = false
        let content: Content
    }

    /// A request to deliver.
    struct Flush: @unchecked Sendable {
        let runID: String
        let session: UInt32
        /// How long it may take, ms, and when that is over, us of ``SystemTime/monotonic()``.
        let budget: Int64
        let deadline: Int64
        /// The message of the run that it waits for all to be done with.
        let number: UInt64
        let done: @Sendable (FlushAnswer) -> Void
    }

    private struct State {
        var turns: [Turn] = []
        var segment: OutputSegment?
    }

    /// What the run itself has said.
    private let state = Lock(State())
    /// Whom the run's thread speaks to.
    private var consumers: [any OutputConsumer]
    /// What the processes have said; the player's thread for them alone uses this and all below.
    private var turns: [Turn] = []
    private var flushes: [Flush] = []
    private let router: OutputRouter

    /// Hands outputs of a run to these consumers, each in its turn.
    init(consumers: [any OutputConsumer], run: RunDescription) {
        self.consumers = consumers
        router = OutputRouter(consumers: consumers, run: run)
    }

    // MARK: - The run's thread

    /// Whether anybody wants outputs of this kind.
    func isWanted(_ what: UInt32) -> Bool {
        for consumer in consumers where consumer.wanted & (1 << what) != 0 { return true }
        return false
    }

    /// Keeps a copy of what the run says.
    func hold(_ output: Output, at moment: OutputMoment, place: Int, number: UInt64) {
        state.with { state in
            let size = OutputCopy.size(of: output)
            if state.segment.map({ $0.capacity - $0.used < size }) ?? true {
                state.segment = OutputSegment(capacity: max(size, 64 * 1024))
            }
            guard let segment = state.segment, segment.append(output), let copy = unsafe segment.outputs.last ?? nil
            else { return }
            let held = unsafe Output(
                what: output.what,
                identity: output.identity,
                session: output.session,
                ordinal: output.ordinal,
                time: output.time,
                item: copy.pointee.item
            )
            let content = Turn.Content.output(held, identity: output.identity, owner: segment)
            state.turns.append(Turn(moment: moment, place: place, number: number, content: content))
        }
    }

    /// Keeps what is no output, behind all that the run has said.
    func add(_ content: Turn.Content, at moment: OutputMoment, number: UInt64) {
        if case .deliver(let consumers, _) = content { self.consumers = consumers }
        state.with { state in
            state.turns.append(Turn(moment: moment, place: .max, number: number, content: content))
        }
    }

    /// The message that the first of what the run has said waits for; nil when nothing of it waits.
    private var firstOfRun: UInt64? { state.with { $0.turns.first?.number } }

    // MARK: - The player's thread for processes

    /// Keeps what a process has said.
    ///
    /// What it was told before `first` it is told by no message.
    func add(
        _ output: Output,
        _ identity: OriginIdentity,
        _ owner: AnyObject,
        _ message: TrackerMessage,
        behind first: UInt64,
        place: Int
    ) {
        turns.append(
            Turn(
                moment: message.moment,
                place: place,
                number: max(message.number, first),
                isPast: message.number < first,
                content: .output(output, identity: identity, owner: owner)
            )
        )
    }

    /// The message that the first of all waits for; nil when nothing waits for its turn.
    var first: UInt64? {
        [firstOfRun, turns.lazy.map(\.number).min(), flushes.lazy.map(\.number).min()].compactMap(\.self).min()
    }

    /// Hands on all that waits for messages up to a number, in order; whether there was anything.
    @discardableResult
    func release(upTo number: UInt64) -> Bool {
        var due: [Turn] = state.with { state in
            let due = state.turns.filter { $0.number <= number }
            if due.isEmpty { return [] }
            state.turns.removeAll { $0.number <= number }
            // The memory goes with the last that lies in it.
            state.segment = nil
            return due
        }
        due += turns.filter { $0.number <= number }
        guard let reached = due.lazy.map(\.moment).max() else { return false }
        // A process that began behind a message has said by now what belongs before it.
        let past: (Turn) -> Bool = { $0.isPast && $0.number > number && $0.moment <= reached }
        due += turns.filter(past)
        turns.removeAll { $0.number <= number || past($0) }
        let order = due.indices.sorted { left, right in
            let (one, other) = (due[left], due[right])
            if one.moment != other.moment { return one.moment < other.moment }
            return one.place != other.place ? one.place < other.place : left < right
        }
        for index in order {
            switch due[index].content {
            case .output(let output, let identity, let owner):
                withExtendedLifetime((identity, owner)) { router.send(output) }
            case .flush(let flush): flushes.append(flush)
            case .deliver(let consumers, let time): router.replace(consumers, at: time)
            }
        }
        return true
    }

    /// Asks the consumers to deliver where all that was said before is there, up to a number, or time is over.
    func flush(upTo number: UInt64, at now: Int64) {
        let due = flushes.filter { $0.number <= number || $0.deadline <= now }
        flushes.removeAll { $0.number <= number || $0.deadline <= now }
        for flush in due {
            router.flush(runID: flush.runID, session: flush.session, budget: flush.budget, done: flush.done)
        }
    }
}
