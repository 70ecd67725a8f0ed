import CGStreamer
import System

/// The clock of all reports: it stands while the machine sleeps, as the pipeline does.
enum MonotonicClock {
    /// Nanoseconds since the machine was started, without its sleep.
    static func nowNs() -> Int64 { SystemTime.monotonic() * 1000 }
}

/// The way into the engine thread.
///
/// Each post puts a message on the bus too: the thread wakes, and sees both kinds in the order in which they occurred.
final class Mailbox: Sendable {
    struct Entry: Sendable {
        let timeNs: Int64
        let signal: EngineSignal
    }

    @safe private struct State {
        var entries: [Entry] = []
        var bus: UnsafeMutablePointer<GstBus>?
        var isFinished = false
    }

    let progress = EngineProgress()
    private let state = Condition(State())

    func post(_ signal: EngineSignal) {
        let timeNs = MonotonicClock.nowNs()
        state.change { state in
            guard !state.isFinished else { return }
            state.entries.append(Entry(timeNs: timeNs, signal: signal))
            guard let bus = unsafe state.bus else { return }
            unsafe gst_bus_post(bus, gst_message_new_application(nil, gst_structure_new_empty("tally-wake")))
        }
    }

    func removeAll() -> [Entry] { state.with { $0.entries.drain() } }

    /// Waits for a post; only of use while there is no bus to wait on.
    func waitForMail() { _ = state.wait(until: nil) { $0.entries.isEmpty ? nil : true } }

    /// Names the bus that posts wake, or nil when it goes away.
    func setBus(_ newBus: UnsafeMutablePointer<GstBus>?) { state.with { unsafe $0.bus = newBus } }

    /// Refuses what comes from now on.
    func finish() {
        state.change { state in
            state.isFinished = true
            state.entries.removeAll()
        }
        progress.finish()
    }
}
