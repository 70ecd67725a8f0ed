public import PluginABI

/// The attributes of a block or the elements of a list value, in order, lent as long as the block is.
@safe public struct AttributeList: RandomAccessCollection {
    let base: UnsafeRawPointer
    let first: UnsafePointer<tally_attr>
    /// How many attributes.
    public let count: Int

    /// Lends `count` attributes that begin `offset` bytes after `base`.
    public init(base: UnsafeRawPointer, offset: Int, count: Int) {
        unsafe self.base = unsafe base
        unsafe first = unsafe (base + offset).assumingMemoryBound(to: tally_attr.self)
        self.count = count
    }

    /// Lends `count` attributes at `first`, whose offsets count from `base`.
    public init(base: UnsafeRawPointer, first: UnsafePointer<tally_attr>, count: Int) {
        unsafe self.base = unsafe base
        unsafe self.first = unsafe first
        self.count = count
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of attributes.
    public var endIndex: Int { count }

    /// The attribute at a place.
    public subscript(position: Int) -> AttributeView {
        precondition(position >= 0 && position < count, "attribute \(position) of \(count)")
        return unsafe AttributeView(base: base, raw: first + position)
    }

    /// The attribute with a well-known number, nil when it is absent.
    public subscript(key: AttributeKey) -> AttributeView? {
        for index in 0..<count where unsafe first[index].key_id == key.rawValue {
            return unsafe AttributeView(base: base, raw: first + index)
        }
        return nil
    }

    /// The attribute with a name, nil when it is absent.
    public subscript(name: StaticString) -> AttributeView? {
        first { $0.name == name }
    }
}
