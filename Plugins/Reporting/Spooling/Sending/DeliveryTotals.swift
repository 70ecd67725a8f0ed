package import PluginKit

/// What became of beacons since the reporter was made, of all destinations together.
package struct DeliveryTotals: Sendable {
    /// Beacons that an earlier program had left in the spool; nil before a spool was opened.
    var found: Int64?
    /// The lasting counts by name, as far as they grew meanwhile.
    package var counts: [String: Int64] = [:]
    /// Beacons in the spool, and dead letters, whenever they came.
    package var waiting: Int64 = 0
    var dead: Int64 = 0

    /// Nothing became of anything yet.
    package init() {}

    init(found: Int64?, counts: [String: Int64], waiting: Int64, dead: Int64) {
        (self.found, self.counts, self.waiting, self.dead) = (found, counts, waiting, dead)
    }

    /// Reasons that are no loss of the reporter's: its host has counted two of them, and a person wanted the third.
    private static let others = Set(DropReason.ofHost + [.erased])

    /// The counts less others.
    static func difference(_ counts: [String: Int64], _ others: [String: Int64]) -> [String: Int64] {
        var left = counts
        for (name, count) in others { left[name, default: 0] -= count }
        return left
    }

    /// The totals as a host asks for them: what was found, taken and resent is delivered, waits or was given up.
    ///
    /// Beacons that were given up for other than `tolerated` reasons are `lost`.
    package func json(tolerating tolerated: [DropReason]) -> JSONValue {
        var reasons = JSONObject()
        var lost: Int64 = 0
        for reason in DropReason.allCases {
            guard let count = counts[reason.rawValue], count > 0 else { continue }
            reasons[reason.rawValue] = .int(count)
            if !Self.others.contains(reason), !tolerated.contains(reason) { lost += count }
        }
        return [
            "found": .int(found ?? 0), "taken": .int(counts["taken"] ?? 0), "resent": .int(counts["resent"] ?? 0),
            "delivered": .int(counts["delivered"] ?? 0), "waiting": .int(waiting), "dead": .int(dead),
            "given_up": .object(reasons), "lost": .int(lost),
        ]
    }
}
