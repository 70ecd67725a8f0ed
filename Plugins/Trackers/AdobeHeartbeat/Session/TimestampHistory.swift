/// The timestamp of the last entry of each type of one asset, for `l:event:prev_ts`.
final class TimestampHistory {
    private var last = [Int64](repeating: -1, count: EntryType.allCases.count)

    /// Notes the timestamp of an entry, ms, and gives the one before; -1 when there was none.
    func exchange(_ type: EntryType, _ timestamp: Int64) -> Int64 {
        let previous = last[type.rawValue]
        last[type.rawValue] = timestamp
        return previous
    }
}
