import System
import Testing

/// Memory that is taken in pieces.
struct MemorySlabTests {
    @Test("Pieces lie beside each other in aligned memory, and end with the slab")
    func pieces() throws {
        let slab = try #require(MemorySlab())
        var end: UInt?
        var count = 0
        while let piece = unsafe slab.allocate(100_001) {
            let start = UInt(bitPattern: piece.baseAddress)
            #expect(start % 64 == 0)
            #expect(piece.count == 100_001)
            if let end { #expect(start >= end && start < end + 64) }
            end = start + UInt(piece.count)
            unsafe piece.initializeMemory(as: UInt8.self, repeating: UInt8(count))
            count += 1
        }
        #expect(count == MemorySlab.bytes / 100_032)
        #expect(unsafe slab.allocate(64) != nil)
        #expect(unsafe slab.allocate(MemorySlab.bytes) == nil)
    }
}
