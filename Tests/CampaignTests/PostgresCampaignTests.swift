import Campaigns
import RealServers
import TallyTesting
import TestFiles
import Testing

/// A slice of `Scripts/soak postgres`.
@Suite(.enabled(if: PostgresServer.isInstalled, "run Scripts/bootstrap --tests")) struct PostgresCampaignTests {
    @Test("Nothing is missing and nothing twice, whichever side is killed")
    func rounds() async throws {
        let files = TemporaryFolder()
        let campaign = try await PostgresCampaign(binaries: PluginFiles.folder, folder: files.path, runs: 25)
        for seed: UInt64 in 0...1 {
            #expect(await campaign.round(seed: seed) == nil)
        }
    }
}
