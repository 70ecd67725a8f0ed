import EventModel
import Glibc
import PluginABI

/// Memory for blocks, filled with rubbish and with a guard behind it that tells when too much was written.
@safe final class TestBlock {
    let memory: UnsafeMutableRawPointer
    let capacity: Int

    init(capacity: Int = Limits.eventBytes) {
        self.capacity = capacity
        unsafe memory = .allocate(byteCount: capacity + 64, alignment: 8)
        unsafe memset(memory, 0xA5, capacity + 64)
    }

    deinit {
        unsafe memory.deallocate()
    }

    func writer() -> BlockWriter {
        unsafe BlockWriter(base: memory, capacity: capacity)
    }

    /// Whether nothing was written behind the memory.
    var isWhole: Bool {
        unsafe UnsafeRawBufferPointer(start: memory + capacity, count: 64).allSatisfy { $0 == 0xA5 }
    }

    /// The event at the memory's start.
    var event: EventView {
        unsafe EventView(memory.assumingMemoryBound(to: tally_event.self))
    }
}

extension BlockWriter {
    /// Sets an attribute by its name, as a track call does.
    mutating func put(_ name: String, _ value: PlainValue) -> AttributeOutcome {
        set(WithUTF8.of(name) { AttributeNames.key(named: $0) }, name, value)
    }

    /// Ends the block as an event of the type with this name.
    mutating func end(_ name: String = "custom") -> Int? {
        var name = name
        return name.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return nil }
            let text = unsafe UTF8Text(start: start, count: bytes.count)
            return finish(type: EventTypeNames.type(named: text), name: text)
        }
    }
}

/// Lends a string's bytes.
enum WithUTF8 {
    static func of<Result>(_ text: String, _ body: (UTF8Text) -> Result) -> Result {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return body(UTF8Text("")) }
            return unsafe body(UTF8Text(start: start, count: bytes.count))
        }
    }
}
