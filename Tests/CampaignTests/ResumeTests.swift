import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A short, seeded slice of a long campaign.
@Suite struct ResumeTests {
    private let files = TemporaryFolder()

    @Test("A replay that is killed goes on, and its output is that of one nobody disturbed", arguments: [1, 3])
    func resumed(seed: Int) async {
        let campaign = ResumeCampaign(binaries: PluginFiles.folder, folder: files.path)
        let problem = await campaign.round(seed: UInt64(seed))
        #expect(problem == nil)
    }
}
