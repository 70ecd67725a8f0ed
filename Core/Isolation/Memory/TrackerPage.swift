internal import CLinux
internal import Coordinator
internal import Synchronization
internal import System

/// What a tracker's process and the player tell each other without a message, and the ring of what the tracker says.
///
/// Both may write all of it. What the player reads here may be anything, at any time.
@safe final class TrackerPage: @unchecked Sendable {
    private struct Words: ~Copyable {
        /// 1 while the process sleeps until something is written for it.
        let sleeps = Atomic<UInt32>(0)
        /// 1 while the player's thread sleeps until the process says something.
        let playerSleeps = Atomic<UInt32>(0)
        /// 1 while the process waits for room.
        let waitsForRoom = Atomic<UInt32>(0)
        /// How far it has read the run's ring.
        let read = Atomic<UInt64>(0)
        /// The number of the last message that it is done with.
        let done = Atomic<UInt64>(0)
        /// Rises while it is told what was before it began.
        let caughtUp = Atomic<UInt64>(0)
        /// The next deadline of its timers, us.
        let deadline = Atomic<Int64>(.max)
        /// How many bytes it has ever written.
        let written = Atomic<UInt64>(0)
        /// How many of them the player has read.
        let taken = Atomic<UInt64>(0)
    }

    private static let statisticsOffset = 1024
    private static let ringOffset = 4096
    private static let ringBytes = 4 * 1024 * 1024

    /// The memory.
    let memory: SharedMemory
    private let ring: ByteRing

    /// Makes a page, for a process that begins where the run's ring was written up to `position`, behind a message.
    init(readFrom position: UInt64) throws(SystemFailure) {
        memory = try SharedMemory("tally-tracker", bytes: Self.ringOffset + Self.ringBytes)
        unsafe ring = ByteRing(start: memory.start + Self.ringOffset, capacity: Self.ringBytes)
        unsafe memory.start.assumingMemoryBound(to: Words.self).initialize(to: Words())
        unsafe words.pointee.read.store(position, ordering: .relaxed)
    }

    /// Maps the page that the player made.
    init(descriptor: Int32) throws(SystemFailure) {
        memory = try SharedMemory(descriptor: descriptor, isReadOnly: false)
        unsafe ring = ByteRing(start: memory.start + Self.ringOffset, capacity: Self.ringBytes)
    }

    private var words: UnsafeMutablePointer<Words> { unsafe memory.start.assumingMemoryBound(to: Words.self) }

    // MARK: - What the player reads

    /// How far the process has read the run's ring.
    @inline(__always) var read: UInt64 { unsafe words.pointee.read.load(ordering: .acquiring) }
    /// The number of the last message that it is done with.
    @inline(__always) var done: UInt64 { unsafe words.pointee.done.load(ordering: .acquiring) }
    /// The next deadline of its timers, us; the largest number when there is none.
    @inline(__always) var deadline: Int64 { unsafe words.pointee.deadline.load(ordering: .acquiring) }
    /// A number that changes while it gets on.
    var progress: UInt64 {
        unsafe words.pointee.caughtUp.load(ordering: .relaxed) &+ done &+ words.pointee.written.load(ordering: .relaxed)
    }
    /// What its tracker did.
    var statistics: TrackerStatistics {
        unsafe (memory.start + Self.statisticsOffset).load(as: TrackerStatistics.self)
    }

    /// The next message of the process behind what was taken.
    func message(at position: UInt64) -> ByteRing.Found {
        unsafe ring.message(at: position, before: words.pointee.written.load(ordering: .acquiring))
    }

    /// Gives the room of messages back.
    func giveBack(upTo position: UInt64) {
        unsafe words.pointee.taken.store(position, ordering: .sequentiallyConsistent)
        if unsafe words.pointee.waitsForRoom.load(ordering: .sequentiallyConsistent) != 0 { wakeIfAsleep() }
    }

    /// Wakes the process if it sleeps; what it is woken for has to be visible to all before.
    @inline(__always)
    func wakeIfAsleep() {
        guard unsafe words.pointee.sleeps.load(ordering: .relaxed) != 0 else { return }
        unsafe words.pointee.sleeps.store(0, ordering: .sequentiallyConsistent)
        unsafe tally_futex_wake(words)
    }

    /// Says whether the player's thread sleeps until it is called.
    func setPlayerSleeps(_ sleeps: Bool) {
        unsafe words.pointee.playerSleeps.store(sleeps ? 1 : 0, ordering: .sequentiallyConsistent)
    }

    // MARK: - What the process does

    /// Says what the tracker did.
    func publish(_ statistics: TrackerStatistics) {
        unsafe (memory.start + Self.statisticsOffset).storeBytes(of: statistics, as: TrackerStatistics.self)
    }

    /// Says how far the process has come.
    func publish(read: UInt64, done: UInt64, deadline: Int64) {
        unsafe words.pointee.deadline.store(deadline, ordering: .relaxed)
        unsafe words.pointee.done.store(done, ordering: .releasing)
        unsafe words.pointee.read.store(read, ordering: .releasing)
    }

    /// Says that the process gets on with what was before it began.
    func catchUp() { unsafe words.pointee.caughtUp.add(1, ordering: .relaxed) }

    /// Whether the player's thread sleeps and has to be called; asked once for each sleep.
    var mustCallPlayer: Bool {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard unsafe words.pointee.playerSleeps.load(ordering: .relaxed) != 0 else { return false }
        return unsafe words.pointee.playerSleeps.exchange(0, ordering: .sequentiallyConsistent) != 0
    }

    /// Sleeps until the player wakes the process, at most so many us, unless there is something to do already.
    func sleep(microseconds: Int64, waitingForRoom: Bool = false, whileIdle isIdle: () -> Bool) {
        unsafe words.pointee.waitsForRoom.store(waitingForRoom ? 1 : 0, ordering: .relaxed)
        unsafe words.pointee.sleeps.store(1, ordering: .sequentiallyConsistent)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        if isIdle() { unsafe tally_futex_wait(words, 1, microseconds) }
        unsafe words.pointee.sleeps.store(0, ordering: .relaxed)
        unsafe words.pointee.waitsForRoom.store(0, ordering: .relaxed)
    }

    /// Whether there is room for a message of a size.
    func hasRoom(for size: Int) -> Bool {
        let written = unsafe words.pointee.written.load(ordering: .relaxed)
        let taken = unsafe words.pointee.taken.load(ordering: .sequentiallyConsistent)
        return ring.needed(size, at: written) <= ring.capacity - Int(written - taken)
    }

    /// Adds a message of a size that there is room for; `fill` writes all of it.
    func append(_ size: Int, fill: (UnsafeMutableRawPointer) -> Void) {
        let (place, end) = unsafe ring.place(size, at: words.pointee.written.load(ordering: .relaxed))
        unsafe fill(place)
        unsafe words.pointee.written.store(end, ordering: .releasing)
    }
}
