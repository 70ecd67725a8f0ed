internal import CLinux
internal import Coordinator
internal import Synchronization
package import System

/// What a tracker's process and the player tell each other without a message, and the ring of what the tracker says.
///
/// Both may write all of it. What the player reads here may be anything, at any time.
@safe package final class TrackerPage: @unchecked Sendable {
    /// What the run's thread looks at for each event.
    ///
    /// It changes seldom, and lies apart from what changes often: no look waits for the other processor's memory.
    struct Signals: ~Copyable {
        /// 1 while the process sleeps until something is written for it.
        let sleeps = Atomic<UInt32>(0)
        /// While the player's thread sleeps: what it is called for, a ``Call``; otherwise 0.
        let awaited = Atomic<UInt32>(0)
        /// 1 while the process waits for room.
        let waitsForRoom = Atomic<UInt32>(0)
        /// The next deadline of its timers, us.
        let deadline = Atomic<Int64>(.max)
    }

    private struct Progress: ~Copyable {
        /// How far it has read the run's ring.
        let read = Atomic<UInt64>(0)
        /// The number of the last message that it is done with.
        let done = Atomic<UInt64>(0)
        /// Rises while it is told what was before it began.
        let caughtUp = Atomic<UInt64>(0)
    }

    private struct Outputs: ~Copyable {
        /// How many bytes it has ever written.
        let written = Atomic<UInt64>(0)
        /// How many of them the player has read.
        let taken = Atomic<UInt64>(0)
    }

    /// What the player's thread is called for while it sleeps.
    package enum Call: UInt32 {
        /// The process has said something, or its next deadline is another one.
        case word = 1
        /// That, or it is done with a message: something waits for its turn.
        case progress
    }

    private static let progressOffset = 128
    private static let outputsOffset = 256
    private static let statisticsOffset = 1024
    private static let ringOffset = 4096
    private static let ringBytes = 4 * 1024 * 1024

    /// The memory.
    let memory: SharedMemory
    private let ring: ByteRing

    /// Makes a page, for a process that begins where the run's ring was written up to `position`, behind a message.
    package init(readFrom position: UInt64) throws(SystemFailure) {
        memory = try SharedMemory("tally-tracker", bytes: Self.ringOffset + Self.ringBytes)
        unsafe ring = ByteRing(start: memory.start + Self.ringOffset, capacity: Self.ringBytes)
        unsafe signals.initialize(to: Signals())
        unsafe progressWords.initialize(to: Progress())
        unsafe outputs.initialize(to: Outputs())
        unsafe progressWords.pointee.read.store(position, ordering: .relaxed)
    }

    /// Maps the page that the player made.
    init(descriptor: Int32) throws(SystemFailure) {
        memory = try SharedMemory(descriptor: descriptor, isReadOnly: false)
        unsafe ring = ByteRing(start: memory.start + Self.ringOffset, capacity: Self.ringBytes)
    }

    /// What the run's thread looks at for each event; there for as long as this is.
    var signals: UnsafeMutablePointer<Signals> { unsafe memory.start.assumingMemoryBound(to: Signals.self) }

    private var progressWords: UnsafeMutablePointer<Progress> {
        unsafe (memory.start + Self.progressOffset).assumingMemoryBound(to: Progress.self)
    }

    private var outputs: UnsafeMutablePointer<Outputs> {
        unsafe (memory.start + Self.outputsOffset).assumingMemoryBound(to: Outputs.self)
    }

    // MARK: - What the player reads

    /// How far the process has read the run's ring.
    @inline(__always) var read: UInt64 { unsafe progressWords.pointee.read.load(ordering: .acquiring) }
    /// The number of the last message that it is done with.
    @inline(__always) var done: UInt64 { unsafe progressWords.pointee.done.load(ordering: .acquiring) }
    /// The next deadline of its timers, us; the largest number when there is none.
    @inline(__always) var deadline: Int64 { unsafe signals.pointee.deadline.load(ordering: .acquiring) }
    /// A number that changes while it gets on.
    var progress: UInt64 {
        unsafe progressWords.pointee.caughtUp.load(ordering: .relaxed) &+ done
            &+ outputs.pointee.written.load(ordering: .relaxed)
    }
    /// What its tracker did.
    var statistics: TrackerStatistics {
        unsafe (memory.start + Self.statisticsOffset).load(as: TrackerStatistics.self)
    }

    /// The next message of the process behind what was taken.
    func message(at position: UInt64) -> ByteRing.Found {
        unsafe ring.message(at: position, before: outputs.pointee.written.load(ordering: .acquiring))
    }

    /// Gives the room of messages back.
    func giveBack(upTo position: UInt64) {
        unsafe outputs.pointee.taken.store(position, ordering: .sequentiallyConsistent)
        if unsafe signals.pointee.waitsForRoom.load(ordering: .sequentiallyConsistent) != 0 { wakeIfAsleep() }
    }

    /// Wakes the process if it sleeps; what it is woken for has to be visible to all before.
    @inline(__always)
    func wakeIfAsleep() { unsafe Self.wakeIfAsleep(signals) }

    /// Wakes the process whose signals these are if it sleeps; what it is woken for has to be visible to all before.
    @inline(__always)
    static func wakeIfAsleep(_ signals: UnsafeMutablePointer<Signals>) {
        guard unsafe signals.pointee.sleeps.load(ordering: .relaxed) != 0 else { return }
        unsafe signals.pointee.sleeps.store(0, ordering: .sequentiallyConsistent)
        unsafe tally_futex_wake(signals)
    }

    /// Says that the player's thread sleeps until it is called for this; nil: that it does not sleep.
    package func listen(for call: Call?) {
        unsafe signals.pointee.awaited.store(call?.rawValue ?? 0, ordering: .sequentiallyConsistent)
    }

    /// Has the player's thread, where it sleeps, called for progress too; what waits for it has to be visible to all
    /// before.
    package func listenForProgress() {
        guard unsafe signals.pointee.awaited.load(ordering: .relaxed) == Call.word.rawValue else { return }
        _ = unsafe signals.pointee.awaited.compareExchange(
            expected: Call.word.rawValue,
            desired: Call.progress.rawValue,
            ordering: .sequentiallyConsistent
        )
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    // MARK: - What the process does

    /// Says what the tracker did.
    func publish(_ statistics: TrackerStatistics) {
        unsafe (memory.start + Self.statisticsOffset).storeBytes(of: statistics, as: TrackerStatistics.self)
    }

    /// Says how far the process has come; whether its next deadline is another one.
    func publish(read: UInt64, done: UInt64, deadline: Int64) -> Bool {
        let isOther = unsafe signals.pointee.deadline.load(ordering: .relaxed) != deadline
        if isOther { unsafe signals.pointee.deadline.store(deadline, ordering: .relaxed) }
        unsafe progressWords.pointee.done.store(done, ordering: .releasing)
        unsafe progressWords.pointee.read.store(read, ordering: .releasing)
        return isOther
    }

    /// Says that the process gets on with what was before it began.
    func catchUp() { unsafe progressWords.pointee.caughtUp.add(1, ordering: .relaxed) }

    /// Whether the player's thread sleeps and has to be called for this; asked once for each sleep.
    package func mustCallPlayer(for call: Call) -> Bool {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        let awaited = unsafe signals.pointee.awaited.load(ordering: .relaxed)
        guard awaited == Call.progress.rawValue || awaited != 0 && call == .word else { return false }
        return unsafe signals.pointee.awaited.exchange(0, ordering: .sequentiallyConsistent) != 0
    }

    /// Sleeps until the player wakes the process, at most so many us, unless there is something to do already.
    func sleep(microseconds: Int64, waitingForRoom: Bool = false, whileIdle isIdle: () -> Bool) {
        unsafe signals.pointee.waitsForRoom.store(waitingForRoom ? 1 : 0, ordering: .relaxed)
        unsafe signals.pointee.sleeps.store(1, ordering: .sequentiallyConsistent)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if isIdle() { unsafe tally_futex_wait(signals, 1, microseconds) }
        unsafe signals.pointee.sleeps.store(0, ordering: .relaxed)
        unsafe signals.pointee.waitsForRoom.store(0, ordering: .relaxed)
    }

    /// Whether there is room for a message of a size.
    func hasRoom(for size: Int) -> Bool {
        let written = unsafe outputs.pointee.written.load(ordering: .relaxed)
        let taken = unsafe outputs.pointee.taken.load(ordering: .sequentiallyConsistent)
        return ring.needed(size, at: written) <= ring.capacity - Int(written - taken)
    }

    /// Adds a message of a size that there is room for; `fill` writes all of it.
    func append(_ size: Int, fill: (UnsafeMutableRawPointer) -> Void) {
        let (place, end) = unsafe ring.place(size, at: outputs.pointee.written.load(ordering: .relaxed))
        unsafe fill(place)
        unsafe outputs.pointee.written.store(end, ordering: .releasing)
    }
}
