internal import Glibc
internal import PluginABI

/// Builds one record after another in the same memory: after the first ones it allocates nothing.
///
/// Begin a record with its kind, set its attributes, hand it to ``TrackerHost/emit(_:)-(RecordBuilder)``. A name that is
/// set again keeps its place and gets the new value. Numbers are made canonical, so that 2.0 and 2 are the same.
@safe public final class RecordBuilder {
    // No method calls out while it changes these, and a dynamic exclusivity check would cost as much as a set.
    private let attributes: UnsafeMutablePointer<tally_attr>
    @exclusivity(unchecked) private var heap: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var heapCapacity = 4096
    @exclusivity(unchecked) private var heapCount = 0
    @exclusivity(unchecked) private var attributeCount = 0
    @exclusivity(unchecked) private var kindCount = 0
    @exclusivity(unchecked) private var names = NameIndex()

    /// The first thing that could not be set since the record was begun.
    @exclusivity(unchecked) public private(set) var problem: RecordProblem?

    /// Makes a builder with memory for a record of common size.
    public init() {
        unsafe attributes = .allocate(capacity: Limits.attributes)
        unsafe heap = unsafe .allocate(byteCount: heapCapacity, alignment: 8)
    }

    deinit {
        unsafe attributes.deallocate()
        unsafe heap.deallocate()
    }

    /// How many attributes have been set.
    public var count: Int { unsafe attributeCount }

    /// Begins a record of a kind of 1 to 255 bytes; what was there before is gone.
    public func begin(_ kind: UTF8Text) {
        unsafe attributeCount = 0
        unsafe heapCount = 0
        unsafe problem = nil
        unsafe names.removeAll()
        unsafe kindCount = min(kind.count, Limits.nameBytes)
        _ = unsafe append(UnsafeRawBufferPointer(rebasing: kind.bytes[0..<kindCount]))
        if kind.count == 0 || kind.count > Limits.nameBytes {
            unsafe problem = RecordProblem(name: "", outcome: .badName)
        }
    }

    /// Begins a record of a kind of 1 to 255 bytes; what was there before is gone.
    public func begin(_ kind: StaticString) {
        begin(UTF8Text(kind))
    }

    // MARK: - For the encoders of values

    /// The attribute with the name, new ones with a null value; nil when it is refused.
    func place(_ name: UTF8Text, flags: UInt8) -> UnsafeMutablePointer<tally_attr>? {
        guard name.count > 0, name.count <= Limits.nameBytes else { return unsafe refuse(name, .badName) }
        guard unsafe attributeCount < Limits.attributes else { return unsafe placed(name) ?? refuse(name, .tooMany) }
        guard reserve(name.count) else { return unsafe refuse(name, .blockFull) }
        let existing = unsafe names.find(NameIndex.hash(name), orInsert: attributeCount) { isNamed($0, name) }
        if let existing { return unsafe attributes + existing }
        let target = unsafe attributes + attributeCount
        unsafe target.initialize(
            to: tally_attr(
                key_off: UInt32(truncatingIfNeeded: heapCount),
                key_len: UInt16(truncatingIfNeeded: name.count),
                key_id: 0,
                type: TALLY_T_NULL,
                flags: flags,
                reserved0: 0,
                len: 0,
                v: .init(i: 0)
            )
        )
        _ = unsafe append(name.bytes)
        unsafe attributeCount += 1
        return unsafe target
    }

    /// Notes what could not be set, unless something was noted before.
    func refuse(_ name: UTF8Text, _ outcome: AttributeOutcome) -> UnsafeMutablePointer<tally_attr>? {
        if unsafe problem == nil {
            unsafe problem = RecordProblem(name: name.string, outcome: outcome)
        }
        return nil
    }

    /// Makes room for more bytes of text; false when the record would be too large.
    func reserve(_ more: Int) -> Bool {
        let wanted = unsafe heapCount + more
        if unsafe wanted <= heapCapacity { return true }
        guard unsafe wanted + (attributeCount + 1) * MemoryLayout<tally_attr>.stride <= Limits.recordBytes else {
            return false
        }
        let larger = unsafe max(wanted, heapCapacity * 2)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
        unsafe memcpy(memory, heap, heapCount)
        unsafe heap.deallocate()
        unsafe heap = unsafe memory
        unsafe heapCapacity = larger
        return true
    }

    /// Copies bytes behind the others and gives their offset; room has been made for them.
    func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let offset = unsafe heapCount
        if let start = bytes.baseAddress {
            unsafe memcpy(heap + offset, start, bytes.count)
        }
        unsafe heapCount = offset + bytes.count
        return offset
    }

    /// Sets aside an array of attributes behind the bytes and gives its offset; room has been made for it.
    func appendElements(_ count: Int) -> Int {
        let offset = unsafe (heapCount + 7) & ~7
        unsafe memset(heap + heapCount, 0, offset - heapCount + count * MemoryLayout<tally_attr>.stride)
        unsafe heapCount = offset + count * MemoryLayout<tally_attr>.stride
        return offset
    }

    /// The bytes at an offset, for writing over them.
    func bytes(at offset: Int) -> UnsafeMutableRawPointer {
        unsafe heap + offset
    }

    private func isNamed(_ index: Int, _ name: UTF8Text) -> Bool {
        let attribute = unsafe attributes[index]
        return unsafe Int(attribute.key_len) == name.count
            && memcmp(heap + Int(attribute.key_off), name.start, name.count) == 0
    }

    /// The attribute with the name when no new one can be placed.
    private func placed(_ name: UTF8Text) -> UnsafeMutablePointer<tally_attr>? {
        for index in unsafe 0..<attributeCount where isNamed(index, name) {
            return unsafe attributes + index
        }
        return nil
    }

    // MARK: - Handing over

    /// The record as the host takes it, valid until the next change.
    var raw: tally_record {
        unsafe tally_record(
            struct_size: UInt32(MemoryLayout<tally_record>.size),
            flags: 0,
            kind: tally_str(UnsafeRawBufferPointer(start: heap, count: kindCount)),
            attrs: attributes,
            attr_count: UInt64(attributeCount),
            heap: heap,
            heap_len: UInt64(heapCount)
        )
    }

    /// The kind, for messages.
    var kindText: String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: heap, count: kindCount), as: UTF8.self)
    }
}
