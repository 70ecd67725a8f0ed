/// Reading structures of the other side, which may be shorter or longer than ours.
package enum ForeignStructure {
    /// Copies as much of a structure as both sides know of over `zeroed`; the first four bytes are its size.
    package static func copy<Foreign, Local>(_ foreign: UnsafePointer<Foreign>, into zeroed: Local) -> Local {
        var local = zeroed
        let size = unsafe UnsafeRawPointer(foreign).loadUnaligned(as: UInt32.self)
        unsafe withUnsafeMutableBytes(of: &local) { bytes in
            unsafe bytes.copyMemory(
                from: UnsafeRawBufferPointer(start: foreign, count: min(Int(size), bytes.count))
            )
        }
        return local
    }
}
