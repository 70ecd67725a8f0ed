internal import EventModel
internal import PluginABI

/// Checks that what a plugin emits points only at what it hands over.
enum RecordCheck {
    /// Whether every offset of a record lies in its heap.
    static func isSound(_ record: tally_record) -> Bool {
        guard unsafe record.attr_count == 0 || record.attrs != nil else { return false }
        guard unsafe record.heap_len == 0 || record.heap != nil else { return false }
        guard let attributes = unsafe record.attrs else { return true }
        for index in unsafe 0..<Int(record.attr_count) {
            let attribute = unsafe attributes[index]
            let keyEnd = UInt64(attribute.key_off) + UInt64(attribute.key_len)
            guard attribute.key_len > 0, attribute.key_len <= Limits.nameBytes, unsafe keyEnd <= record.heap_len else {
                return false
            }
            guard unsafe isSound(attribute, record, depth: 1) else { return false }
        }
        return true
    }

    /// Whether a beacon's lists are there and its patches lie inside the parts that they name.
    static func isSound(_ beacon: tally_beacon) -> Bool {
        guard unsafe beacon.header_count == 0 || beacon.headers != nil, unsafe beacon.patch_count == 0 || beacon.patches != nil,
            unsafe beacon.record_count == 0 || beacon.records != nil
        else { return false }
        guard let patches = unsafe beacon.patches else { return true }
        for index in unsafe 0..<Int(beacon.patch_count) {
            let patch = unsafe patches[index]
            let length: Int
            switch patch.part {
            case TALLY_PART_URL: length = unsafe beacon.url.len
            case TALLY_PART_BODY: length = unsafe beacon.body.len
            default: return false
            }
            guard patch.width <= UInt64(length), patch.off <= UInt64(length) - patch.width else { return false }
        }
        return true
    }

    private static func isSound(_ attribute: tally_attr, _ record: tally_record, depth: Int) -> Bool {
        let offset = unsafe attribute.v.off
        switch attribute.type {
        case TALLY_T_STRING, TALLY_T_BYTES:
            return unsafe attribute.len <= Limits.valueBytes && offset <= record.heap_len
                && UInt64(attribute.len) <= record.heap_len - offset
        case TALLY_T_LIST:
            let size = UInt64(attribute.len) * UInt64(BlockLayout.attributeSize)
            guard depth <= Limits.listDepth, offset % UInt64(BlockLayout.alignment) == 0, unsafe offset <= record.heap_len,
                unsafe size <= record.heap_len - offset, let heap = unsafe record.heap
            else { return false }
            let first = unsafe (heap + Int(offset)).assumingMemoryBound(to: tally_attr.self)
            for index in 0..<Int(attribute.len) where unsafe !isSound(first[index], record, depth: depth + 1) {
                return false
            }
            return true
        default:
            return true
        }
    }
}
