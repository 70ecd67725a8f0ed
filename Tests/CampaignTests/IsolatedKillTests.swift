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
        let failed = await CampaignRounds(campaign, count: 3, seed: 2).run { problem in Issue.record("\(problem)") }
        #expect(failed == 0)
        #expect(campaign.kills > 0)
    }
}
