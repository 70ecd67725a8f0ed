import CGStreamer
import Glibc
import Synchronization

/// The way into the engine thread: commands of the host and signals of streaming threads; and the playhead's way out.
///
/// Each post also puts a message on the bus, so that the engine thread wakes at once and sees posts and bus messages in
/// the order of their occurrence.
@safe final class Mailbox: @unchecked Sendable {
    /// A signal with the time of its occurrence.
    struct Entry: Sendable {
        let timeNs: Int64
        let signal: EngineSignal
    }

    private let lock = Lock()
    private let playheadMs = Atomic<Int64>(-1)
    private var entries: [Entry] = []
    private var bus: UnsafeMutablePointer<GstBus>?
    private var finished = false
    private var engineThread: pthread_t?

    /// The last known playhead, nil before the item is loaded.
    var positionMs: Int64? {
        get {
            let position = playheadMs.load(ordering: .relaxed)
            return position < 0 ? nil : position
        }
        set {
            playheadMs.store(newValue ?? -1, ordering: .relaxed)
        }
    }

    func post(_ signal: EngineSignal) {
        let timeNs = MonotonicClock.nowNs()
        lock.withLock {
            guard !finished else { return }
            entries.append(Entry(timeNs: timeNs, signal: signal))
            guard let bus = unsafe bus else {
                lock.signalAll()
                return
            }
            unsafe gst_bus_post(bus, gst_message_new_application(nil, gst_structure_new_empty("tally-wake")))
        }
    }

    func takeAll() -> [Entry] {
        lock.withLock {
            defer { entries.removeAll(keepingCapacity: true) }
            return entries
        }
    }

    /// Waits for a post; only of use while there is no bus to wait on.
    func waitForMail() {
        lock.withLock {
            while entries.isEmpty { lock.wait() }
        }
    }

    /// Names the bus that posts wake, or nil when it goes away.
    func setBus(_ newBus: UnsafeMutablePointer<GstBus>?) { lock.withLock { unsafe bus = newBus } }

    func setEngineThread(_ thread: pthread_t) { lock.withLock { engineThread = thread } }

    func finish() {
        lock.withLock {
            finished = true
            entries.removeAll()
            lock.signalAll()
        }
    }

    /// Waits for the end of the engine thread; the engine thread itself does not wait.
    func waitUntilFinished() {
        lock.withLock {
            if let engineThread, pthread_equal(engineThread, pthread_self()) != 0 { return }
            while !finished { lock.wait() }
        }
    }
}
