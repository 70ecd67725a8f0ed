internal import EventModel
package import PluginABI
internal import TextEncoding

/// Checks a record that a plugin emits: that it is a whole block within the limits, and points at nothing outside.
package enum RecordCheck {
    /// `TALLY_OK`, or what the plugin is told of a record that is refused.
    package static func status(of record: UnsafePointer<tally_record>) -> tally_status {
        do throws(OutputRefusal) {
            _ = unsafe try check(record)
            return TALLY_OK
        } catch {
            return error.status
        }
    }

    /// Whether a record is one that the core itself hands on: within the limits, with texts in good order.
    package static func isSound(_ record: UnsafePointer<tally_record>) -> Bool {
        unsafe (try? check(record)) ?? false
    }

    /// Whether all of its texts are UTF-8.
    ///
    /// - Throws: why the record is refused.
    static func check(_ record: UnsafePointer<tally_record>) throws(OutputRefusal) -> Bool {
        let base = unsafe UnsafeRawPointer(record)
        guard UInt(bitPattern: base) % UInt(BlockLayout.alignment) == 0 else {
            throw .invalid(.form, "does not lie at a multiple of 8 bytes")
        }
        let header = unsafe record.pointee
        guard header.header_size >= UInt32(MemoryLayout<tally_record>.size), header.header_size <= header.size,
            header.size % UInt32(BlockLayout.alignment) == 0
        else { throw .invalid(.form, "has the sizes \(header.header_size) and \(header.size), which are no block's") }
        guard header.kind_len > 0 else { throw .invalid(.kind, "has no kind") }
        guard header.kind_len <= UInt32(Limits.nameBytes) else {
            throw .tooLarge(.kind, "has a kind of", header.kind_len, "bytes", limit: Limits.nameBytes)
        }
        guard header.attr_count <= UInt32(Limits.attributes) else {
            throw .tooLarge(.attributeCount, "has", header.attr_count, "attributes", limit: Limits.attributes)
        }
        guard header.size <= UInt32(Limits.recordBytes) else {
            throw .tooLarge(.size, "has", header.size, "bytes", limit: Limits.recordBytes)
        }
        var block = unsafe BlockCheck(base: base, size: Int(header.size))
        let attributes = UInt64(header.attr_count) * UInt64(BlockLayout.attributeSize)
        guard block.holds(UInt64(header.kind_len), at: UInt64(header.kind_off)) else {
            throw .invalid(.kind, "has a kind that lies outside of the block")
        }
        guard header.attr_off % UInt32(BlockLayout.alignment) == 0,
            block.holds(attributes, at: UInt64(header.attr_off))
        else { throw .invalid(.form, "has attributes that lie outside of the block, or not at a multiple of 8 bytes") }
        block.note(UInt64(header.kind_len), at: UInt64(header.kind_off))
        let list = unsafe AttributeList(base: base, offset: Int(header.attr_off), count: Int(header.attr_count))
        try block.check(list)
        return block.isASCII || isUTF8(unsafe RecordView(record))
    }

    /// The kind of a record, for a message on it; nil where its header is wrong.
    static func kind(of record: UnsafePointer<tally_record>) -> String? {
        let header = unsafe record.pointee
        guard (1...UInt32(Limits.nameBytes)).contains(header.kind_len), header.size <= UInt32(Limits.recordBytes),
            UInt64(header.kind_off) + UInt64(header.kind_len) <= UInt64(header.size)
        else { return nil }
        return unsafe RecordView(record).kind.string
    }

    /// Looks at text by text: for records that are not ASCII throughout.
    private static func isUTF8(_ record: RecordView) -> Bool {
        guard unsafe isValidUTF8(record.kind.bytes) else { return false }
        return record.attributes.allSatisfy { unsafe isValidUTF8($0.name.bytes) && isUTF8($0.value) }
    }

    private static func isUTF8(_ value: ValueView) -> Bool {
        switch value {
        case .string(let text): unsafe isValidUTF8(text.bytes)
        case .list(let elements): elements.allSatisfy { isUTF8($0.value) }
        default: true
        }
    }
}

/// Checks the attributes of a block against its size and the limits.
@safe private struct BlockCheck {
    let base: UnsafeRawPointer
    let size: Int
    /// How many bytes the list that is looked at may still have: its texts and lists count towards it.
    private var room = 0
    /// Where the first of the texts begins, and the last ends.
    private var textStart = UInt64.max
    private var textEnd: UInt64 = 0

    init(base: UnsafeRawPointer, size: Int) {
        unsafe self.base = unsafe base
        self.size = size
    }

    /// Whether everything from the first text to the last is ASCII, in one go: the texts of a block lie together.
    var isASCII: Bool {
        guard textStart < textEnd else { return true }
        let texts = unsafe UnsafeRawBufferPointer(start: base + Int(textStart), count: Int(textEnd - textStart))
        return unsafe TextEncoding.isASCII(texts)
    }

    /// Whether bytes at an offset lie in the block.
    @inline(__always)
    func holds(_ count: UInt64, at offset: UInt64) -> Bool {
        let size = UInt64(size)
        return offset <= size && count <= size - offset
    }

    /// Notes where a text lies that the block holds.
    @inline(__always)
    mutating func note(_ count: UInt64, at offset: UInt64) {
        textStart = min(textStart, offset)
        textEnd = max(textEnd, offset &+ count)
    }

    /// Throws what is wrong with the attributes.
    ///
    /// Every record passes here, some with a hundred attributes: what is usual is looked at without calls.
    mutating func check(_ attributes: AttributeList) throws(OutputRefusal) {
        guard attributes.count > 0 else { return }
        let first = unsafe attributes[0].raw
        for index in 0..<attributes.count {
            let attribute = unsafe first + index
            let name = unsafe (count: UInt64(attribute.pointee.key_len), offset: UInt64(attribute.pointee.key_off))
            guard name.count > 0, name.count <= UInt64(Limits.nameBytes), holds(name.count, at: name.offset) else {
                throw nameRefusal(index, name.count)
            }
            note(name.count, at: name.offset)
            switch unsafe attribute.pointee.type {
            case ValueType.string, ValueType.bytes:
                let count = unsafe UInt64(attribute.pointee.len)
                guard count <= UInt64(Limits.valueBytes) else {
                    let what = "has in \(subject(attributes, index))"
                    throw .tooLarge(.value, what, count, "bytes", limit: Limits.valueBytes)
                }
                guard count > 0 else { continue }
                guard unsafe holds(count, at: attribute.pointee.v.off) else {
                    throw .invalid(.value, "has in \(subject(attributes, index)) a text outside of the block")
                }
                unsafe note(count, at: attribute.pointee.v.off)
            case ValueType.list:
                room = Limits.valueBytes
                do throws(OutputRefusal) {
                    unsafe try check(attribute.pointee, depth: 1)
                } catch {
                    let text = "has in \(subject(attributes, index)) \(error.description)"
                    throw OutputRefusal(rule: error.rule, status: error.status, description: text)
                }
            default: break
            }
        }
    }

    /// Throws what is wrong with a list or an element of one.
    private mutating func check(_ attribute: tally_attr, depth: Int) throws(OutputRefusal) {
        switch attribute.type {
        case ValueType.string, ValueType.bytes:
            unsafe try count(Int(attribute.len), at: attribute.v.off)
            if attribute.len > 0 { unsafe note(UInt64(attribute.len), at: attribute.v.off) }
        case ValueType.list:
            guard depth <= Limits.listDepth else {
                throw .tooLarge(.list, "lists in lists that are", depth, "deep", limit: Limits.listDepth)
            }
            let offset = unsafe attribute.v.off
            guard offset % UInt64(BlockLayout.alignment) == 0 else {
                throw .invalid(.list, "a list that does not lie at a multiple of 8 bytes")
            }
            try count(Int(attribute.len) * BlockLayout.attributeSize, at: offset)
            guard attribute.len > 0 else { return }
            let elements = unsafe AttributeList(base: base, offset: Int(offset), count: Int(attribute.len))
            for index in 0..<elements.count {
                unsafe try check(elements[index].raw.pointee, depth: depth + 1)
            }
        default: break
        }
    }

    /// Counts bytes of the list that is looked at.
    private mutating func count(_ count: Int, at offset: UInt64) throws(OutputRefusal) {
        guard count <= room else {
            let found = Limits.valueBytes - room + count
            throw .tooLarge(.list, "a list with", found, "bytes or more", limit: Limits.valueBytes)
        }
        room -= count
        guard count == 0 || holds(UInt64(count), at: offset) else {
            throw .invalid(.list, "a list with something outside of the block")
        }
    }

    // MARK: - Messages

    private func nameRefusal(_ index: Int, _ count: UInt64) -> OutputRefusal {
        if count == 0 { return .invalid(.attributeName, "has no name for attribute \(index + 1)") }
        if count > UInt64(Limits.nameBytes) {
            return .tooLarge(
                .attributeName,
                "has for attribute \(index + 1) a name of",
                count,
                "bytes",
                limit: Limits.nameBytes
            )
        }
        return .invalid(.attributeName, "has a name of attribute \(index + 1) that lies outside of the block")
    }

    /// An attribute whose name is whole.
    private func subject(_ attributes: AttributeList, _ index: Int) -> String {
        "attribute \(index + 1) \"\(attributes[index].name.string)\""
    }
}
