import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A short slice of `Scripts/soak bandwidth`.
@Suite struct BandwidthTests {
    private let files = TemporaryFolder()

    @Test("Startup, a stall and a switch of the rendition are told as the server and the sink saw them")
    func told() async throws {
        let campaign = try await BandwidthCampaign(
            binaries: PluginFiles.folder,
            folder: files.path,
            seconds: 5,
            segmentSeconds: 1
        )
        let problem = await campaign.round(withoutSegment: 3)
        #expect(problem == nil)
        #expect(campaign.seen.stalls > 0 && campaign.seen.renditions > 1)
    }
}
