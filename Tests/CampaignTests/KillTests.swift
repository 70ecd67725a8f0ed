import Campaigns
import Glibc
import TallyTesting
import Testing

/// A short, seeded slice of the long campaigns that `Scripts/soak` runs.
@Suite struct KillTests {
    @Test("A killed player leaves an archive that replays what was put out", arguments: [1, 2, 4, 8] as [UInt64])
    func killed(seed: UInt64) throws {
        let media = try #require(Self.media, "ffmpeg cannot make the test media")
        let campaign = KillCampaign(binaries: PluginFiles.folder, media: media, folder: "/tmp")
        #expect(campaign.round(seed: seed) == nil)
    }

    /// Twenty seconds of a small picture with sound, made once.
    private static let media: String? = {
        let path = "/tmp/tally-campaign-\(getuid()).mp4"
        let made = "/tmp/tally-campaign-\(getpid()).part.mp4"
        let command = """
            ffmpeg -v error -y -f lavfi -i testsrc2=size=160x90:rate=25 -f lavfi -i sine -t 20 -c:v libx264 \
            -preset ultrafast -pix_fmt yuv420p -c:a aac -movflags +faststart \(made) && mv \(made) \(path)
            """
        return unsafe access(path, R_OK) == 0 || system(command) == 0 ? path : nil
    }()
}
