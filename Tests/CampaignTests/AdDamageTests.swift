import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A short, seeded slice of `Scripts/soak ads`.
@Suite struct AdDamageTests {
    private let files = TemporaryFolder()

    @Test("Whatever a damaged document says, the main content is played to its end, and each ad and break has one")
    func damaged() async throws {
        let campaign = try await AdCampaign(binaries: PluginFiles.folder, folder: files.path)
        let failed = await CampaignRounds(campaign, count: 12, seed: 1).run { problem in Issue.record("\(problem)") }
        #expect(failed == 0)
    }
}
