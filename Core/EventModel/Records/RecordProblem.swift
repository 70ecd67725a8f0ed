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
