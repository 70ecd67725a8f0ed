internal import Coordinator
internal import PluginABI
internal import System

/// Counts the requests that trackers want to be sent, and their bytes: addresses and bodies.
final class BeaconTraffic: OutputConsumer, Sendable {
    let wanted: UInt32 = 1 << TALLY_OUTPUT_BEACON
    private let counted = Lock((requests: 0, bytes: 0))

    /// How many there were so far.
    var total: (requests: Int, bytes: Int) {
        counted.with { $0 }
    }

    func consume(_ output: Output) {
        guard let beacon = unsafe output.item?.assumingMemoryBound(to: tally_beacon.self) else { return }
        let bytes = unsafe beacon.pointee.url.len + beacon.pointee.body.len
        counted.with { counted in
            counted.requests += 1
            counted.bytes += bytes
        }
    }

    func flush(
        runID: String,
        session: UInt32,
        budget: Int64,
        done: @escaping @Sendable (FlushAnswer) -> Void
    ) {
        done(FlushAnswer())
    }
}
