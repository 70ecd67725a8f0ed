internal import Glibc
internal import PluginABI

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

/// Attributes that the other side lends.
enum LentAttributes {
    /// The attributes as a list; none when the pointer is absent.
    static func list(
        _ first: UnsafePointer<tally_attr>?,
        count: UInt64,
        heap: UnsafeRawPointer?
    ) -> AttributeList {
        guard let first = unsafe first else {
            return unsafe AttributeList(base: UnsafeRawPointer(nothing), first: nothing, count: 0)
        }
        return unsafe AttributeList(base: heap ?? UnsafeRawPointer(nothing), first: first, count: Int(count))
    }

    /// Stands for an absent array; nothing is ever read from it.
    private nonisolated(unsafe) static let nothing: UnsafePointer<tally_attr> = {
        let memory = UnsafeMutablePointer<tally_attr>.allocate(capacity: 1)
        unsafe memset(memory, 0, MemoryLayout<tally_attr>.stride)
        return unsafe UnsafePointer(memory)
    }()
}
