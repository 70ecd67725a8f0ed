internal import TextEncoding

/// A share of many, chosen by their ids: the same id is always in it or not, and each larger share holds the smaller
/// ones.
public struct SampleShare: Sendable, Equatable {
    private let limit: UInt64

    /// A share in percent, from 0 to 100; it counts in ten-thousandths of a percent.
    public init(percent: Double) {
        limit = UInt64(max(0, min(percent, 100)) * 10_000)
    }

    /// Whether an id is in it.
    public func has(_ id: String) -> Bool {
        var hash = SHA256()
        hash.update(id)
        let number = hash.finalize().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number % 1_000_000 < limit
    }
}
