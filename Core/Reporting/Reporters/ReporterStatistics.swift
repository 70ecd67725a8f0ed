/// What a reporter did so far.
public struct ReporterStatistics: Sendable, Equatable {
    /// Outputs that it took.
    public var taken: UInt64 = 0
    /// Outputs lost: to a full queue, or because the plugin failed on them.
    public var dropped: UInt64 = 0
    /// Errors that it returned.
    public var errors: UInt64 = 0
    /// The text of the last error, empty when there was none.
    public var lastError = ""

    /// How many times it said that there is room again, or while it was ended, that it still works.
    public var signs: UInt64 = 0

    /// Nothing happened yet.
    public init() {}
}
