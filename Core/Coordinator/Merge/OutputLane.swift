/// The outputs of one of several coordinators on their way to the merge. [core]
///
/// A coordinator's thread alone uses it. What is put in lies in a piece of its own, without a lock, until that is full or
/// the coordinator has done what it was dealt.
@safe package final class OutputLane: OutputConsumer {
    private unowned let merge: OutputMerge
    private let number: Int
    @safe @exclusivity(unchecked) private var position: UInt64 = 0
    @safe @exclusivity(unchecked) private var segment: LaneSegment

    init(_ merge: OutputMerge, number: Int) {
        self.merge = merge
        self.number = number
        segment = LaneSegment()
    }

    package var wanted: UInt32 { merge.wanted }

    /// From now on, outputs are caused by what stands at this place in the input; never less than before.
    package func go(to position: UInt64) {
        self.position = position
    }

    package func consume(_ output: borrowing Output) {
        if segment.append(output, at: position) { return }
        if !segment.isEmpty {
            segment = merge.take(segment, from: number, upTo: position)
        }
        if segment.append(output, at: position) { return }
        // Larger than an ordinary piece: it gets one of its own.
        let large = LaneSegment(capacity: OutputCopy.size(of: output))
        _ = large.append(output, at: position)
        _ = merge.take(large, from: number, upTo: position)
    }

    /// All that is caused before this place was put in.
    package func publish(upTo position: UInt64) {
        if segment.isEmpty {
            merge.pass(number, upTo: position)
        } else {
            segment = merge.take(segment, from: number, upTo: position)
        }
        self.position = position
    }

    /// Nothing comes any more.
    package func close() {
        publish(upTo: .max)
    }

    /// Nobody is asked: a replay asks its reporters at the end.
    package func flush(
        runID: String,
        session: UInt32,
        budget: Int64,
        done: @escaping @Sendable (FlushAnswer) -> Void
    ) {
        done(FlushAnswer())
    }
}
