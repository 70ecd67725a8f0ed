import Campaigns
import ChildPrograms
import TallyTesting
import TestFiles
import Testing

/// Short, seeded slices of long campaigns.
@Suite struct DeliveryCampaignTests {
    private let files = TemporaryFolder()

    @Test("Kills and a failing server cost no beacon", arguments: [1] as [UInt64])
    func delivered(seed: UInt64) async {
        let campaign = DeliveryCampaign(binaries: PluginFiles.folder, folder: files.path, beacons: 1_000)
        let problem = await campaign.round(seed: seed)
        #expect(problem == nil)
    }

    /// Four kinds of fault at a few calls from the first opening to the last commit.
    @Test("A system call on the spool that fails costs no beacon", arguments: [24, 160])
    func fault(call: UInt64) async {
        let campaign = SpoolFaultCampaign(binaries: PluginFiles.folder, folder: files.path)
        for kind in 0..<4 as Range<UInt64> {
            let problem = await campaign.round(seed: 2 * (4 * call + kind))
            #expect(problem == nil)
        }
    }

    @Test(
        "A full disk ends a replay with an error, and costs nothing when there is room again",
        // Under the thread sanitizer the test's own server takes minutes for the thousands of requests of 2 KiB.
        .disabled(if: ChildProgram.isUnderThreadSanitizer),
        arguments: [150, 400]
    )
    func fullDisk(calls: Int) async {
        let problem = await FullDiskRound(binaries: PluginFiles.folder, folder: files.path).run(calls: calls)
        #expect(problem == nil)
    }

    @Test("System calls on the spool that fail by chance, and kills, cost no beacon", arguments: [1] as [UInt64])
    func faults(seed: UInt64) async {
        let campaign = SpoolFaultCampaign(binaries: PluginFiles.folder, folder: files.path)
        let problem = await campaign.round(seed: seed)
        #expect(problem == nil)
    }
}
