internal import TextEncoding

/// The smallest hashes of what was seen: how many different things that were, and a fair sample of them.
///
/// Which hashes are the smallest does not depend on the order, so parts that are merged give the same bytes as the
/// whole. Below ``limit`` the number is exact; above, its standard error is 1 / sqrt(limit - 2).
package struct SmallestHashes<Label: Sendable & Comparable>: Sendable {
    /// How many are kept.
    package let limit: Int
    /// What is kept, by ascending hash.
    package private(set) var kept: [(hash: UInt64, label: Label)] = []

    /// Keeps so many.
    package init(limit: Int) { self.limit = limit }

    /// Makes one of what was encoded; nil unless the hashes go up and are not too many.
    init?(limit: Int, kept: [(hash: UInt64, label: Label)]) {
        guard kept.count <= limit, zip(kept, kept.dropFirst()).allSatisfy({ $0.hash < $1.hash }) else { return nil }
        self.limit = limit
        self.kept = kept
    }

    /// Adds a thing; the same hash is the same thing.
    package mutating func add(_ hash: UInt64, _ label: Label) {
        if kept.count == limit, let last = kept.last, hash > last.hash { return }
        var (low, high) = (0, kept.count)
        while low < high {
            let middle = (low + high) / 2
            if kept[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        if low < kept.count, kept[low].hash == hash {
            kept[low].label = min(kept[low].label, label)
            return
        }
        kept.insert((hash, label), at: low)
        if kept.count > limit { kept.removeLast() }
    }

    /// Adds all that another has.
    package mutating func add(_ other: SmallestHashes) {
        for (hash, label) in other.kept { add(hash, label) }
    }

    /// How many different things were seen; an estimate once more than ``limit`` are.
    package var distinct: Int64 {
        guard kept.count == limit, let last = kept.last, limit > 1, last.hash > 0 else { return Int64(kept.count) }
        // The hashes lie evenly: so many of them up to the last one kept.
        return Int64((Int128(limit - 1) << 64) / Int128(last.hash))
    }

    /// Whether ``distinct`` is a count and no estimate.
    package var isExact: Bool { kept.count < limit }
}

/// A label that says nothing: only the number of things matters.
package struct NoLabel: Sendable, Comparable {
    /// The one label.
    package init() {}

    /// All are the same.
    package static func < (left: NoLabel, right: NoLabel) -> Bool { false }
}

extension SmallestHashes {
    /// The first eight bytes of the SHA-256 of bytes, the most significant first.
    static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        var digest = SHA256()
        unsafe digest.update(bytes)
        return digest.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The first eight bytes of the SHA-256 of a text's UTF-8.
    package static func hash(of text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { unsafe hash(of: UnsafeRawBufferPointer($0)) }
    }
}
