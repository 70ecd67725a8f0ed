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

    /// From the opening of a spool to the first commits behind it.
    @Test("What could not be written while it was recovered is recovered again", arguments: [48, 54, 58, 62, 70])
    func fullDisk(calls: Int) throws {
        let media = try #require(CampaignMedia.clip, "ffmpeg cannot make the test media")
        let campaign = RecoveryCampaign(binaries: PluginFiles.folder, media: media, folder: "/tmp")
        #expect(campaign.fullDisk(calls: calls) == nil)
    }
}
