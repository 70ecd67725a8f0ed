import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A short, seeded slice of `Scripts/soak streams`.
@Suite struct StreamTests {
    private let files = TemporaryFolder()

    @Test(
        "Whatever a stream is, the player ends with a documented reason, a whole archive and no more requests than it may"
    )
    func damaged() async throws {
        let campaign = try await StreamsCampaign(binaries: PluginFiles.folder, folder: files.path)
        // One of each kind, one of which the player asks for the same segments again and again, and a playlist that is
        // answered without a body.
        let problems = await withTaskGroup { group in
            for seed in [0, 1, 3, 4, 5, 6, 7, 129, 410] as [UInt64] {
                group.addTask { await campaign.round(seed: seed) }
            }
            return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        #expect(problems == [])
        #expect(campaign.engineFailures == [])
    }
}
