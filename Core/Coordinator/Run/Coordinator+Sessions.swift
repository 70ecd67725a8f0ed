internal import EventModel
internal import PluginABI

// Where sessions end, what is put among the events for it, and what a tracker gets that begins in the midst of one.
extension Coordinator {
    func endSession(_ reason: UInt32, at time: Int64) {
        let state = unsafe state(at: time)
        moment.step = OutputMoment.ending
        for tracker in trackers.all {
            unsafe tracker.endSession(reason: reason, at: time, state: state)
        }
        moment.step = OutputMoment.behindTrackers
        router.boundary(TALLY_OUTPUT_SESSION_END, session: sessionCount, at: time)
        machine.endSession(at: time)
        onSessionEnd?(sessionCount)
    }

    /// Ends the session where the run's lines have been silent for too long: what a damaged time costs has a bound.
    ///
    /// What timers say is no line here. The unload is recorded, and a replay of it finds no silence that is too long.
    func endSilentSession(before time: Int64) {
        let end = earliestEventTime + run.longestSilence
        if time > end, machine.isInSession { insert(.videoUnload, at: end, cause: "silence") }
    }

    /// Puts an event of its own among the player's: an unload, or what the playback rate says.
    func insert(_ type: EventType, at time: Int64, cause: String? = nil) {
        var writer = lent.insertedBlock.writer()
        unsafe writer.header.pointee.time_us = time
        _ = writer.set(.implicit, "implicit", .bool(true))
        if let cause { _ = writer.set(.cause, "cause", .string(cause)) }
        _ = writer.finish(type: type)
        unsafe dispatch(writer.header)
    }

    func makeSnapshot(at time: Int64, joined: String?) -> EventView {
        var writer = lent.snapshotBlock.writer()
        unsafe writer.header.pointee.time_us = time
        unsafe writer.header.pointee.flags = TALLY_EVENT_SYNTHETIC
        unsafe writer.header.pointee.session = sessionCount
        unsafe machine.write(to: writer.state, at: time)
        if let joined {
            snapshot.write(to: &writer)
            if let state = consents.state(of: joined) {
                _ = writer.set(.consentState, "consent_state", .string(state))
            }
        }
        _ = writer.finish(type: .sessionSnapshot)
        return unsafe EventView(writer.header)
    }
}
