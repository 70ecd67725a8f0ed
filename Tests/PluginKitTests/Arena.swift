import PluginABI

/// Memory that is lent over the ABI, freed with the arena.
@safe final class Arena {
    private var allocations: [UnsafeMutableRawPointer] = unsafe []

    deinit {
        while let allocation = unsafe allocations.popLast() { unsafe allocation.deallocate() }
    }

    /// Keeps a value at a place of its own.
    func keep<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        unsafe memory.initialize(to: value)
        unsafe allocations.append(UnsafeMutableRawPointer(memory))
        return unsafe memory
    }

    /// Keeps values one behind another.
    func keep<Value>(array: [Value]) -> UnsafeMutablePointer<Value> {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: max(array.count, 1))
        for (index, value) in array.enumerated() { unsafe (memory + index).initialize(to: value) }
        unsafe allocations.append(UnsafeMutableRawPointer(memory))
        return unsafe memory
    }

    /// Keeps bytes aligned to 8.
    func keep(bytes: [UInt8]) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 8), alignment: 8)
        unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe allocations.append(memory)
        return unsafe memory
    }

    /// Keeps a text.
    func text(_ text: String) -> tally_str {
        let bytes = Array(text.utf8)
        return unsafe tally_str(ptr: keep(bytes: bytes).assumingMemoryBound(to: CChar.self), len: bytes.count)
    }
}
