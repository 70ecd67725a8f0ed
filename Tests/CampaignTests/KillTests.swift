import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A short, seeded slice of the long campaigns that `Scripts/soak` runs.
@Suite struct KillTests {
    private let files = TemporaryFolder()

    @Test("A killed player leaves an archive that replays what was put out", arguments: [1, 4] as [UInt64])
    func killed(seed: UInt64) async throws {
        let media = try await CampaignMedia.clip(in: files)
        let campaign = KillCampaign(binaries: PluginFiles.folder, media: media, folder: files.path)
        let problem = await campaign.round(seed: seed)
        #expect(problem == nil)
    }
}
