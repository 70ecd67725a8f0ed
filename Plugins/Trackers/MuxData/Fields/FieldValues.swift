/// The current values of all fields, and which of them changed since somebody asked last.
package final class FieldValues {
    private var values = [FieldValue](repeating: .absent, count: Field.allCases.count)
    /// The fields that have a value.
    package private(set) var present = FieldSet()
    /// The fields that were set to another value, or lost theirs, since the last beacon event.
    var changedForBeacon = FieldSet()
    /// The same since the last data event.
    var changedForData = FieldSet()

    /// Nothing is known.
    package init() {}

    /// The value of a field.
    package subscript(_ field: Field) -> FieldValue { values[Int(field.rawValue)] }

    /// The value of the field with an index.
    subscript(index index: Int) -> FieldValue { values[index] }

    /// The number of a field, nil when it has none.
    package func int(_ field: Field) -> Int64? {
        if case .int(let number) = values[Int(field.rawValue)] { number } else { nil }
    }

    /// Sets a whole number.
    @inline(__always)
    func set(_ field: Field, _ number: Int64) {
        let index = Int(field.rawValue)
        if case .int(let old) = values[index], old == number { return }
        replace(field, index, .int(number))
    }

    /// Sets a truth value.
    @inline(__always)
    func set(_ field: Field, _ truth: Bool) {
        let index = Int(field.rawValue)
        if case .flag(let old) = values[index], old == truth { return }
        replace(field, index, .flag(truth))
    }

    /// Sets text.
    func set(_ field: Field, _ text: String) {
        set(field, .text(text))
    }

    /// Sets a value; an absent one removes it.
    func set(_ field: Field, _ value: FieldValue) {
        let index = Int(field.rawValue)
        if values[index] == value { return }
        if value == .absent { return remove(field) }
        replace(field, index, value)
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
        values[Int(field.rawValue)] = .absent
        present.remove(field)
        note(field)
    }

    /// Removes the values of some fields.
    func remove(_ fields: FieldSet) {
        present.intersection(fields).forEachIndex { index in
            remove(FieldDefinition.all[index].field)
        }
    }

    private func replace(_ field: Field, _ index: Int, _ value: FieldValue) {
        values[index] = value
        present.insert(field)
        note(field)
    }

    private func note(_ field: Field) {
        changedForBeacon.insert(field)
        changedForData.insert(field)
    }
}
