import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A short slice of `Scripts/soak isolated-kills`.
@Suite struct IsolatedKillTests {
    private let files = TemporaryFolder()

    @Test("Trackers whose processes are ended and halted have said what a replay in one process says")
    func killed() async throws {
        let campaign = try await IsolatedKillCampaign(
            binaries: PluginFiles.folder,
            folder: files.path,
            milliseconds: 1_200
        )
        // Where other tests hold all threads, a player may be at its end before anything was done to its trackers.
        for seed in stride(from: UInt64(2), to: 32, by: 3) where campaign.kills == 0 {
            let failed = await CampaignRounds(campaign, count: 3, seed: seed).run { Issue.record("\($0)") }
            #expect(failed == 0)
        }
        #expect(campaign.kills > 0)
    }
}
