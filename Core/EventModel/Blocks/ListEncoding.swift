internal import PluginABI

/// How list values lie in a block: an array of attributes without names, then the texts of its elements.
enum ListEncoding {
    /// Bytes that a list needs, nil when it is nested deeper than ``Limits/listDepth``.
    static func size(of list: [PlainValue], depth: Int) -> Int? {
        guard depth <= Limits.listDepth else { return nil }
        var total = list.count * BlockLayout.attributeSize
        for value in list {
            switch value {
            case .null, .bool, .int, .double: break
            case .string(let text): total += text.utf8.count
            case .bytes(let bytes): total += bytes.count
            case .list(let nested):
                guard let size = size(of: nested, depth: depth + 1) else { return nil }
                total += size + BlockLayout.alignment
            }
        }
        return total
    }

    /// Adds `delta` to each offset of an attribute whose texts have already been moved by it.
    @inline(__always)
    static func shift(
        _ attribute: UnsafeMutablePointer<tally_attr>,
        base: UnsafeMutableRawPointer,
        by delta: Int
    ) {
        if unsafe attribute.pointee.key_len > 0 {
            unsafe attribute.pointee.key_off = UInt32(Int(attribute.pointee.key_off) + delta)
        }
        switch unsafe attribute.pointee.type {
        case ValueType.string, ValueType.bytes:
            unsafe attribute.pointee.v.off = UInt64(Int(attribute.pointee.v.off) + delta)
        case ValueType.list: unsafe shiftList(attribute, base: base, by: delta)
        default: break
        }
    }

    private static func shiftList(
        _ attribute: UnsafeMutablePointer<tally_attr>,
        base: UnsafeMutableRawPointer,
        by delta: Int
    ) {
        let offset = unsafe Int(attribute.pointee.v.off) + delta
        unsafe attribute.pointee.v.off = UInt64(offset)
        let first = unsafe (base + offset).assumingMemoryBound(to: tally_attr.self)
        for index in 0..<Int(unsafe attribute.pointee.len) {
            unsafe shift(first + index, base: base, by: delta)
        }
    }
}
