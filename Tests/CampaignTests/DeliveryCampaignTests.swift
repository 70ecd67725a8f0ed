import Campaigns
import TallyTesting
import Testing

/// A short, seeded slice of a long campaign.
@Suite struct DeliveryCampaignTests {
    @Test("Kills and a failing server cost no beacon", arguments: [1, 2, 3, 4] as [UInt64])
    func delivered(seed: UInt64) {
        let campaign = DeliveryCampaign(binaries: PluginFiles.folder, folder: "/tmp")
        #expect(campaign.round(seed: seed) == nil)
    }
}
