internal import Archive
internal import Coordinator
internal import EventModel
internal import PluginLoading
internal import Setup

/// Where a run stands whose sessions are replayed one by one, each as if nothing had been before it.
final class SessionCut {
    let header: ArchiveHeader
    /// The number of the last session that began.
    var session: UInt32 = 0
    /// Whether that session is being replayed.
    var isInside = false

    init(_ header: ArchiveHeader) { self.header = header }
}

// Sessions that are cut out of their runs.
extension Replay {
    /// A coordinator that nobody hears, for what lies between the sessions.
    func silence(_ run: RunDescription) throws(PluginError) -> Coordinator {
        try Coordinator(run: run, trackers: [], consumers: [], recorder: nil, log: telemetry.log)
    }

    /// Takes an event of a run whose sessions are cut out.
    func replayCut(_ event: EventView, _ run: ReplayedRun, id: String) {
        guard let cut = run.cut else { return }
        do throws(PluginError) {
            if event.type == .videoLoad {
                if cut.isInside { try end(cut, run, at: event.time) }
                repeat { cut.session += 1 } while cut.header.erasedSessions.contains(cut.session)
                if options.cuts?(id, cut.session) ?? true { try begin(cut, run, at: event.time) }
            }
            guard cut.isInside else {
                run.coordinator.reach(event.time)
                return
            }
            count(event)
            unsafe run.coordinator.replay(UnsafeMutablePointer(mutating: event.raw))
            if event.type == .videoUnload { try end(cut, run, at: event.time) }
        } catch {
            failure = failure ?? TelemetryError(error)
        }
    }

    private func begin(_ cut: SessionCut, _ run: ReplayedRun, at time: Int64) throws(PluginError) {
        // A run of its own: what the sessions of one run say must not have the same numbers.
        let coordinator = try makeCoordinator(description(of: cut.header, "#\(cut.session)"), cut.header)
        coordinator.reach(time)
        run.coordinator = coordinator
        cut.isInside = true
    }

    private func end(_ cut: SessionCut, _ run: ReplayedRun, at time: Int64) throws(PluginError) {
        run.coordinator.end(at: time, reason: .drained, dropped: 0)
        sum(run.coordinator)
        run.coordinator = try silence(description(of: cut.header))
        run.coordinator.reach(time)
        cut.isInside = false
    }
}
