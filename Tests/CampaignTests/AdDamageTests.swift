import Campaigns
import TallyTesting
import Testing

/// A short, seeded slice of `Scripts/soak ads`.
@Suite struct AdDamageTests {
    @Test("Whatever a damaged document says, the main content is played to its end, and each ad and break has one")
    func damaged() async throws {
        let campaign = try AdCampaign(binaries: PluginFiles.folder, folder: "/tmp")
        let failed = await CampaignRounds(campaign, count: 12, seed: 1).run { problem in Issue.record("\(problem)") }
        #expect(failed == 0)
    }
}
