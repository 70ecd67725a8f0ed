/// Which beacons of one run and instance were taken: all up to a number, but for those that are known to be missing.
///
/// Beacons of a stream come in the order of their numbers. What a full queue or a full disk cost leaves a hole, which a
/// replay of the archive may fill; other holes are beacons that were not for this reporter.
package struct TakenStream: Equatable {
    /// What names a stream.
    struct Key: Hashable {
        let run: String
        let instance: String
    }

    /// The highest number that was taken.
    package private(set) var highest: UInt64
    /// Numbers below that were lost, in order.
    package private(set) var missing: [ClosedRange<UInt64>]
    /// How many losses had been told of when the last beacon came.
    private var losses: Int64 = 0

    /// Begins with what is known of a stream.
    package init(highest: UInt64, missing: [ClosedRange<UInt64>]) {
        self.highest = highest
        self.missing = missing
    }

    /// Takes a number; false when it was taken before.
    package mutating func take(_ ordinal: UInt64, losses now: Int64) -> Bool {
        defer { losses = now }
        if ordinal > highest {
            if now != losses, ordinal > highest + 1 {
                missing.append(highest + 1...ordinal - 1)
            }
            highest = ordinal
            return true
        }
        guard let index = missing.firstIndex(where: { $0.contains(ordinal) }) else { return false }
        let hole = missing.remove(at: index)
        if ordinal < hole.upperBound {
            missing.insert(ordinal + 1...hole.upperBound, at: index)
        }
        if ordinal > hole.lowerBound {
            missing.insert(hole.lowerBound...ordinal - 1, at: index)
        }
        return true
    }
}
