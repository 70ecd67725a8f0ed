internal import CLinux
internal import Glibc
internal import Synchronization
internal import System

/// What waits to be written to one client; filled by any thread, emptied by the server's.
final class ControlOutbox: Sendable {
    /// Bytes that wait for all clients of a server.
    final class Total: Sendable {
        let bytes = Atomic<Int>(0)
    }

    /// The place of a reply among those of the client.
    struct Place: Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var bytes: [UInt8] = []
        var start = 0
        var isClosed = false
        /// Replies in the order of their messages, from the first on that is not there yet.
        var replies: [[UInt8]?] = []
        /// The number of the first of them.
        var firstReply = 0
        /// Bytes of those that are there.
        var heldBytes = 0

        var waiting: Int { bytes.count - start }
    }

    /// Commands of the client that are not answered yet.
    let pending = Atomic<Int>(0)

    private let state = Lock(State())
    private let total: Total
    private let limits: ControlLimits
    private let signal: PollSignal

    init(_ limits: ControlLimits, _ total: Total, _ signal: PollSignal) {
        self.limits = limits
        self.total = total
        self.signal = signal
    }

    /// How much can be written.
    var count: Int { state.with { $0.waiting } }

    /// How much waits, with replies that have to wait for another one before them.
    var countWithHeld: Int { state.with { $0.waiting + $0.heldBytes } }

    /// A place for the reply to the next message.
    func expectReply() -> Place {
        state.with { state in
            state.replies.append(nil)
            return Place(number: state.firstReply + state.replies.count - 1)
        }
    }

    /// Adds a reply, which is written when all before it are there; how many there can be is limited by how many
    /// messages are read.
    func append(reply: [UInt8], at place: Place) {
        let (isTaken, wakes) = state.with { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            state.replies[place.number - state.firstReply] = reply
            state.heldBytes += reply.count
            let wasEmpty = state.waiting == 0
            while let first = state.replies.first, let first {
                state.bytes += first
                state.heldBytes -= first.count
                state.replies.removeFirst()
                state.firstReply += 1
            }
            return (true, wasEmpty && state.waiting > 0)
        }
        if isTaken { total.bytes.add(reply.count, ordering: .relaxed) }
        if wakes { signal.wake() }
    }

    /// Adds a line of a tap; false when there is no room for it.
    func append(tap line: [UInt8]) -> Bool {
        let hasRoom = total.bytes.load(ordering: .relaxed) + line.count <= limits.allTapBytes
        return append(line) { hasRoom && $0 + line.count <= limits.tapBytes }
    }

    /// Takes nothing more, and forgets what waits.
    func close() {
        let freed = state.with { state -> Int in
            defer { state = State(isClosed: true) }
            return state.waiting + state.heldBytes
        }
        total.bytes.subtract(freed, ordering: .relaxed)
    }

    /// Writes as much as the client takes, and says how much; nil when the client is gone.
    func write(to descriptor: Int32) -> Int? {
        let (done, failed) = state.with { state -> (Int, Bool) in
            var done = 0
            while state.waiting > 0 {
                let count = unsafe state.bytes.withUnsafeBytes { bytes in
                    let start = unsafe bytes.baseAddress.map { unsafe $0 + state.start }
                    return unsafe send(descriptor, start, state.waiting, Int32(MSG_NOSIGNAL))
                }
                if count > 0 {
                    done += count
                    state.start += count
                    continue
                }
                if errno == EINTR { continue }
                if errno != EAGAIN { return (done, true) }
                break
            }
            if state.waiting == 0 {
                state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= 65_536)
                state.start = 0
            } else if state.start > 65_536 {
                state.bytes.removeFirst(state.start)
                state.start = 0
            }
            return (done, false)
        }
        total.bytes.subtract(done, ordering: .relaxed)
        return failed ? nil : done
    }

    private func append(_ line: [UInt8], _ fits: (_ waiting: Int) -> Bool) -> Bool {
        let (isTaken, wasEmpty) = state.with { state -> (Bool, Bool) in
            guard !state.isClosed, fits(state.waiting) else { return (false, false) }
            defer { state.bytes += line }
            return (true, state.waiting == 0)
        }
        if isTaken { total.bytes.add(line.count, ordering: .relaxed) }
        if wasEmpty { signal.wake() }
        return isTaken
    }
}

/// Wakes a thread that waits in `poll`; from any thread.
final class PollSignal: Sendable {
    /// What to poll.
    let descriptor = tally_eventfd()

    init() {
        precondition(descriptor >= 0, "the system has no more descriptors: error \(errno)")
    }

    deinit { close(descriptor) }

    /// Wakes the thread, now or as soon as it waits.
    func wake() {
        var one: UInt64 = 1
        _ = unsafe Glibc.write(descriptor, &one, 8)
    }

    /// Waits anew.
    func clear() {
        var count: UInt64 = 0
        _ = unsafe Glibc.read(descriptor, &count, 8)
    }
}
