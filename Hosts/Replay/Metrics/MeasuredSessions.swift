internal import Coordinator
internal import EventModel
internal import Metrics
internal import PluginABI
internal import PluginKit
internal import System

/// Measures the sessions of the runs that one coordinator replays, into a set of its own.
///
/// One thread uses it, until the replay is over.
final class MeasuredSessions: OutputConsumer, @unchecked Sendable {
    let wanted: UInt32 =
        1 << TALLY_OUTPUT_EVENT | 1 << TALLY_OUTPUT_SESSION_BEGIN | 1 << TALLY_OUTPUT_SESSION_END
        | 1 << TALLY_OUTPUT_RUN_END

    private let meter: SessionMeter
    private let measured: Measured

    private final class Measured {
        var set: MetricSet
        let listing: SessionListing?

        init(_ set: MetricSet, _ listing: SessionListing?) {
            self.set = set
            self.listing = listing
        }

        func add(_ session: SessionMetrics) {
            set.add(session)
            listing?.show(session)
        }
    }

    /// Begins with a set of no sessions; the listing shows each session too.
    init(_ empty: MetricSet, _ listing: SessionListing?) {
        let measured = Measured(empty, listing)
        self.measured = measured
        meter = SessionMeter(grouping: empty.attributes) { measured.add($0) }
    }

    /// The set, with the sessions that have no end; once the replay is over.
    func finish() -> MetricSet {
        for session in meter.openSessions { measured.add(session) }
        return measured.set
    }

    func consume(_ output: Output) {
        let origin = unsafe output.origin
        let run = unsafe UTF8Text(origin.player_run_id)
        let epoch = unsafe origin.epoch_us
        switch output.what {
        case TALLY_OUTPUT_EVENT:
            guard let item = unsafe output.item else { return }
            meter.follow(unsafe EventView(item.assumingMemoryBound(to: tally_event.self)), run: run, epoch: epoch)
        case TALLY_OUTPUT_SESSION_BEGIN: meter.begin(run: run, session: output.session, at: output.time, epoch: epoch)
        case TALLY_OUTPUT_SESSION_END: meter.end(run: run, session: output.session, at: output.time)
        default: meter.end(run: run)
        }
    }

    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
        done(FlushAnswer())
    }
}
