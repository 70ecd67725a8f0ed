package import Coordinator

/// The outputs of one of several coordinators on their way to the merge. [core]
///
/// A coordinator's thread alone uses it. What is put in lies in a piece of its own, without a lock, until that is full
/// or the coordinator has done what it was dealt.
@safe package final class OutputLane: OutputConsumer {
    /// Where an input stands: asked at each output, without references that would have to be counted.
    package typealias PlaceInInput = @convention(c) (UnsafeRawPointer) -> UInt64

    /// Whose input the outputs are caused by, and the function that tells its place.
    @safe @exclusivity(unchecked) private var input: (reader: UnsafeRawPointer, place: PlaceInInput)?

    /// What the reporters wanted when the last piece was handed on: asking them at each output, from several threads,
    /// costs more than the output.
    @safe @exclusivity(unchecked) package private(set) var wanted: UInt32

    /// The merge that has the lane: counting references at each event costs more than to ask.
    private let merge: Unmanaged<OutputMerge>
    private let number: Int
    @safe @exclusivity(unchecked) private var segment: LaneSegment
    /// The same, for each output.
    @safe @exclusivity(unchecked) private var borrowed: Unmanaged<LaneSegment>

    init(_ merge: OutputMerge, number: Int) {
        unsafe self.merge = unsafe Unmanaged.passUnretained(merge)
        self.number = number
        wanted = merge.wanted
        segment = LaneSegment()
        unsafe borrowed = Unmanaged.passUnretained(segment)
    }

    /// Says whose input the outputs are caused by, which has to live until the lane is closed, and how it tells its
    /// place: never less than before.
    package func begin(_ reader: UnsafeRawPointer, place: @escaping PlaceInInput) { unsafe input = (reader, place) }

    package func consume(_ output: Output) {
        consume(output, at: unsafe input.map { unsafe $0.place($0.reader) } ?? 0)
    }

    /// Takes an output that was caused at a place, which no earlier one is behind.
    package func consume(_ output: Output, at position: UInt64) {
        // A counted reference right behind the copy would wait until all of that has reached memory.
        if unsafe borrowed._withUnsafeGuaranteedRef({ $0.append(output, at: position) }) { return }
        if !segment.isEmpty {
            submit(upTo: position)
        }
        if segment.append(output, at: position) { return }
        // Larger than an ordinary piece: it gets one of its own.
        let large = LaneSegment(capacity: OutputCopy.size(of: output))
        _ = large.append(output, at: position)
        unsafe merge._withUnsafeGuaranteedRef { $0.keep($0.merge(large, from: number, upTo: position)) }
    }

    /// Whether so much is in it that it is worth a reporter's while.
    package var isHalfFull: Bool { segment.isHalfFull }

    /// All that is caused before this place was put in.
    package func publish(upTo position: UInt64) {
        wanted = unsafe merge._withUnsafeGuaranteedRef { $0.wanted }
        if segment.isEmpty {
            unsafe merge._withUnsafeGuaranteedRef { $0.pass(number, upTo: position) }
        } else {
            submit(upTo: position)
        }
    }

    /// Hands the piece to the merge, and goes on with an empty one.
    private func submit(upTo position: UInt64) {
        segment = unsafe merge._withUnsafeGuaranteedRef { $0.merge(segment, from: number, upTo: position) }
        unsafe borrowed = Unmanaged.passUnretained(segment)
    }

    /// Nothing comes any more.
    package func close() {
        publish(upTo: .max)
        input = nil
    }

    /// Nobody is asked: a replay asks its reporters at the end.
    package func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }
}
