internal import Glibc
internal import System

/// The rounds of a campaign, one after another or several at once.
package final class CampaignRounds: Sendable {
    private struct Progress {
        var next: UInt64 = 0
        var failed: UInt64 = 0
    }

    private let campaign: any Campaign
    private let count: UInt64
    private let seed: UInt64
    private let progress = Lock(Progress())

    /// Prepares `count` rounds; round i has the seed `seed` + i.
    package init(_ campaign: any Campaign, count: UInt64, seed: UInt64) {
        self.campaign = campaign
        self.count = count
        self.seed = seed
    }

    /// Runs them; gives how many failed, each of which is said.
    package func run(_ say: @escaping @Sendable (String) -> Void) async -> UInt64 {
        await withTaskGroup { group in
            for _ in 0..<max(campaign.roundsAtOnce, 1) {
                group.addTask { await self.work(say) }
            }
        }
        return progress.with { $0.failed }
    }

    private func work(_ say: (String) -> Void) async {
        while let round = next() {
            // Into a file lines would come thousands at a time.
            defer { fflush(nil) }
            guard let problem = await campaign.round(seed: seed + round) else { continue }
            progress.with { $0.failed += 1 }
            say("round with seed \(seed + round) failed: \(problem)")
        }
    }

    private func next() -> UInt64? {
        progress.with { progress in
            guard progress.next < count else { return nil }
            defer { progress.next += 1 }
            return progress.next
        }
    }
}
