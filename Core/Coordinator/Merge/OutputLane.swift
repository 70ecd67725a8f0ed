/// The outputs of one of several coordinators on their way to the merge. [core]
///
/// A coordinator's thread alone uses it. What is put in lies in a piece of its own, without a lock, until that is full or
/// the coordinator has done what it was dealt.
@safe package final class OutputLane: OutputConsumer {
    /// Whose input the outputs are caused by; it is asked for its place at each output, and has to outlive the lane's use.
    @safe @exclusivity(unchecked) package unowned(unsafe) var input: (any InputPlace)?

    /// What the reporters wanted when the last piece was handed on: asking them at each output, from several threads,
    /// costs more than the output.
    @safe @exclusivity(unchecked) package private(set) var wanted: UInt32

    /// The merge that has the lane: counting references at each event costs more than to ask.
    private let merge: Unmanaged<OutputMerge>
    private let number: Int
    @safe @exclusivity(unchecked) private var segment: LaneSegment

    init(_ merge: OutputMerge, number: Int) {
        unsafe self.merge = unsafe Unmanaged.passUnretained(merge)
        self.number = number
        wanted = merge.wanted
        segment = LaneSegment()
    }

    package func consume(_ output: borrowing Output) {
        let position = input?.position ?? 0
        if segment.append(output, at: position) { return }
        if !segment.isEmpty {
            segment = take(segment, upTo: position)
        }
        if segment.append(output, at: position) { return }
        // Larger than an ordinary piece: it gets one of its own.
        let large = LaneSegment(capacity: OutputCopy.size(of: output))
        _ = large.append(output, at: position)
        _ = take(large, upTo: position)
    }

    /// All that is caused before this place was put in.
    package func publish(upTo position: UInt64) {
        wanted = unsafe merge._withUnsafeGuaranteedRef { $0.wanted }
        if segment.isEmpty {
            unsafe merge._withUnsafeGuaranteedRef { $0.pass(number, upTo: position) }
        } else {
            segment = take(segment, upTo: position)
        }
    }

    private func take(_ segment: LaneSegment, upTo position: UInt64) -> LaneSegment {
        unsafe merge._withUnsafeGuaranteedRef { $0.take(segment, from: number, upTo: position) }
    }

    /// Nothing comes any more.
    package func close() {
        publish(upTo: .max)
        input = nil
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
