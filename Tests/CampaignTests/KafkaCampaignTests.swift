import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A slice of `Scripts/soak kafka`.
@Suite struct KafkaCampaignTests {
    @Test("Every message arrives while brokers fail and the program is killed", arguments: [0, 1])
    func rounds(seed: UInt64) async {
        let files = TemporaryFolder()
        let campaign = KafkaCampaign(binaries: PluginFiles.folder, folder: files.path, sessions: 300)
        #expect(await campaign.round(seed: seed) == nil)
    }
}
