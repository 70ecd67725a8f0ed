internal import Glibc
package import PluginABI

/// Writes one block into memory of the caller's: the attributes from the front, the texts from the back.
///
/// ``finish(type:)`` moves the texts behind the attributes. A name that is set again keeps its place and gets the new
/// value. When the memory is full, ``relocate(to:capacity:)`` goes on in larger memory.
@safe package struct BlockWriter: ~Copyable {
    /// The memory; its first byte is the block's.
    package private(set) var base: UnsafeMutableRawPointer
    /// Bytes of the memory.
    package private(set) var capacity: Int
    /// Attributes so far.
    package private(set) var attributeCount = 0
    /// Offset of the first byte of text; texts grow downwards.
    private var heapStart: Int
    /// Which well-known numbers are in the block, a bit each.
    private var written: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// A bit for each name without a number, by its hash: a name whose bit is not set is not in the block.
    private var named: UInt64 = 0

    /// Begins a block in `capacity` bytes at `base`, aligned to 8; header and state are zeroed.
    package init(base: UnsafeMutableRawPointer, capacity: Int) {
        precondition(capacity >= BlockLayout.attributesOffset && capacity % BlockLayout.alignment == 0)
        unsafe self.base = unsafe base
        self.capacity = capacity
        heapStart = capacity
        unsafe memset(base, 0, BlockLayout.attributesOffset)
        unsafe state.pointee.struct_size = UInt32(MemoryLayout<tally_state>.size)
    }

    /// The header, to be filled in.
    package var header: UnsafeMutablePointer<tally_event> {
        unsafe base.assumingMemoryBound(to: tally_event.self)
    }

    /// The state, to be filled in.
    package var state: UnsafeMutablePointer<tally_state> {
        unsafe (base + BlockLayout.stateOffset).assumingMemoryBound(to: tally_state.self)
    }

    /// Sets an attribute to a whole number; the caller has made it canonical.
    package mutating func set(
        _ key: AttributeKey, _ name: UTF8Text, flags: UInt8, type: UInt8, number: Int64
    ) -> AttributeOutcome {
        switch place(key, name, flags: flags, text: 0) {
        case .refused(let outcome): return outcome
        case .at(let index):
            unsafe attribute(index).pointee.type = type
            unsafe attribute(index).pointee.v.i = number
            return .written
        }
    }

    /// Sets an attribute to a double; the caller has made it canonical.
    package mutating func set(
        _ key: AttributeKey, _ name: UTF8Text, flags: UInt8, double: Double
    ) -> AttributeOutcome {
        switch place(key, name, flags: flags, text: 0) {
        case .refused(let outcome): return outcome
        case .at(let index):
            unsafe attribute(index).pointee.type = TALLY_T_DOUBLE
            unsafe attribute(index).pointee.v.d = double
            return .written
        }
    }

    /// Sets an attribute to valid UTF-8, or to bytes of any kind.
    package mutating func set(
        _ key: AttributeKey, _ name: UTF8Text, flags: UInt8, type: UInt8, bytes: UnsafeRawBufferPointer
    ) -> AttributeOutcome {
        guard bytes.count <= Limits.valueBytes else { return .valueTooLarge }
        switch place(key, name, flags: flags, text: bytes.count) {
        case .refused(let outcome): return outcome
        case .at(let index):
            let offset = unsafe copy(bytes)
            unsafe attribute(index).pointee.type = type
            unsafe attribute(index).pointee.len = UInt32(truncatingIfNeeded: bytes.count)
            unsafe attribute(index).pointee.v.off = UInt64(truncatingIfNeeded: offset)
            return .written
        }
    }

    /// Sets an attribute to a list.
    package mutating func set(
        _ key: AttributeKey, _ name: UTF8Text, flags: UInt8, list: [PlainValue]
    ) -> AttributeOutcome {
        guard let size = ListEncoding.size(of: list, depth: 1), size <= Limits.valueBytes else {
            return .valueTooLarge
        }
        switch place(key, name, flags: flags, text: size + BlockLayout.alignment) {
        case .refused(let outcome): return outcome
        case .at(let index):
            heapStart &= ~(BlockLayout.alignment - 1)
            let offset = write(list)
            unsafe attribute(index).pointee.type = TALLY_T_LIST
            unsafe attribute(index).pointee.len = UInt32(list.count)
            unsafe attribute(index).pointee.v.off = UInt64(offset)
            return .written
        }
    }

    /// Goes on in larger memory with all that has been written.
    package mutating func relocate(to target: UnsafeMutableRawPointer, capacity larger: Int) {
        precondition(larger >= capacity && larger % BlockLayout.alignment == 0)
        let front = BlockLayout.attributesOffset + attributeCount * BlockLayout.attributeSize
        let newStart = larger - (capacity - heapStart)
        unsafe memcpy(target, base, front)
        unsafe memcpy(target + newStart, base + heapStart, capacity - heapStart)
        unsafe base = unsafe target
        shiftTexts(by: newStart - heapStart)
        heapStart = newStart
        capacity = larger
    }

    /// Ends the block: writes the type's name, moves the texts behind the attributes, fills in sizes and offsets.
    ///
    /// - Returns: the block's size in bytes, or nil when the name did not fit.
    package mutating func finish(type: EventType, name: UTF8Text) -> Int? {
        guard room(forAttributes: 0, text: name.count + BlockLayout.alignment) else { return nil }
        let front = BlockLayout.attributesOffset &+ attributeCount &* BlockLayout.attributeSize
        let length: Int
        let nameOffset: Int
        if heapStart == capacity {
            // No texts to move: the name goes where it is to be.
            unsafe Self.copy(name.bytes, to: base + front)
            length = BlockLayout.aligned(name.count)
            nameOffset = front
        } else {
            let written = unsafe copy(name.bytes)
            heapStart &= ~(BlockLayout.alignment - 1)
            length = capacity &- heapStart
            let delta = front &- heapStart
            if delta != 0 {
                unsafe memmove(base + front, base + heapStart, length)
                shiftTexts(by: delta)
            }
            nameOffset = written &+ delta
        }
        unsafe header.pointee.size = UInt32(front + length)
        unsafe header.pointee.header_size = UInt32(MemoryLayout<tally_event>.size)
        unsafe header.pointee.type = type.rawValue
        unsafe header.pointee.type_name_off = UInt32(nameOffset)
        unsafe header.pointee.type_name_len = UInt32(name.count)
        unsafe header.pointee.state_off = UInt32(BlockLayout.stateOffset)
        unsafe header.pointee.attr_off = UInt32(BlockLayout.attributesOffset)
        unsafe header.pointee.attr_count = UInt32(attributeCount)
        return front + length
    }

    // MARK: - Placing

    /// Where an attribute lies, or why it cannot be set.
    private enum Place {
        case at(Int)
        case refused(AttributeOutcome)
    }

    /// Finds the attribute of a name, or adds one whose value is still to be set. `text` bytes are free afterwards.
    private mutating func place(_ key: AttributeKey, _ name: UTF8Text, flags: UInt8, text: Int) -> Place {
        guard name.count > 0, name.count <= Limits.nameBytes else { return .refused(.badName) }
        let hash = key == .none ? NameHash.of(name) : 0
        if let old = index(of: key, name, hash) {
            return room(forAttributes: 0, text: text) ? .at(old) : .refused(.blockFull)
        }
        guard attributeCount < Limits.attributes else { return .refused(.tooMany) }
        guard room(forAttributes: 1, text: text &+ name.count) else { return .refused(.blockFull) }
        let nameOffset = unsafe copy(name.bytes)
        unsafe attribute(attributeCount).pointee = tally_attr(
            key_off: UInt32(truncatingIfNeeded: nameOffset), key_len: UInt16(truncatingIfNeeded: name.count),
            key_id: key.rawValue, type: 0, flags: flags, reserved0: 0, len: 0, v: .init(i: 0))
        mark(key, hash)
        attributeCount &+= 1
        return .at(attributeCount &- 1)
    }

    private func attribute(_ index: Int) -> UnsafeMutablePointer<tally_attr> {
        unsafe (base + BlockLayout.attributesOffset).assumingMemoryBound(to: tally_attr.self) + index
    }

    private func room(forAttributes attributes: Int, text: Int) -> Bool {
        let front =
            BlockLayout.attributesOffset &+ (attributeCount &+ attributes) &* BlockLayout.attributeSize
        return heapStart &- front >= text
    }

    /// Copies bytes for which there is room in front of the texts.
    private mutating func copy(_ bytes: UnsafeRawBufferPointer) -> Int {
        heapStart &-= bytes.count
        unsafe Self.copy(bytes, to: base + heapStart)
        return heapStart
    }

    /// Most texts are short: two words that may overlap are quicker than a call.
    @inline(__always)
    private static func copy(_ bytes: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
        guard let source = bytes.baseAddress else { return }
        let count = bytes.count
        if count > 16 {
            unsafe memcpy(target, source, count)
        } else if count >= 8 {
            unsafe target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
            let rest = count &- 8
            unsafe (target + rest).storeBytes(of: (source + rest).loadUnaligned(as: UInt64.self), as: UInt64.self)
        } else {
            for place in 0..<count {
                unsafe target.storeBytes(of: source.load(fromByteOffset: place, as: UInt8.self), toByteOffset: place, as: UInt8.self)
            }
        }
    }

    private mutating func write(_ list: [PlainValue]) -> Int {
        heapStart -= list.count * BlockLayout.attributeSize
        let offset = heapStart
        for (index, value) in list.enumerated() {
            let element = unsafe (base + offset).assumingMemoryBound(to: tally_attr.self) + index
            unsafe element.pointee = tally_attr(
                key_off: 0, key_len: 0, key_id: 0, type: TALLY_T_NULL, flags: 0, reserved0: 0, len: 0, v: .init(i: 0))
            unsafe write(value, into: element)
        }
        return offset
    }

    private mutating func write(_ value: PlainValue, into element: UnsafeMutablePointer<tally_attr>) {
        switch value {
        case .null: break
        case .bool(let truth):
            unsafe element.pointee.type = TALLY_T_BOOL
            unsafe element.pointee.v.i = truth ? 1 : 0
        case .int(let number): unsafe write(CanonicalNumber(number), into: element)
        case .double(let number): unsafe write(CanonicalNumber(number), into: element)
        case .string(var text):
            let offset = text.withUTF8 { unsafe copy(UnsafeRawBufferPointer($0)) }
            unsafe element.pointee.type = TALLY_T_STRING
            unsafe element.pointee.len = UInt32(text.utf8.count)
            unsafe element.pointee.v.off = UInt64(offset)
        case .bytes(let bytes):
            let offset = unsafe bytes.withUnsafeBytes { unsafe copy($0) }
            unsafe element.pointee.type = TALLY_T_BYTES
            unsafe element.pointee.len = UInt32(bytes.count)
            unsafe element.pointee.v.off = UInt64(offset)
        case .list(let list):
            heapStart &= ~(BlockLayout.alignment - 1)
            let offset = write(list)
            unsafe element.pointee.type = TALLY_T_LIST
            unsafe element.pointee.len = UInt32(list.count)
            unsafe element.pointee.v.off = UInt64(offset)
        }
    }

    private func write(_ number: CanonicalNumber, into element: UnsafeMutablePointer<tally_attr>) {
        switch number {
        case .int(let number):
            unsafe element.pointee.type = TALLY_T_INT
            unsafe element.pointee.v.i = number
        case .double(let number):
            unsafe element.pointee.type = TALLY_T_DOUBLE
            unsafe element.pointee.v.d = number
        }
    }

    private func shiftTexts(by delta: Int) {
        let first = unsafe attribute(0)
        for index in 0..<attributeCount {
            unsafe ListEncoding.shift(first + index, base: base, by: delta)
        }
    }

    // MARK: - Unique names

    private func index(of key: AttributeKey, _ name: UTF8Text, _ hash: UInt64) -> Int? {
        guard key == .none ? named & Self.bit(of: hash) != 0 : isMarked(key) else { return nil }
        for index in 0..<attributeCount {
            let view = unsafe AttributeView(base: base, raw: attribute(index))
            if view.key == key && (key != .none || view.name == name) {
                return index
            }
        }
        return nil
    }

    private static func bit(of hash: UInt64) -> UInt64 {
        1 << (hash & 63)
    }

    private func isMarked(_ key: AttributeKey) -> Bool {
        let bit = UInt64(1) << UInt64(key.rawValue & 63)
        switch key.rawValue >> 6 {
        case 0: return written.0 & bit != 0
        case 1: return written.1 & bit != 0
        case 2: return written.2 & bit != 0
        case 3: return written.3 & bit != 0
        default: return true
        }
    }

    private mutating func mark(_ key: AttributeKey, _ hash: UInt64) {
        guard key != .none else {
            named |= Self.bit(of: hash)
            return
        }
        let bit = UInt64(1) << UInt64(key.rawValue & 63)
        switch key.rawValue >> 6 {
        case 0: written.0 |= bit
        case 1: written.1 |= bit
        case 2: written.2 |= bit
        case 3: written.3 |= bit
        default: break
        }
    }
}
