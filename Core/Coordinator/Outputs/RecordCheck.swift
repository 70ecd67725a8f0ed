internal import EventModel
package import PluginABI

/// Checks a record that a plugin emits: that it is a whole block within the limits, and points at nothing outside.
package enum RecordCheck {
    /// `TALLY_OK`, or why the record is refused.
    package static func status(of record: UnsafePointer<tally_record>) -> tally_status {
        let base = unsafe UnsafeRawPointer(record)
        guard UInt(bitPattern: base) % UInt(BlockLayout.alignment) == 0 else { return TALLY_ERR_INVALID }
        let header = unsafe record.pointee
        guard header.header_size >= UInt32(MemoryLayout<tally_record>.size), header.header_size <= header.size,
            header.size % UInt32(BlockLayout.alignment) == 0, header.kind_len > 0
        else { return TALLY_ERR_INVALID }
        guard header.kind_len <= UInt32(Limits.nameBytes), header.attr_count <= UInt32(Limits.attributes),
            header.size <= UInt32(Limits.recordBytes)
        else { return TALLY_ERR_TOO_LARGE }
        var block = unsafe BlockCheck(base: base, size: Int(header.size))
        let attributes = UInt64(header.attr_count) * UInt64(BlockLayout.attributeSize)
        guard block.holds(UInt64(header.kind_len), at: UInt64(header.kind_off)),
            header.attr_off % UInt32(BlockLayout.alignment) == 0,
            block.holds(attributes, at: UInt64(header.attr_off))
        else { return TALLY_ERR_INVALID }
        return unsafe block.status(
            of: AttributeList(
                base: base,
                offset: Int(header.attr_off),
                count: Int(header.attr_count)
            )
        )
    }
}

/// Checks the attributes of a block against its size and the limits.
@safe private struct BlockCheck {
    let base: UnsafeRawPointer
    let size: Int
    /// How many bytes the list that is looked at may still have: its texts and lists count towards it.
    private var room = 0

    init(base: UnsafeRawPointer, size: Int) {
        unsafe self.base = unsafe base
        self.size = size
    }

    /// Whether bytes at an offset lie in the block.
    @inline(__always)
    func holds(_ count: UInt64, at offset: UInt64) -> Bool {
        let size = UInt64(size)
        return offset <= size && count <= size - offset
    }

    /// `TALLY_OK`, or what is wrong with the attributes.
    ///
    /// Every record passes here, some with a hundred attributes: what is usual is looked at without calls.
    mutating func status(of attributes: AttributeList) -> tally_status {
        guard attributes.count > 0 else { return TALLY_OK }
        let first = unsafe attributes[0].raw
        for index in 0..<attributes.count {
            let attribute = unsafe first + index
            let name = unsafe (count: UInt64(attribute.pointee.key_len), offset: UInt64(attribute.pointee.key_off))
            guard name.count > 0 else { return TALLY_ERR_INVALID }
            guard name.count <= UInt64(Limits.nameBytes) else { return TALLY_ERR_TOO_LARGE }
            guard holds(name.count, at: name.offset) else { return TALLY_ERR_INVALID }
            switch unsafe attribute.pointee.type {
            case ValueType.string, ValueType.bytes:
                let count = unsafe attribute.pointee.len
                guard count <= UInt32(Limits.valueBytes) else { return TALLY_ERR_TOO_LARGE }
                guard unsafe count == 0 || holds(UInt64(count), at: attribute.pointee.v.off) else {
                    return TALLY_ERR_INVALID
                }
            case ValueType.list:
                room = Limits.valueBytes
                let status = unsafe status(of: attribute.pointee, depth: 1)
                guard status == TALLY_OK else { return status }
            default: break
            }
        }
        return TALLY_OK
    }

    /// `TALLY_OK`, or what is wrong with a list or an element of one.
    private mutating func status(of attribute: tally_attr, depth: Int) -> tally_status {
        switch attribute.type {
        case ValueType.string, ValueType.bytes:
            return unsafe count(Int(attribute.len), at: attribute.v.off)
        case ValueType.list:
            guard depth <= Limits.listDepth else { return TALLY_ERR_TOO_LARGE }
            let offset = unsafe attribute.v.off
            guard offset % UInt64(BlockLayout.alignment) == 0 else { return TALLY_ERR_INVALID }
            let counted = count(Int(attribute.len) * BlockLayout.attributeSize, at: offset)
            guard counted == TALLY_OK, attribute.len > 0 else { return counted }
            let elements = unsafe AttributeList(base: base, offset: Int(offset), count: Int(attribute.len))
            for index in 0..<elements.count {
                let status = unsafe status(of: elements[index].raw.pointee, depth: depth + 1)
                guard status == TALLY_OK else { return status }
            }
            return TALLY_OK
        default:
            return TALLY_OK
        }
    }

    /// Counts bytes of the list that is looked at.
    private mutating func count(_ count: Int, at offset: UInt64) -> tally_status {
        guard count <= room else { return TALLY_ERR_TOO_LARGE }
        room -= count
        return count == 0 || holds(UInt64(count), at: offset) ? TALLY_OK : TALLY_ERR_INVALID
    }
}
