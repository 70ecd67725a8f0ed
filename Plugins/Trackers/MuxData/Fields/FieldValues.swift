internal import PluginKit

/// The current values of all fields, and which of them changed since somebody asked last.
///
/// Numbers and texts lie apart, so that setting a number and comparing it counts no references.
@safe package final class FieldValues {
    /// What a field has; the number, the truth value, or the bits of the fraction lie in `bits`, texts in `texts`.
    private enum Kind: UInt8 {
        case absent, int, double, flag, text, json
    }

    private static let count = Field.allCases.count

    // No method calls out while it changes these.
    private let kinds: UnsafeMutablePointer<Kind>
    private let bits: UnsafeMutablePointer<Int64>
    @safe @exclusivity(unchecked) private var texts = [String](repeating: "", count: FieldValues.count)
    /// The fields that have a value.
    @safe @exclusivity(unchecked) package private(set) var present = FieldSet()
    /// The fields that were set to another value, or lost theirs, since the last beacon event.
    @safe @exclusivity(unchecked) var changedForBeacon = FieldSet()
    /// The same since the last data event.
    @safe @exclusivity(unchecked) var changedForData = FieldSet()
    /// The same since the last time update.
    @safe @exclusivity(unchecked) var changedForTimeUpdate = FieldSet()

    /// Nothing is known.
    package init() {
        unsafe kinds = .allocate(capacity: Self.count)
        unsafe bits = .allocate(capacity: Self.count)
        unsafe kinds.initialize(repeating: .absent, count: Self.count)
        unsafe bits.initialize(repeating: 0, count: Self.count)
    }

    deinit {
        unsafe kinds.deallocate()
        unsafe bits.deallocate()
    }

    /// The value of a field.
    package subscript(_ field: Field) -> FieldValue { self[index: Int(field.rawValue)] }

    /// The value of the field with an index.
    subscript(index index: Int) -> FieldValue {
        switch unsafe kinds[index] {
        case .absent: .absent
        case .int: unsafe .int(bits[index])
        case .double: unsafe .double(Double(bitPattern: UInt64(bitPattern: bits[index])))
        case .flag: unsafe .flag(bits[index] != 0)
        case .text: .text(texts[index])
        case .json: .json(texts[index])
        }
    }

    /// Whether the field with an index has text.
    func isText(index: Int) -> Bool {
        switch unsafe kinds[index] {
        case .text, .json: true
        default: false
        }
    }

    /// The number of a field, nil when it has none.
    package func int(_ field: Field) -> Int64? {
        let index = Int(field.rawValue)
        return unsafe kinds[index] == .int ? bits[index] : nil
    }

    /// Sets a whole number.
    @inline(__always)
    func set(_ field: Field, _ number: Int64) {
        put(field, .int, number)
    }

    /// Sets a truth value.
    @inline(__always)
    func set(_ field: Field, _ truth: Bool) {
        put(field, .flag, truth ? 1 : 0)
    }

    /// Sets text.
    func set(_ field: Field, _ text: String) {
        put(field, .text, text)
    }

    /// Sets a value; an absent one removes it.
    func set(_ field: Field, _ value: FieldValue) {
        switch value {
        case .absent: remove(field)
        case .int(let number): put(field, .int, number)
        case .double(let number):
            // 0 and -0 are the same value, and so is every number that is none.
            if case .double(let old) = self[field], old == number { return }
            put(field, .double, Int64(bitPattern: number.bitPattern))
        case .flag(let truth): put(field, .flag, truth ? 1 : 0)
        case .text(let text): put(field, .text, text)
        case .json(let text): put(field, .json, text)
        }
    }

    /// Sets a number that may not be known.
    @inline(__always)
    func set(_ field: Field, ifKnown number: Int64?) {
        if let number { set(field, number) } else { remove(field) }
    }

    /// Removes the value of a field.
    @inline(__always)
    func remove(_ field: Field) {
        guard present.contains(field) else { return }
        unsafe kinds[Int(field.rawValue)] = .absent
        present.remove(field)
        note(field)
    }

    /// Removes the values of some fields.
    func remove(_ fields: FieldSet) {
        present.intersection(fields).forEachIndex { index in
            remove(FieldDefinition.all[index].field)
        }
    }

    @inline(__always)
    private func put(_ field: Field, _ kind: Kind, _ value: Int64) {
        let index = Int(field.rawValue)
        if unsafe kinds[index] == kind, unsafe bits[index] == value { return }
        unsafe kinds[index] = kind
        unsafe bits[index] = value
        present.insert(field)
        note(field)
    }

    private func put(_ field: Field, _ kind: Kind, _ text: String) {
        let index = Int(field.rawValue)
        if unsafe kinds[index] == kind, texts[index] == text { return }
        unsafe kinds[index] = kind
        texts[index] = text
        present.insert(field)
        note(field)
    }

    /// Carries the values and what changed, for a replacement.
    func carry(by transfer: StateTransfer) {
        for definition in FieldDefinition.all {
            var value = self[definition.field]
            transfer.carry(&value)
            if transfer.isLoading { set(definition.field, value) }
        }
        transfer.carry(&changedForBeacon)
        transfer.carry(&changedForData)
    }

    private func note(_ field: Field) {
        changedForBeacon.insert(field)
        changedForData.insert(field)
        changedForTimeUpdate.insert(field)
    }
}
