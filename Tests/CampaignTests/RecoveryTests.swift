import Campaigns
import TallyTesting
import Testing

/// A short, seeded slice of a long campaign.
@Suite struct RecoveryTests {
    @Test("What killed players left arrives by the next one, and nothing else does", arguments: [1, 2, 3] as [UInt64])
    func recovered(seed: UInt64) throws {
        let media = try #require(CampaignMedia.clip, "ffmpeg cannot make the test media")
        let campaign = RecoveryCampaign(binaries: PluginFiles.folder, media: media, folder: "/tmp")
        #expect(campaign.round(seed: seed) == nil)
    }
}
