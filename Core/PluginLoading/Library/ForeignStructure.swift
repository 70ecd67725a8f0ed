/// Why a structure of a plugin cannot be used.
enum StructureFault: Error, Equatable {
    /// It ends before the members that version 1.0 has.
    case tooSmall(structure: String)
    /// A member that has to be there is NULL.
    case null(structure: String, member: String)
}

extension StructureFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .tooSmall(let structure): "\(structure) is smaller than that of ABI 1.0"
        case .null(let structure, let member): "\(structure).\(member) is NULL"
        }
    }
}

/// How a structure that lies in a plugin's memory is read: at most as many bytes as both sides know, the rest is zero.
struct ForeignStructure<Structure: BitwiseCopyable> {
    /// Its name in the header.
    let name: String
    /// How many bytes version 1.0 had of it.
    let minimum: Int
    /// Members that must not be NULL, with where they lie.
    ///
    /// Swift takes them for pointers that are always there, so they are looked at before a copy of their type is made.
    let required: [(member: String, offset: Int?)]

    /// Copies the structure over `zero`.
    func copy(_ source: UnsafeRawPointer, over zero: Structure) throws(StructureFault) -> Structure {
        let size = unsafe Int(source.loadUnaligned(as: UInt32.self))
        guard size >= minimum else { throw StructureFault.tooSmall(structure: name) }
        for (member, offset) in required {
            guard let offset, unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt.self) != 0 else {
                throw StructureFault.null(structure: name, member: member)
            }
        }
        var copy = zero
        unsafe withUnsafeMutableBytes(of: &copy) { target in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: min(size, target.count)))
        }
        return copy
    }
}
