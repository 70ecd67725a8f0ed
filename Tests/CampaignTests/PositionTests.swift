import Campaigns
import TallyTesting
import TestFiles
import Testing

/// A short slice of `Scripts/soak positions`.
@Suite struct PositionTests {
    private let files = TemporaryFolder()

    @Test("Playback goes on from two positions behind which less than a segment and a half is buffered, in each way")
    func positions() async throws {
        let segment: UInt64 = 4
        let campaign = try await PositionsCampaign(
            binaries: PluginFiles.folder,
            folder: files.path,
            segments: [Int(segment)]
        )
        let problems = await withTaskGroup { group in
            for way in 0..<8 as Range<UInt64> {
                for tenth in [15, 21] as [UInt64] {
                    group.addTask { await campaign.round(seed: way * segment * 30 + tenth) }
                }
            }
            return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        #expect(problems == [])
    }
}
