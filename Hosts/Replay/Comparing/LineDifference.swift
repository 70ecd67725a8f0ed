internal import TextEncoding

/// What differs between two outputs at one place.
struct LineDifference {
    /// One member that differs; nil where it is missing.
    struct Change {
        let path: String
        let left: JSONValue?
        let right: JSONValue?
    }

    /// How two outputs differ in a line.
    enum Form: String {
        case changed
        case onlyInA = "only_in_a"
        case onlyInB = "only_in_b"
    }

    let left: ComparedLine?
    let right: ComparedLine?
    /// What differs in lines that both have.
    let changes: [Change]

    var form: Form {
        left == nil ? .onlyInB : right == nil ? .onlyInA : .changed
    }

    /// The line of the first output, of the second when the first has none.
    var line: ComparedLine? { left ?? right }
}
