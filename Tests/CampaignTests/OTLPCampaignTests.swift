import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A slice of `Scripts/soak otlp`.
@Suite struct OTLPCampaignTests {
    @Test("Every request arrives while the collector is stopped and the program is killed", arguments: [0, 1])
    func rounds(seed: UInt64) async {
        let files = TemporaryFolder()
        let campaign = OTLPCampaign(binaries: PluginFiles.folder, folder: files.path, sessions: 150)
        #expect(await campaign.round(seed: seed) == nil)
    }
}
