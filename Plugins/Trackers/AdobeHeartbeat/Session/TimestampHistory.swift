/// The timestamp of the last entry of each type of one asset, for `l:event:prev_ts`.
final class TimestampHistory {
    private(set) var timestamps = [Int64](repeating: -1, count: EntryType.allCases.count)

    /// Begins without an entry.
    init() {}

    /// Goes on where another one stood; nil when there is not one timestamp of each type.
    init?(_ timestamps: [Int64]) {
        guard timestamps.count == EntryType.allCases.count else { return nil }
        self.timestamps = timestamps
    }

    /// Notes the timestamp of an entry, ms, and gives the one before; -1 when there was none.
    func exchange(_ type: EntryType, _ timestamp: Int64) -> Int64 {
        let previous = timestamps[type.rawValue]
        timestamps[type.rawValue] = timestamp
        return previous
    }
}
