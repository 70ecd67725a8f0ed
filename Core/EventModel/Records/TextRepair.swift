package import PluginABI
internal import TextEncoding

/// A copy of a record or a beacon in which all texts are UTF-8: what was none is U+FFFD there.
///
/// Made once, before an output is counted and handed on, so that live and replay, archive tools and every reporter see
/// the same bytes. A text can be three times as long as it was: the copy has to be checked again.
@safe package final class TextRepair {
    /// How many texts were repaired.
    package private(set) var count: UInt64 = 0
    private let memory: UnsafeMutableRawBufferPointer
    private var used = 0

    private init(capacity: Int) {
        unsafe memory = .allocate(byteCount: capacity, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Takes room for bytes, aligned to 8.
    private func allocate(_ count: Int) -> Int {
        let start = BlockLayout.aligned(used)
        used = start + count
        unsafe precondition(used <= memory.count, "a repaired output is larger than its announced size")
        return start
    }

    /// Keeps a text in good order; where it lies.
    private func keep(_ text: UnsafeRawBufferPointer) -> (offset: Int, count: Int) {
        guard var repaired = unsafe repairedUTF8(text) else { return unsafe (store(text), text.count) }
        count += 1
        return repaired.withUTF8 { unsafe (store(UnsafeRawBufferPointer($0)), $0.count) }
    }

    private func store(_ bytes: UnsafeRawBufferPointer) -> Int {
        let start = used
        used += bytes.count
        unsafe precondition(used <= memory.count, "a repaired output is larger than its announced size")
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[start..<used]).copyMemory(from: bytes)
        return start
    }

    // MARK: - Records

    /// A copy of a record that has passed its check.
    package static func record(_ record: UnsafePointer<tally_record>) -> TextRepair {
        // Texts may overlap in the block, and be written apart: each is as long as its limit at most.
        let view = unsafe RecordView(record)
        let attributes = view.attributes
        let texts = attributes.reduce(view.kind.count) { $0 + $1.name.count + size(of: $1.value) }
        let lists = MemoryLayout<tally_record>.size + attributes.count * BlockLayout.attributeSize
        let repair = TextRepair(capacity: BlockLayout.aligned(lists + 3 * texts) + 64)
        _ = repair.allocate(MemoryLayout<tally_record>.size)
        let first = repair.copy(attributes)
        let kind = unsafe repair.keep(view.kind.bytes)
        repair.used = BlockLayout.aligned(repair.used)
        unsafe repair.memory.storeBytes(
            of: tally_record(
                size: UInt32(clamping: repair.used),
                header_size: UInt32(MemoryLayout<tally_record>.size),
                flags: record.pointee.flags,
                kind_off: UInt32(clamping: kind.offset),
                kind_len: UInt32(clamping: kind.count),
                attr_off: UInt32(clamping: first),
                attr_count: UInt32(clamping: attributes.count),
                reserved0: 0
            ),
            as: tally_record.self
        )
        return repair
    }

    /// The record.
    package var record: UnsafePointer<tally_record>? {
        unsafe memory.baseAddress.map { unsafe UnsafePointer($0.assumingMemoryBound(to: tally_record.self)) }
    }

    /// Bytes of a value's texts and lists.
    private static func size(of value: ValueView) -> Int {
        switch value {
        case .string(let text), .bytes(let text): text.count
        case .list(let list): list.reduce(8 + list.count * BlockLayout.attributeSize) { $0 + size(of: $1.value) }
        default: 0
        }
    }

    /// Copies attributes or the elements of a list; where they lie.
    private func copy(_ list: AttributeList) -> Int {
        let start = allocate(list.count * BlockLayout.attributeSize)
        for (index, view) in list.enumerated() {
            var attribute = unsafe view.raw.pointee
            // An element of a list has no name.
            let name = attribute.key_len == 0 ? (offset: 0, count: 0) : unsafe keep(view.name.bytes)
            attribute.key_off = UInt32(clamping: name.offset)
            attribute.key_len = UInt16(clamping: name.count)
            switch view.value {
            case .string(let text): unsafe set(&attribute, keep(text.bytes))
            case .bytes(let bytes): unsafe set(&attribute, (store(bytes.bytes), bytes.count))
            case .list(let elements): set(&attribute, (copy(elements), elements.count))
            default: break
            }
            unsafe memory.storeBytes(
                of: attribute,
                toByteOffset: start + index * BlockLayout.attributeSize,
                as: tally_attr.self
            )
        }
        return start
    }

    private func set(_ attribute: inout tally_attr, _ place: (offset: Int, count: Int)) {
        attribute.len = UInt32(clamping: place.count)
        unsafe attribute.v.off = UInt64(place.offset)
    }

    // MARK: - Beacons

    /// A copy of a beacon that has passed its check, but for its body, records and flags: what its patches name moves
    /// with the address.
    package static func beacon(_ beacon: tally_beacon) -> (repair: TextRepair, beacon: tally_beacon) {
        let headers = unsafe UnsafeBufferPointer(start: beacon.headers, count: Int(beacon.header_count))
        let patches = unsafe UnsafeBufferPointer(start: beacon.patches, count: Int(beacon.patch_count))
        var texts = unsafe beacon.destination.len + beacon.method.len + beacon.url.len + beacon.credential.len
        for index in headers.indices { unsafe texts += headers[index].name.len + headers[index].value.len }
        let lists =
            unsafe headers.count * MemoryLayout<tally_header>.stride + patches.count * MemoryLayout<tally_patch>.stride
        let repair = TextRepair(capacity: BlockLayout.aligned(lists) + 3 * texts + 64)
        var copy = unsafe beacon
        let firstHeader = unsafe repair.allocate(headers.count * MemoryLayout<tally_header>.stride)
        let firstPatch = repair.allocate(patches.count * MemoryLayout<tally_patch>.stride)
        for index in headers.indices {
            let header = unsafe headers[index]
            let kept = unsafe tally_header(name: repair.text(header.name), value: repair.text(header.value))
            let place = unsafe firstHeader + index * MemoryLayout<tally_header>.stride
            unsafe repair.memory.storeBytes(of: kept, toByteOffset: place, as: tally_header.self)
        }
        for index in patches.indices {
            var patch = unsafe patches[index]
            if patch.part == TALLY_PART_URL { unsafe patch.off = moved(patch.off, in: bytes(of: beacon.url)) }
            let place = firstPatch + index * MemoryLayout<tally_patch>.stride
            unsafe repair.memory.storeBytes(of: patch, toByteOffset: place, as: tally_patch.self)
        }
        unsafe copy.destination = repair.text(beacon.destination)
        unsafe copy.method = repair.text(beacon.method)
        unsafe copy.url = repair.text(beacon.url)
        unsafe copy.credential = repair.text(beacon.credential)
        if let start = unsafe repair.memory.baseAddress {
            if !headers.isEmpty {
                unsafe copy.headers = UnsafePointer((start + firstHeader).assumingMemoryBound(to: tally_header.self))
            }
            if !patches.isEmpty {
                unsafe copy.patches = UnsafePointer((start + firstPatch).assumingMemoryBound(to: tally_patch.self))
            }
        }
        return unsafe (repair, copy)
    }

    private func text(_ text: tally_str) -> tally_str {
        let place = unsafe keep(Self.bytes(of: text))
        guard place.count > 0, let start = unsafe memory.baseAddress else {
            return unsafe tally_str(ptr: nil, len: 0)
        }
        return unsafe tally_str(
            ptr: UnsafePointer((start + place.offset).assumingMemoryBound(to: CChar.self)),
            len: place.count
        )
    }

    /// Where a place of a text lies when everything before it is repaired.
    private static func moved(_ offset: UInt64, in text: UnsafeRawBufferPointer) -> UInt64 {
        let before = unsafe UnsafeRawBufferPointer(rebasing: text[..<min(text.count, Int(offset))])
        return unsafe repairedUTF8(before).map { UInt64($0.utf8.count) } ?? offset
    }

    private static func bytes(of text: tally_str) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: text.ptr, count: text.len)
    }
}
