import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A short slice of `Scripts/soak collector`: one round of each fate.
@Suite struct CollectorCampaignTests {
    private let files = TemporaryFolder()

    @Test("What a collector has acknowledged is in an archive once, whatever happens to it")
    func fates() async {
        let campaign = CollectorCampaign(binaries: PluginFiles.folder, folder: files.path)
        let failed = await CampaignRounds(campaign, count: 4, seed: 0).run { problem in Issue.record("\(problem)") }
        #expect(failed == 0)
    }
}
