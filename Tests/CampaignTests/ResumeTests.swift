import Campaigns
import TallyTesting
import Testing

/// A short, seeded slice of a long campaign.
@Suite struct ResumeTests {
    @Test("A replay that is killed goes on, and its output is that of one nobody disturbed", arguments: [3])
    func resumed(seed: Int) async {
        let campaign = ResumeCampaign(binaries: PluginFiles.folder, folder: "/tmp")
        #expect(await campaign.round(seed: UInt64(seed)) == nil)
    }
}
