import Campaigns
import ChildPrograms
import TallyTesting
import TestFiles
import Testing

/// A short slice of `Scripts/soak hostile`, and its table.
@Suite struct HostileTests {
    private let files = TemporaryFolder()

    /// One of each subject.
    private static let slice = [
        "endless-timers", "bad-beacon", "write-event", "segfault", "exit", "flood", "fork", "deadlock", "sleep-enable",
    ]
    /// In a process of its own: an end, a hang, a signal to the player, and the loss of all that is open.
    private static let isolatedSlice = ["segfault", "loop", "end-parent", "close-all"]

    @Test("A hostile tracker costs neither the archive nor what others say more than the table says")
    func slice() async throws {
        let kinds = Self.slice.compactMap(HostileKind.named)
        let isolatedKinds = Self.isolatedSlice.compactMap(HostileKind.named)
        try #require(kinds.count == Self.slice.count && isolatedKinds.count == Self.isolatedSlice.count)
        let campaign = try await HostileCampaign(
            binaries: PluginFiles.folder,
            folder: files.path,
            kinds: kinds,
            isolatedKinds: isolatedKinds,
            seconds: 1.6,
            limit: hangLimit,
            mostGapMs: nil
        )
        let failed = await CampaignRounds(campaign, count: campaign.count, seed: 0).run { problem in
            Issue.record("\(problem)")
        }
        #expect(failed == 0)
        #expect(campaign.count == UInt64(kinds.count + isolatedKinds.count))
    }

    @Test("The page has every kind, as the campaign judges it")
    func page() throws {
        let text = try TestFile.source("docs/isolation.md")
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.ranges(of: " | ").count == 4 }.map(
            String.init
        )
        let table = HostileKind.table
        #expect(Set(HostileKind.all.map(\.id)).count == table.count && table.count > 100)
        #expect(rows == table, "put what `.build/debug/tally-soak hostile-table` prints into docs/isolation.md")
    }

    @Test("A playback that is as the table says has no problem, and each flaw is one")
    func judged() throws {
        let kind = try #require(HostileKind.named("slow"))
        var good = HostileObservation()
        good.first = .code(0)
        good.next = .code(0)
        (good.isWhole, good.isComplete, good.isNextWhole) = (true, true, true)
        good.otherLines = 1
        #expect(good.problems(of: kind, as: .goesOn(), mostGapMs: 1_200).isEmpty)
        let flaws: [(inout HostileObservation) -> Void] = [
            { $0.first = .hung }, { $0.first = .code(75) }, { $0.first = .code(-11) }, { $0.damage = ["line 3"] },
            { $0.isWhole = false }, { $0.isComplete = false }, { $0.hasLostEvents = true }, { $0.longestGapMs = 1_201 },
            { $0.difference = "line 7" }, { $0.otherLines = 0 }, { $0.next = .hung }, { $0.isNextWhole = false },
            { $0.isQuarantined = true },
        ]
        for (number, flaw) in flaws.enumerated() {
            var bad = good
            flaw(&bad)
            let problems = bad.problems(of: kind, as: .goesOn(), mostGapMs: 1_200)
            #expect(!problems.isEmpty, "flaw \(number)")
        }
        // A machine that is too busy says nothing of gaps.
        good.longestGapMs = 5_000
        #expect(good.problems(of: kind, as: .goesOn(), mostGapMs: nil).isEmpty)
    }

    @Test("A crash has to be told with the call, to leave the file out, and to let the next start play")
    func crashed() throws {
        let kind = try #require(HostileKind.named("segfault-timer"))
        var told = HostileObservation()
        told.first = .code(-11)
        told.next = .code(0)
        (told.isNextWhole, told.isQuarantined) = (true, true)
        told.message = ["tally-player: error: tracker hostile crashed in on_timer"]
        #expect(told.problems(of: kind, as: kind.inProcess, mostGapMs: nil).isEmpty)
        let flaws: [(inout HostileObservation) -> Void] = [
            { $0.first = .code(0) }, { $0.first = .code(-6) }, { $0.message = [] }, { $0.isQuarantined = false },
            { $0.message = ["tally-player: error: tracker hostile crashed in on_event"] }, { $0.next = .code(-11) },
            { $0.isNextWhole = false }, { $0.damage = ["line 3"] }, { $0.difference = "line 7" },
        ]
        for (number, flaw) in flaws.enumerated() {
            var bad = told
            flaw(&bad)
            #expect(!bad.problems(of: kind, as: kind.inProcess, mostGapMs: nil).isEmpty, "flaw \(number)")
        }
    }
}
