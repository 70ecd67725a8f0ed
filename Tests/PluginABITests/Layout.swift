import Testing

/// Expects each member at its offset, the members to fill the structure without a hole, and its size.
///
/// Without holes no member can be missing from the list: version 1 has explicit padding everywhere.
func expectLayout<Root>(
    of type: Root.Type,
    size: Int,
    alignment: Int = 8,
    _ members: [(path: PartialKeyPath<Root>, offset: Int)],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    var end = 0
    for (path, offset) in members {
        #expect(MemoryLayout<Root>.offset(of: path) == offset, "\(path)", sourceLocation: sourceLocation)
        #expect(offset == end, "a member before \(path) is not listed", sourceLocation: sourceLocation)
        end = offset + _openExistential(Swift.type(of: path).valueType, do: sizeOfValue)
    }
    #expect(end == size, "the last members are not listed", sourceLocation: sourceLocation)
    #expect(MemoryLayout<Root>.size == size, sourceLocation: sourceLocation)
    #expect(MemoryLayout<Root>.stride == size, sourceLocation: sourceLocation)
    #expect(MemoryLayout<Root>.alignment == alignment, sourceLocation: sourceLocation)
}

private func sizeOfValue<Value>(_ type: Value.Type) -> Int {
    MemoryLayout<Value>.size
}
