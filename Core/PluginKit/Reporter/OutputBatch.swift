internal import PluginABI

/// Outputs in order, lent to ``Reporter/take(_:)`` until it returns.
@safe public struct OutputBatch: RandomAccessCollection {
    private let items: UnsafePointer<UnsafePointer<tally_output>>
    /// How many outputs.
    public let count: Int

    init(_ items: UnsafePointer<UnsafePointer<tally_output>>, count: Int) {
        unsafe self.items = unsafe items
        self.count = count
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of outputs.
    public var endIndex: Int { count }

    /// The output at a place.
    public subscript(position: Int) -> OutputView {
        precondition(position >= 0 && position < count, "output \(position) of \(count)")
        return unsafe OutputView(items[position])
    }
}
