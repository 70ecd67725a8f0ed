internal import PluginABI
internal import Synchronization

/// Counts track calls that the queue refused, until the next event tells of them.
///
/// Thread-safe, without locks.
final class RefusedCalls: Sendable {
    private let any = Atomic<Bool>(false)
    private let samples = Atomic<Int64>(0)
    private let qualitySamples = Atomic<Int64>(0)
    private let events = Atomic<Int64>(0)

    /// Counts a refused call.
    func count(_ type: EventType) {
        switch type {
        case .playheadSample: samples.add(1, ordering: .relaxed)
        case .qualitySample: qualitySamples.add(1, ordering: .relaxed)
        default: events.add(1, ordering: .relaxed)
        }
        any.store(true, ordering: .releasing)
    }

    /// Writes the counts into the next event and starts anew.
    func tell(_ encoder: inout TrackEncoder) {
        guard any.load(ordering: .relaxed), any.exchange(false, ordering: .acquiring) else { return }
        unsafe encoder.header.pointee.flags |= TALLY_EVENT_GAP_BEFORE
        encoder.set(.gapSamples, samples.exchange(0, ordering: .relaxed))
        encoder.set(.gapQualitySamples, qualitySamples.exchange(0, ordering: .relaxed))
        encoder.set(.gapEvents, events.exchange(0, ordering: .relaxed))
    }
}
