internal import EventModel
internal import PluginABI

extension RecordBuilder {
    /// Sets a list: an array of attributes without names, with the texts of its elements behind it.
    func put(_ name: UTF8Text, list: [PlainValue], flags: UInt8) {
        guard let size = Self.size(of: list, depth: 1), size <= Limits.valueBytes else {
            _ = unsafe refuse(name, .valueTooLarge)
            return
        }
        guard reserve(name.count + size) else {
            _ = unsafe refuse(name, .blockFull)
            return
        }
        guard let target = unsafe place(name, flags: flags) else { return }
        let offset = write(list)
        unsafe target.pointee.type = TALLY_T_LIST
        unsafe target.pointee.len = UInt32(truncatingIfNeeded: list.count)
        unsafe target.pointee.v.off = UInt64(offset)
    }

    /// Bytes that a list needs at most, nil when it is nested too deep.
    private static func size(of list: [PlainValue], depth: Int) -> Int? {
        guard depth <= Limits.listDepth else { return nil }
        var total = list.count * MemoryLayout<tally_attr>.stride + MemoryLayout<UInt64>.alignment
        for value in list {
            switch value {
            case .null, .bool, .int, .double: break
            case .string(let text): total += text.utf8.count
            case .bytes(let bytes): total += bytes.count
            case .list(let nested):
                guard let size = size(of: nested, depth: depth + 1) else { return nil }
                total += size
            }
        }
        return total
    }

    /// Writes a list for which room has been made, and gives its offset.
    private func write(_ list: [PlainValue]) -> Int {
        let offset = appendElements(list.count)
        for (index, value) in list.enumerated() {
            let element = unsafe bytes(at: offset).assumingMemoryBound(to: tally_attr.self) + index
            switch value {
            case .null: break
            case .bool(let truth):
                unsafe element.pointee.type = TALLY_T_BOOL
                unsafe element.pointee.v.i = truth ? 1 : 0
            case .int(let number): unsafe Self.write(CanonicalNumber(number), into: element)
            case .double(let number): unsafe Self.write(CanonicalNumber(number), into: element)
            case .string(var text):
                text.withUTF8 { unsafe write(UnsafeRawBufferPointer($0), type: TALLY_T_STRING, into: element) }
            case .bytes(let bytes):
                unsafe bytes.withUnsafeBytes { unsafe write($0, type: TALLY_T_BYTES, into: element) }
            case .list(let nested):
                unsafe element.pointee.type = TALLY_T_LIST
                unsafe element.pointee.len = UInt32(truncatingIfNeeded: nested.count)
                unsafe element.pointee.v.off = UInt64(write(nested))
            }
        }
        return offset
    }

    private func write(
        _ text: UnsafeRawBufferPointer,
        type: UInt8,
        into element: UnsafeMutablePointer<tally_attr>
    ) {
        unsafe element.pointee.type = type
        unsafe element.pointee.len = UInt32(truncatingIfNeeded: text.count)
        unsafe element.pointee.v.off = unsafe UInt64(append(text))
    }
}
