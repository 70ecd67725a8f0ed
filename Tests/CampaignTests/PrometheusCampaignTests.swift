import Campaigns
import RealServers
import TallyTesting
import Testing

/// A slice of `Scripts/soak prometheus`.
@Suite(.enabled(if: PrometheusServer.isInstalled, "run Scripts/bootstrap --tests")) struct PrometheusCampaignTests {
    @Test("A server that is killed has in the end what the reporter counted and sqlite says")
    func rounds() async {
        #expect(await PrometheusCampaign(binaries: PluginFiles.folder).round(seed: 3) == nil)
    }
}
