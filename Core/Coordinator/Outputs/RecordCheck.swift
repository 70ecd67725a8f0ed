internal import EventModel
package import PluginABI

/// Checks a record that a plugin emits: that it is within the limits, and points only at what it hands over.
package enum RecordCheck {
    /// `TALLY_OK`, or why the record is refused.
    package static func status(of pointer: UnsafePointer<tally_record>) -> tally_status {
        let size = unsafe UnsafeRawPointer(pointer).load(as: UInt32.self)
        guard unsafe size >= MemoryLayout<tally_record>.size else { return TALLY_ERR_INVALID }
        let record = unsafe pointer.pointee
        guard unsafe record.kind.len != 0, unsafe record.kind.ptr != nil else { return TALLY_ERR_INVALID }
        guard unsafe (1...Limits.nameBytes).contains(record.kind.len),
            unsafe record.attr_count <= UInt64(Limits.attributes),
            unsafe record.heap_len <= UInt64(Limits.recordBytes) - record.attr_count * UInt64(BlockLayout.attributeSize)
        else { return TALLY_ERR_TOO_LARGE }
        guard unsafe record.attr_count == 0 || record.attrs != nil, unsafe record.heap_len == 0 || record.heap != nil
        else { return TALLY_ERR_INVALID }
        guard let attributes = unsafe record.attrs else { return TALLY_OK }
        for index in unsafe 0..<Int(record.attr_count) {
            let status = unsafe status(of: attributes[index], in: record)
            guard status == TALLY_OK else { return status }
        }
        return TALLY_OK
    }

    private static func status(of attribute: tally_attr, in record: tally_record) -> tally_status {
        guard attribute.key_len > 0 else { return TALLY_ERR_INVALID }
        guard attribute.key_len <= Limits.nameBytes else { return TALLY_ERR_TOO_LARGE }
        let end = UInt64(attribute.key_off) + UInt64(attribute.key_len)
        guard unsafe end <= record.heap_len else { return TALLY_ERR_INVALID }
        var room = Limits.valueBytes
        return unsafe status(ofValue: attribute, in: record, depth: 1, room: &room)
    }

    /// `room` is how many bytes the attribute's whole value may still have: a list's texts and lists count towards it.
    private static func status(
        ofValue attribute: tally_attr,
        in record: tally_record,
        depth: Int,
        room: inout Int
    ) -> tally_status {
        switch attribute.type {
        case TALLY_T_STRING, TALLY_T_BYTES:
            return unsafe take(Int(attribute.len), at: attribute.v.off, of: record, &room)
        case TALLY_T_LIST:
            guard depth <= Limits.listDepth else { return TALLY_ERR_TOO_LARGE }
            let offset = unsafe attribute.v.off
            guard offset % UInt64(BlockLayout.alignment) == 0 else { return TALLY_ERR_INVALID }
            let taken = unsafe take(Int(attribute.len) * BlockLayout.attributeSize, at: offset, of: record, &room)
            guard taken == TALLY_OK, attribute.len > 0, let heap = unsafe record.heap else { return taken }
            for index in 0..<Int(attribute.len) {
                let element = unsafe heap.loadUnaligned(
                    fromByteOffset: Int(offset) + index * BlockLayout.attributeSize,
                    as: tally_attr.self
                )
                let status = unsafe status(ofValue: element, in: record, depth: depth + 1, room: &room)
                guard status == TALLY_OK else { return status }
            }
            return TALLY_OK
        default:
            return TALLY_OK
        }
    }

    /// Takes bytes of the heap from the room that is left.
    private static func take(
        _ count: Int,
        at offset: UInt64,
        of record: tally_record,
        _ room: inout Int
    ) -> tally_status {
        guard count <= room else { return TALLY_ERR_TOO_LARGE }
        room -= count
        let inside = unsafe count == 0 || offset <= record.heap_len && UInt64(count) <= record.heap_len - offset
        return inside ? TALLY_OK : TALLY_ERR_INVALID
    }
}
