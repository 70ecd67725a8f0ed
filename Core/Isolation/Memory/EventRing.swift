internal import EventModel
internal import Glibc
internal import PluginABI
internal import Synchronization
internal import System

/// What a run is told, once for all processes that follow it: they map it to read.
@safe final class EventRing {
    /// What a message is.
    enum Kind: UInt32 {
        /// An event as it was recorded, with what the player reported in its state's place.
        case event = 1
        /// Timers that are due at `time` or before fire.
        case advance
        /// The run ends at `time`.
        case end
        /// A tracker is asked something: lengths and bytes of its name, the command and the arguments.
        case query
    }

    /// What lies before a message's content.
    struct Header {
        var size: UInt32
        var kind: UInt32
        /// The message's number in the run, from 1.
        var number: UInt64
        /// When, us.
        var time: Int64
        /// Bytes of the content.
        var count: UInt64
    }

    /// Bytes before the ring itself: how far it was written.
    static let headBytes = 4096
    /// Bytes of the ring: some 10,000 events.
    static let bytes = 8 * 1024 * 1024

    /// The memory.
    let memory: SharedMemory
    private let ring: ByteRing

    /// Makes an empty ring, or maps that of another process.
    init(_ memory: SharedMemory) {
        self.memory = memory
        unsafe ring = ByteRing(start: memory.start + Self.headBytes, capacity: memory.count - Self.headBytes)
    }

    /// How many bytes were ever written.
    var written: UInt64 { unsafe head.pointee.load(ordering: .acquiring) }

    private var head: UnsafeMutablePointer<Atomic<UInt64>> {
        unsafe memory.start.assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// How many bytes a message with so many bytes of content takes behind what was written.
    func needed(_ content: Int) -> Int {
        ring.needed(ByteRing.size(MemoryLayout<Header>.size + content), at: written)
    }

    /// How many bytes may be there that not all have read.
    var capacity: Int { ring.capacity }

    /// Adds a message that there is room for; `fill` writes its content.
    func append(_ kind: Kind, number: UInt64, time: Int64, _ count: Int = 0, fill: (UnsafeMutableRawPointer) -> Void) {
        let size = ByteRing.size(MemoryLayout<Header>.size + count)
        let (place, end) = unsafe ring.place(size, at: written)
        let header = Header(
            size: UInt32(size),
            kind: kind.rawValue,
            number: number,
            time: time,
            count: UInt64(count)
        )
        unsafe place.storeBytes(of: header, as: Header.self)
        unsafe fill(place + MemoryLayout<Header>.size)
        unsafe head.pointee.store(end, ordering: .releasing)
    }

    /// The message at a position, and the position behind it; nil when it is not there yet.
    ///
    /// Lent until the position behind it is given back.
    func message(at position: UInt64) -> (header: Header, content: UnsafeRawBufferPointer, end: UInt64)? {
        guard case .message(let bytes, let end) = ring.message(at: position, before: written) else { return nil }
        let header = unsafe bytes.load(as: Header.self)
        let start = MemoryLayout<Header>.size
        guard UInt64(bytes.count - start) >= header.count else { return nil }
        return unsafe (
            header, UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(header.count)]), end
        )
    }
}
