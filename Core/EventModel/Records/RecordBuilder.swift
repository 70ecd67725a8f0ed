package import PluginABI

/// Builds one record after another in the same memory: after the first ones it allocates nothing.
///
/// Begin a record with its kind, set its attributes, hand it to the host. A name that is set again keeps its place and
/// gets the new value. A number keeps its kind: 2.0 stays a double, and is written as `2.0`.
@safe public final class RecordBuilder {
    // No method calls out while it changes these, and a dynamic exclusivity check would cost as much as a set.
    @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer
    @exclusivity(unchecked) private var writer: BlockWriter

    /// The first thing that could not be set since the record was begun.
    @exclusivity(unchecked) public private(set) var problem: RecordProblem?

    /// Makes a builder with memory for a small record; it grows with the first larger one.
    public init() {
        let capacity = 1024
        unsafe memory = .allocate(byteCount: capacity, alignment: BlockLayout.alignment)
        unsafe writer = unsafe BlockWriter(recordAt: memory, capacity: capacity, kind: UTF8Text(""))
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// How many attributes have been set.
    public var count: Int { unsafe writer.attributeCount }

    /// What has been set so far, until the next change.
    public var attributes: AttributeList { unsafe writer.attributes }

    /// Begins a record of a kind of 1 to 255 bytes; what was there before is gone.
    public func begin(_ kind: UTF8Text) {
        unsafe problem = nil
        unsafe writer = unsafe BlockWriter(recordAt: memory, capacity: writer.capacity, kind: kind)
        if kind.count == 0 || kind.count > Limits.nameBytes {
            unsafe problem = RecordProblem(name: "", outcome: .badName)
        }
    }

    /// Begins a record of a kind of 1 to 255 bytes; what was there before is gone.
    public func begin(_ kind: StaticString) {
        begin(UTF8Text(kind))
    }

    /// The attribute with a name until the next change, nil when there is none.
    public subscript(name: UTF8Text) -> AttributeView? {
        unsafe writer.attribute(named: name)
    }

    /// Gives the attribute at an index a whole number for its value; its name stays, and is not looked for.
    public func replace(at index: Int, with value: Int64) { replace(index, CanonicalNumber(value)) }

    /// Gives the attribute at an index a number for its value; its name stays, and is not looked for.
    public func replace(at index: Int, with value: Double) { replace(index, CanonicalNumber(ofRecord: value)) }

    private func replace(_ index: Int, _ number: CanonicalNumber) { unsafe writer.replace(index, number) }

    /// Gives the attribute at an index a truth value; its name stays, and is not looked for.
    public func replace(at index: Int, with value: Bool) {
        unsafe writer.replace(index, ValueType.bool, bits: value ? 1 : 0)
    }

    /// Takes an attribute out; those behind it move up.
    public func remove(_ name: UTF8Text) {
        unsafe writer.remove(name)
    }

    /// Gives an attribute another name in the same place; one that has the new name already is taken out.
    public func rename(_ name: UTF8Text, to new: UTF8Text) {
        write(new) { $0.rename(name, to: new) }
    }

    /// The record as the host takes it, valid until the next change.
    package var raw: UnsafePointer<tally_record> {
        _ = unsafe writer.finishRecord()
        return unsafe UnsafePointer(memory.assumingMemoryBound(to: tally_record.self))
    }

    /// The record, valid until the next change.
    public var view: RecordView {
        unsafe RecordView(raw)
    }

    // MARK: - Writing

    /// Writes an attribute, in larger memory when it does not fit.
    @inline(__always)
    func write(_ name: UTF8Text, _ body: (inout BlockWriter) -> AttributeOutcome) {
        let outcome = unsafe body(&writer)
        if outcome != .written { writeAgain(name, outcome, body) }
    }

    @inline(never)
    private func writeAgain(
        _ name: UTF8Text,
        _ first: AttributeOutcome,
        _ body: (inout BlockWriter) -> AttributeOutcome
    ) {
        var outcome = first
        while outcome == .blockFull, grow() {
            outcome = unsafe body(&writer)
        }
        if outcome != .written, unsafe problem == nil {
            unsafe problem = RecordProblem(name: name.string, outcome: outcome)
        }
    }

    /// Goes on in twice the memory; false when the record may not become larger.
    private func grow() -> Bool {
        let capacity = unsafe writer.capacity
        guard capacity < Limits.recordBytes else { return false }
        let larger = min(capacity * 2, Limits.recordBytes)
        let old = unsafe memory
        unsafe memory = .allocate(byteCount: larger, alignment: BlockLayout.alignment)
        unsafe writer.relocate(to: memory, capacity: larger)
        unsafe old.deallocate()
        return true
    }
}

/// Why an attribute is not in a record, or the record cannot be emitted.
public struct RecordProblem: Equatable, Sendable, CustomStringConvertible {
    /// The name of the attribute that was left out; empty when the record's kind is what is wrong.
    public let name: String
    /// What became of it.
    public let outcome: AttributeOutcome

    /// One line of text.
    public var description: String {
        if name.isEmpty, outcome == .badName {
            return "the kind or a name is empty or longer than \(Limits.nameBytes) bytes"
        }
        switch outcome {
        case .written: return "\"\(name)\" is written"
        case .badName: return "the name \"\(name)\" is longer than \(Limits.nameBytes) bytes; left out"
        case .valueTooLarge:
            return "the value of \"\(name)\" is above \(Limits.valueBytes) bytes or nested deeper than "
                + "\(Limits.listDepth); left out"
        case .tooMany: return "\"\(name)\" would be attribute \(Limits.attributes + 1); left out"
        case .blockFull: return "\"\(name)\" does not fit into \(Limits.recordBytes) bytes; left out"
        }
    }
}
