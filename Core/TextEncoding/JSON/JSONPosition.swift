/// A place in a text.
public struct JSONPosition: Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int
    /// The offset in bytes, from 0.
    public let offset: Int

    /// Makes a position.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    /// Line and column as compilers write them: `3:14`.
    public var description: String { "\(line):\(column)" }
}
