internal import Glibc
package import PluginABI

/// Writes one block, an event or a record, into memory of the caller's: attributes from the front, texts from the back.
///
/// ``finish(type:name:)`` and ``finishRecord()`` move the texts behind the attributes. A name that is set again keeps
/// its place and gets the new value. When the memory is full, ``relocate(to:capacity:)`` goes on in larger memory.
///
/// A track call and a replay spend much of their time here. So what is usual is done in one piece without calls, and
/// small blocks touch only the first bytes of their memory, which mostly comes from another processor's cache.
@safe package struct BlockWriter: ~Copyable {
    /// Bytes that are used before a block spreads over all its memory.
    private static let narrow = 320
    private static let wide = 1024

    /// The memory; its first byte is the block's.
    package private(set) var base: UnsafeMutableRawPointer
    /// Bytes of the memory.
    package private(set) var capacity: Int
    /// Attributes so far.
    package internal(set) var attributeCount = 0
    /// Offset of the first attribute: bytes of the header, and of an event's state.
    let front: Int
    /// Whether the block is a record, in which numbers keep their kind.
    var isRecord: Bool { front == MemoryLayout<tally_record>.size }
    /// Bytes of a record's kind, which is the last of the texts.
    private var kindCount = 0
    /// Offset of the first byte of text; texts grow downwards.
    var heapStart: Int
    /// Offset behind the last byte of text; no more than ``capacity``.
    private var heapEnd: Int
    /// Which names may be in the block.
    var names = NameFilter()
    let vocabulary = Vocabulary.shared

    /// Begins an event in `capacity` bytes at `base`, aligned to 8; header and state are zeroed.
    package init(base: UnsafeMutableRawPointer, capacity: Int) {
        precondition(capacity >= BlockLayout.attributesOffset && capacity % BlockLayout.alignment == 0)
        unsafe self.base = unsafe base
        self.capacity = capacity
        front = BlockLayout.attributesOffset
        heapEnd = min(capacity, Self.narrow)
        heapStart = heapEnd
        unsafe memset(base, 0, BlockLayout.attributesOffset)
        unsafe state.pointee.struct_size = UInt32(MemoryLayout<tally_state>.size)
    }

    /// Begins a record of a kind of 1 to ``Limits/nameBytes`` bytes in `capacity` bytes at `base`, aligned to 8.
    package init(recordAt base: UnsafeMutableRawPointer, capacity: Int, kind: UTF8Text) {
        precondition(capacity >= BlockLayout.smallestRecord && capacity % BlockLayout.alignment == 0)
        unsafe self.base = unsafe base
        self.capacity = capacity
        front = MemoryLayout<tally_record>.size
        heapEnd = capacity
        heapStart = heapEnd
        kindCount = min(kind.count, Limits.nameBytes)
        _ = unsafe copy(UnsafeRawBufferPointer(rebasing: kind.bytes[0..<kindCount]))
    }

    /// The header, to be filled in.
    package var header: UnsafeMutablePointer<tally_event> {
        unsafe base.assumingMemoryBound(to: tally_event.self)
    }

    /// The state, to be filled in.
    package var state: UnsafeMutablePointer<tally_state> {
        unsafe (base + BlockLayout.stateOffset).assumingMemoryBound(to: tally_state.self)
    }

    /// Goes on in larger memory with all that has been written.
    package mutating func relocate(to target: UnsafeMutableRawPointer, capacity larger: Int) {
        precondition(larger >= capacity && larger % BlockLayout.alignment == 0)
        unsafe memcpy(target, base, attributesEnd(0))
        unsafe memcpy(target + heapStart, base + heapStart, heapEnd - heapStart)
        unsafe base = unsafe target
        capacity = larger
        moveTexts(to: larger)
    }

    /// Ends the block of a well-known type; nil when its name did not fit.
    package mutating func finish(type: EventType) -> Int? {
        finish(type: type, name: vocabulary.name(of: type))
    }

    /// Ends the block: writes the type's name, moves the texts behind the attributes, fills in sizes and offsets.
    ///
    /// - Returns: the block's size in bytes, or nil when the name did not fit.
    package mutating func finish(type: EventType, name: UTF8Text) -> Int? {
        guard makeRoom(forAttributes: 0, text: name.count + BlockLayout.alignment) else { return nil }
        let nameOffset = finishTexts(at: attributesEnd(0), name)
        let size = heapEnd
        unsafe header.pointee.size = UInt32(truncatingIfNeeded: size)
        unsafe header.pointee.header_size = UInt32(MemoryLayout<tally_event>.size)
        unsafe header.pointee.type = type.rawValue
        unsafe header.pointee.type_name_off = UInt32(truncatingIfNeeded: nameOffset)
        unsafe header.pointee.type_name_len = UInt32(truncatingIfNeeded: name.count)
        unsafe header.pointee.state_off = UInt32(BlockLayout.stateOffset)
        unsafe header.pointee.attr_off = UInt32(BlockLayout.attributesOffset)
        unsafe header.pointee.attr_count = UInt32(truncatingIfNeeded: attributeCount)
        return size
    }

    /// Ends a record; attributes may be set afterwards, and it be ended again.
    ///
    /// - Returns: its size.
    package mutating func finishRecord() -> Int {
        align()
        moveTexts(to: heapEnd &+ attributesEnd(0) &- heapStart)
        unsafe base.assumingMemoryBound(to: tally_record.self).pointee = tally_record(
            size: UInt32(truncatingIfNeeded: heapEnd),
            header_size: UInt32(MemoryLayout<tally_record>.size),
            flags: 0,
            kind_off: UInt32(truncatingIfNeeded: heapEnd &- kindCount),
            kind_len: UInt32(truncatingIfNeeded: kindCount),
            attr_off: UInt32(truncatingIfNeeded: front),
            attr_count: UInt32(truncatingIfNeeded: attributeCount),
            reserved0: 0
        )
        return heapEnd
    }

    /// The offset behind the attributes and so many more.
    @inline(__always)
    private func attributesEnd(_ more: Int) -> Int {
        front &+ (attributeCount &+ more) &* BlockLayout.attributeSize
    }

    /// Adds the name of the type to the texts and moves them to where they are to be.
    ///
    /// - Returns: the offset of the name.
    private mutating func finishTexts(at front: Int, _ name: UTF8Text) -> Int {
        guard heapStart < heapEnd else {
            // No texts to move: the name goes where it is to be.
            unsafe ShortCopy.copy(name.bytes, to: base + front)
            heapEnd = front &+ BlockLayout.aligned(name.count)
            return front
        }
        let nameOffset = unsafe copy(name.bytes)
        align()
        let delta = front &- heapStart
        moveTexts(to: heapEnd &+ delta)
        return nameOffset &+ delta
    }

    // MARK: - Placing

    /// Where an attribute lies, or why it cannot be set.
    @safe enum Place {
        case at(UnsafeMutablePointer<tally_attr>)
        case refused(AttributeOutcome)
    }

    /// Sets an attribute to a value without text.
    @inline(__always)
    mutating func put(_ name: AttributeName, _ type: UInt8, bits: UInt64) -> AttributeOutcome {
        if let added = unsafe add(name, text: 0) {
            unsafe added.pointee.type = type
            unsafe added.pointee.v.off = bits
            return .written
        }
        return putSlowly(name, type, bits: bits)
    }

    /// Sets an attribute to text or bytes.
    @inline(__always)
    mutating func put(_ name: AttributeName, _ type: UInt8, bytes: UnsafeRawBufferPointer) -> AttributeOutcome {
        if bytes.count <= Limits.valueBytes, let added = unsafe add(name, text: bytes.count) {
            unsafe added.pointee.type = type
            unsafe added.pointee.len = UInt32(truncatingIfNeeded: bytes.count)
            unsafe added.pointee.v.off = UInt64(truncatingIfNeeded: copy(bytes))
            return .written
        }
        return unsafe putSlowly(name, type, bytes: bytes)
    }

    /// Adds an attribute if it is new and there is room, which is the usual case; its value is still to be set.
    @inline(__always)
    private mutating func add(_ name: AttributeName, text: Int) -> UnsafeMutablePointer<tally_attr>? {
        let end = attributesEnd(0)
        guard heapStart &- end >= BlockLayout.attributeSize &+ name.text.count &+ text, name.isValid,
            attributeCount < Limits.attributes, !names.mayHold(name.key, name.hash)
        else { return nil }
        return unsafe append(name)
    }

    /// Adds an attribute for which there is room.
    @inline(__always)
    private mutating func append(_ name: AttributeName) -> UnsafeMutablePointer<tally_attr> {
        let added = unsafe attribute(attributeCount)
        unsafe added.pointee = tally_attr(
            key_off: UInt32(truncatingIfNeeded: copy(name.text.bytes)),
            key_len: UInt16(truncatingIfNeeded: name.text.count),
            key_id: name.key.rawValue,
            type: 0,
            flags: name.flags,
            reserved0: 0,
            len: 0,
            v: .init(off: 0)
        )
        names.add(name.key, name.hash)
        attributeCount &+= 1
        return unsafe added
    }

    @inline(never)
    private mutating func putSlowly(_ name: AttributeName, _ type: UInt8, bits: UInt64) -> AttributeOutcome {
        switch place(name, text: 0) {
        case .refused(let outcome): return outcome
        case .at(let attribute):
            unsafe attribute.pointee.setValue(type, bits: bits)
            return .written
        }
    }

    @inline(never)
    private mutating func putSlowly(
        _ name: AttributeName,
        _ type: UInt8,
        bytes: UnsafeRawBufferPointer
    ) -> AttributeOutcome {
        guard bytes.count <= Limits.valueBytes else { return .valueTooLarge }
        if unsafe overwrite(name, type, bytes) { return .written }
        switch place(name, text: bytes.count) {
        case .refused(let outcome): return outcome
        case .at(let attribute):
            unsafe attribute.pointee.setValue(type, count: bytes.count, bits: UInt64(copy(bytes)))
            return .written
        }
    }

    /// Writes a text over the one that an attribute has, if it fits there.
    private mutating func overwrite(_ name: AttributeName, _ type: UInt8, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let old = index(of: name) else { return false }
        let attribute = unsafe attribute(old)
        let isText = unsafe attribute.pointee.type == ValueType.string || attribute.pointee.type == ValueType.bytes
        guard isText, unsafe Int(attribute.pointee.len) >= bytes.count else { return false }
        unsafe ShortCopy.copy(bytes, to: base + Int(attribute.pointee.v.off))
        unsafe attribute.pointee.setValue(type, count: bytes.count, bits: attribute.pointee.v.off)
        return true
    }

    /// Gives an attribute another value without text.
    mutating func replace(_ index: Int, _ type: UInt8, bits: UInt64) {
        precondition(index < attributeCount, "there is no attribute \(index)")
        unsafe attribute(index).pointee.setValue(type, bits: bits)
    }

    /// Finds the attribute of a name, or adds one, and makes room for its text.
    mutating func place(_ name: AttributeName, text: Int) -> Place {
        guard name.isValid else { return .refused(.badName) }
        if let old = index(of: name) {
            guard makeRoom(forAttributes: 0, text: text) else { return .refused(.blockFull) }
            return unsafe .at(attribute(old))
        }
        guard attributeCount < Limits.attributes else { return .refused(.tooMany) }
        guard makeRoom(forAttributes: 1, text: text + name.text.count) else { return .refused(.blockFull) }
        return unsafe .at(append(name))
    }

    func attribute(_ index: Int) -> UnsafeMutablePointer<tally_attr> {
        unsafe (base + front).assumingMemoryBound(to: tally_attr.self) + index
    }

    /// Whether so much fits, if need be after the texts were moved farther back.
    mutating func makeRoom(forAttributes attributes: Int, text: Int) -> Bool {
        let end = attributesEnd(attributes)
        while heapStart &- end < text {
            guard heapEnd < capacity else { return false }
            moveTexts(to: heapEnd < Self.wide ? min(capacity, Self.wide) : capacity)
        }
        return true
    }

    /// Moves the texts so that they end at an offset.
    private mutating func moveTexts(to end: Int) {
        let delta = end &- heapEnd
        guard delta != 0 else { return }
        let texts = unsafe UnsafeRawBufferPointer(start: base + heapStart, count: heapEnd &- heapStart)
        unsafe ShortCopy.copy(texts, to: base + (heapStart &+ delta))
        heapStart &+= delta
        heapEnd = end
        let first = unsafe attribute(0)
        for index in 0..<attributeCount {
            unsafe ListEncoding.shift(first + index, base: base, by: delta)
        }
    }

    /// Copies bytes for which there is room in front of the texts.
    @inline(__always)
    mutating func copy(_ bytes: UnsafeRawBufferPointer) -> Int {
        heapStart &-= bytes.count
        unsafe ShortCopy.copy(bytes, to: base + heapStart)
        return heapStart
    }

    /// Rounds down where the next text ends.
    mutating func align() {
        heapStart &= ~(BlockLayout.alignment - 1)
    }

    // MARK: - Unique names

    func index(named name: UTF8Text) -> Int? {
        for index in 0..<attributeCount
        where unsafe AttributeView(base: base, raw: attribute(index)).name == name {
            return index
        }
        return nil
    }

    private mutating func index(of name: AttributeName) -> Int? {
        guard names.mayHold(name.key, name.hash) else { return nil }
        for index in 0..<attributeCount {
            let view = unsafe AttributeView(base: base, raw: attribute(index))
            if view.key == name.key && (name.key != .none || view.name == name.text) {
                return index
            }
        }
        return nil
    }
}
