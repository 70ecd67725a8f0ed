package import PluginKit

/// The value of a field.
package enum FieldValue: Equatable, Sendable {
    /// Not known.
    case absent
    /// A whole number.
    case int(Int64)
    /// A number that may have a fraction.
    case double(Double)
    /// True or false.
    case flag(Bool)
    /// Text.
    case text(String)
    /// JSON text, which a beacon holds as it is and a record as text.
    case json(String)

    /// The value of an attribute that an application set; nil for one that no field can have.
    init?(_ value: ValueView) {
        switch value {
        case .bool(let truth): self = .flag(truth)
        case .int(let number): self = .int(number)
        case .double(let number): self = number.isFinite ? .double(number) : .absent
        case .string(let text): self = .text(text.string)
        case .null: self = .absent
        case .list, .bytes, .unknown: return nil
        }
    }

    /// The number of seconds of a time in milliseconds: always of one kind, for those who read records.
    static func seconds(milliseconds: Int64) -> FieldValue { .double(Double(milliseconds) / 1000) }

    /// Writes the value into a beacon; text that is longer than the vendor's limit is cut.
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .absent: writer.null()
        case .int(let number): writer.int(number)
        case .double(let number):
            if number.magnitude < 1e15, Double(Int64(number)) == number {
                writer.int(Int64(number))
            } else {
                writer.double(number)
            }
        case .flag(let truth): writer.bool(truth)
        case .text(let text): writer.string(Self.cut(text))
        case .json(let text): writer.raw(text)
        }
    }

    /// The longest text in a beacon, bytes.
    static let longestText = 50 * 1024

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: longestText)
        while String.Index(end, within: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}

/// The current values of all fields, and which of them changed since a reader of the changes asked last.
///
/// Numbers and texts are kept apart, so that setting and comparing a number counts no references.
@safe struct FieldValues: ~Copyable {
    private enum Kind: UInt8 {
        case absent, int, double, flag, text, json
    }

    /// The number, the truth value, or the bits of the fraction; the text of the same index lies in `texts`.
    private struct Slot {
        var bits: Int64 = 0
        var kind = Kind.absent
    }

    private static let count = Field.allCases.count

    private let slots: UnsafeMutablePointer<Slot>
    private var texts = [String](repeating: "", count: FieldValues.count)
    /// The fields that have a value.
    private(set) var present = FieldSet()
    /// Those of them that have text.
    private(set) var textual = FieldSet()
    /// The fields that were set to another value, or lost theirs, since the last beacon event.
    var changedForBeacon = FieldSet()
    /// The same since the last data event.
    var changedForData = FieldSet()
    /// The same since the last time update.
    var changedForTimeUpdate = FieldSet()

    init() {
        unsafe slots = .allocate(capacity: Self.count)
        unsafe slots.initialize(repeating: Slot(), count: Self.count)
    }

    deinit { unsafe slots.deallocate() }

    // MARK: - Reading

    /// The value of a field.
    subscript(_ field: Field) -> FieldValue {
        let index = Int(field.rawValue)
        let slot = unsafe slots[index]
        return switch slot.kind {
        case .absent: .absent
        case .int: .int(slot.bits)
        case .double: .double(Double(bitPattern: UInt64(bitPattern: slot.bits)))
        case .flag: .flag(slot.bits != 0)
        case .text: .text(texts[index])
        case .json: .json(texts[index])
        }
    }

    /// The number of a field, nil when it has none.
    func int(_ field: Field) -> Int64? {
        let slot = unsafe slots[Int(field.rawValue)]
        return slot.kind == .int ? slot.bits : nil
    }

    /// The text of a field, nil when it has none.
    func text(_ field: Field) -> String? {
        let index = Int(field.rawValue)
        return unsafe slots[index].kind == .text ? texts[index] : nil
    }

    /// Whether a field has the same value in both.
    func agrees(with other: borrowing FieldValues, on field: Field) -> Bool {
        let index = Int(field.rawValue)
        let (mine, theirs) = unsafe (slots[index], other.slots[index])
        guard mine.kind == theirs.kind else { return false }
        return switch mine.kind {
        case .absent: true
        case .int, .flag: mine.bits == theirs.bits
        case .double: self[field] == other[field]
        case .text, .json: texts[index] == other.texts[index]
        }
    }

    /// Sets an attribute to a field's value, to null when there is none.
    @inline(__always)
    func write(_ field: Field, _ name: UTF8Text, to record: RecordBuilder) {
        let slot = unsafe slots[Int(field.rawValue)]
        switch slot.kind {
        case .int: record.set(name, slot.bits)
        case .flag: record.set(name, slot.bits != 0)
        case .double: record.set(name, Double(bitPattern: UInt64(bitPattern: slot.bits)))
        case .absent: record.setNull(name)
        case .text, .json:
            var text = texts[Int(field.rawValue)]
            text.withUTF8 { bytes in
                guard let start = bytes.baseAddress else { return record.set(name, UTF8Text("")) }
                unsafe record.set(name, UTF8Text(start: start, count: bytes.count))
            }
        }
    }

    /// Gives the attribute at an index the value of a field that has no text.
    @inline(__always)
    func write(_ field: Field, at index: Int, to record: RecordBuilder) {
        let slot = unsafe slots[Int(field.rawValue)]
        switch slot.kind {
        case .int: record.replace(at: index, with: slot.bits)
        case .flag: record.replace(at: index, with: slot.bits != 0)
        case .double: record.replace(at: index, with: Double(bitPattern: UInt64(bitPattern: slot.bits)))
        case .absent, .text, .json: break
        }
    }

    // MARK: - Setting

    /// Sets a whole number.
    @inline(__always)
    mutating func set(_ field: Field, _ number: Int64) { store(.int, number, in: field) }

    /// Sets a truth value.
    @inline(__always)
    mutating func set(_ field: Field, _ truth: Bool) { store(.flag, truth ? 1 : 0, in: field) }

    /// Sets text.
    mutating func set(_ field: Field, _ text: String) { store(.text, text, in: field) }

    /// Sets a value; an absent one removes it.
    mutating func set(_ field: Field, _ value: FieldValue) {
        switch value {
        case .absent: remove(field)
        case .int(let number): store(.int, number, in: field)
        case .double(let number):
            // 0 and -0 are the same value.
            if case .double(let old) = self[field], old == number { return }
            store(.double, Int64(bitPattern: number.bitPattern), in: field)
        case .flag(let truth): store(.flag, truth ? 1 : 0, in: field)
        case .text(let text): store(.text, text, in: field)
        case .json(let text): store(.json, text, in: field)
        }
    }

    /// Sets a number that may not be known.
    @inline(__always)
    mutating func set(_ field: Field, ifKnown number: Int64?) {
        if let number { set(field, number) } else { remove(field) }
    }

    /// Sets a field to an attribute's value, if it has one that a field can have.
    mutating func set(_ field: Field, _ attribute: AttributeView?) {
        guard let attribute, let value = FieldValue(attribute.value) else { return }
        set(field, value)
    }

    /// Removes the value of a field.
    @inline(__always)
    mutating func remove(_ field: Field) {
        guard present.contains(field) else { return }
        unsafe slots[Int(field.rawValue)].kind = .absent
        present.remove(field)
        textual.remove(field)
        markChanged(field)
    }

    /// Removes the values of some fields.
    mutating func remove(_ fields: FieldSet) { present.intersection(fields).forEachField { remove($0) } }

    @inline(__always)
    private mutating func store(_ kind: Kind, _ bits: Int64, in field: Field) {
        let index = Int(field.rawValue)
        let slot = unsafe slots[index]
        if slot.kind == kind, slot.bits == bits { return }
        unsafe slots[index] = Slot(bits: bits, kind: kind)
        present.insert(field)
        textual.remove(field)
        markChanged(field)
    }

    private mutating func store(_ kind: Kind, _ text: String, in field: Field) {
        let index = Int(field.rawValue)
        if unsafe slots[index].kind == kind, texts[index] == text { return }
        unsafe slots[index].kind = kind
        texts[index] = text
        present.insert(field)
        textual.insert(field)
        markChanged(field)
    }

    @inline(__always)
    private mutating func markChanged(_ field: Field) {
        changedForBeacon.insert(field)
        changedForData.insert(field)
        changedForTimeUpdate.insert(field)
    }
}
