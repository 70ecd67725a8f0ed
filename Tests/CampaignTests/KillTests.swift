import Campaigns
import TallyTesting
import Testing

/// A short, seeded slice of the long campaigns that `Scripts/soak` runs.
@Suite struct KillTests {
    @Test("A killed player leaves an archive that replays what was put out", arguments: [1, 4] as [UInt64])
    func killed(seed: UInt64) async throws {
        let media = try #require(CampaignMedia.clip, "ffmpeg cannot make the test media")
        let campaign = KillCampaign(binaries: PluginFiles.folder, media: media, folder: "/tmp")
        #expect(await campaign.round(seed: seed) == nil)
    }
}
