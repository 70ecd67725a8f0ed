package import PluginABI

/// Memory that is lent over the ABI, freed with this object.
@safe package final class LentMemory {
    private var allocations: [UnsafeMutableRawPointer] = unsafe []

    /// Lends nothing yet.
    package init() {}

    deinit {
        while let allocation = unsafe allocations.popLast() { unsafe allocation.deallocate() }
    }

    /// Keeps a plain value at a place of its own.
    package func keep<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
        unsafe keep(array: [value])
    }

    /// Keeps plain values one behind another.
    package func keep<Value>(array: [Value]) -> UnsafeMutablePointer<Value> {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: max(array.count, 1))
        unsafe memory.initialize(from: array, count: array.count)
        unsafe allocations.append(UnsafeMutableRawPointer(memory))
        return unsafe memory
    }

    /// Keeps bytes, aligned to 8.
    package func keep(bytes: [UInt8]) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 8), alignment: 8)
        unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe allocations.append(memory)
        return unsafe memory
    }

    /// Keeps bytes as a text.
    package func text(_ bytes: [UInt8]) -> tally_str {
        unsafe tally_str(ptr: keep(bytes: bytes).assumingMemoryBound(to: CChar.self), len: bytes.count)
    }

    /// Keeps a text.
    package func text(_ text: String) -> tally_str {
        unsafe self.text(Array(text.utf8))
    }
}
