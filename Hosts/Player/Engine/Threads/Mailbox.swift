import CGStreamer
import Glibc
import Synchronization
import System

/// The clock of all reports: it stands while the machine sleeps, as the pipeline does.
enum MonotonicClock {
    /// Nanoseconds since the machine was started, without its sleep.
    static func nowNs() -> Int64 { SystemTime.monotonic() * 1000 }
}

/// The way into the engine thread, and the playhead's way out.
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
        var engineThread: pthread_t?
    }

    private let playheadMs = Atomic<Int64>(-1)
    private let state = Condition(State())

    /// The last known playhead, nil before the item is loaded.
    var positionMs: Int64? {
        get {
            let position = playheadMs.load(ordering: .relaxed)
            return position < 0 ? nil : position
        }
        set { playheadMs.store(newValue ?? -1, ordering: .relaxed) }
    }

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
    func setEngineThread(_ thread: pthread_t) { state.with { $0.engineThread = thread } }

    func finish() {
        state.change { state in
            state.isFinished = true
            state.entries.removeAll()
        }
    }

    /// Waits for the end of the engine thread; the engine thread itself does not wait.
    func waitUntilFinished() {
        _ = state.wait(until: nil) { state in
            let isOwn = state.engineThread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
            return isOwn || state.isFinished ? true : nil
        }
    }
}
