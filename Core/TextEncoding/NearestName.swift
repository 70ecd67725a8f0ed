/// Finds what a user may have meant by a name that does not exist.
package enum NearestName {
    /// The candidate that is closest to the name, or nil when none is close.
    ///
    /// Close means: at most one slip in three characters (a letter too many, too few, wrong, or two swapped), or one of
    /// the two names begins with the other. Of equally close candidates the first wins.
    package static func among(_ candidates: [String], to name: String) -> String? {
        var best: (candidate: String, slips: Int)?
        for candidate in candidates {
            let slips = slips(from: Array(name.lowercased()), to: Array(candidate.lowercased()))
            if slips < best?.slips ?? .max { best = (candidate, slips) }
        }
        if let best, best.slips <= max(1, max(name.count, best.candidate.count) / 3) { return best.candidate }
        guard name.count > 2 else { return nil }
        return candidates.first { $0.hasPrefix(name) || ($0.count > 2 && name.hasPrefix($0)) }
    }

    /// The number of slips between two names, where swapping two neighbours is one.
    private static func slips(from name: [Character], to other: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (row, character) in name.enumerated() {
            var current = [row + 1]
            for (column, candidate) in other.enumerated() {
                let replaced = last[column] + (character == candidate ? 0 : 1)
                var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == other[column - 1], name[row - 1] == candidate {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}
