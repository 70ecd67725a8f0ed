internal import PluginABI

extension BlockWriter {
    /// Writes the elements of a list, for which there is room, and gives the offset of the first.
    mutating func write(_ list: [PlainValue]) -> Int {
        let offset = takeRoom(list.count * BlockLayout.attributeSize)
        for (index, value) in list.enumerated() {
            let element = unsafe (base + offset).assumingMemoryBound(to: tally_attr.self) + index
            unsafe element.pointee = tally_attr(
                key_off: 0,
                key_len: 0,
                key_id: 0,
                type: ValueType.null,
                flags: 0,
                reserved0: 0,
                len: 0,
                v: .init(i: 0)
            )
            unsafe write(value, into: element)
        }
        return offset
    }

    private mutating func write(_ value: PlainValue, into element: UnsafeMutablePointer<tally_attr>) {
        switch value {
        case .null: break
        case .bool(let truth):
            unsafe element.pointee.type = ValueType.bool
            unsafe element.pointee.v.i = truth ? 1 : 0
        case .int(let number): unsafe write(CanonicalNumber(number), into: element)
        case .double(let number): unsafe write(CanonicalNumber(number), into: element)
        case .string(var text):
            let offset = text.withUTF8 { unsafe copy(UnsafeRawBufferPointer($0)) }
            unsafe element.pointee.type = ValueType.string
            unsafe element.pointee.len = UInt32(text.utf8.count)
            unsafe element.pointee.v.off = UInt64(offset)
        case .bytes(let bytes):
            let offset = unsafe bytes.withUnsafeBytes { unsafe copy($0) }
            unsafe element.pointee.type = ValueType.bytes
            unsafe element.pointee.len = UInt32(bytes.count)
            unsafe element.pointee.v.off = UInt64(offset)
        case .list(let list):
            align()
            let offset = write(list)
            unsafe element.pointee.type = ValueType.list
            unsafe element.pointee.len = UInt32(list.count)
            unsafe element.pointee.v.off = UInt64(offset)
        }
    }

    private func write(_ number: CanonicalNumber, into element: UnsafeMutablePointer<tally_attr>) {
        switch number {
        case .int(let number):
            unsafe element.pointee.type = ValueType.int
            unsafe element.pointee.v.i = number
        case .double(let number):
            unsafe element.pointee.type = ValueType.double
            unsafe element.pointee.v.d = number
        }
    }
}
