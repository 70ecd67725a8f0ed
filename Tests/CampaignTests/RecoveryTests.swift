import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A short, seeded slice of a long campaign.
@Suite struct RecoveryTests {
    private let files = TemporaryFolder()

    @Test("What killed players left arrives by the next one, and nothing else does", arguments: [1] as [UInt64])
    func recovered(seed: UInt64) async throws {
        let media = try await CampaignMedia.clip(in: files)
        let campaign = RecoveryCampaign(binaries: PluginFiles.folder, media: media, folder: files.path)
        let problem = await campaign.round(seed: seed)
        #expect(problem == nil)
    }

    /// From the opening of a spool to the first commits behind it.
    @Test("What could not be written while it was recovered is recovered again", arguments: [54, 62])
    func fullDisk(calls: Int) async throws {
        let media = try await CampaignMedia.clip(in: files)
        let campaign = RecoveryCampaign(binaries: PluginFiles.folder, media: media, folder: files.path)
        let problem = await campaign.fullDisk(calls: calls)
        #expect(problem == nil)
    }
}
