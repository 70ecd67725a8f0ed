import Glibc
import Tally
import TallyTesting
import Testing

/// What holds after every course of calls, legal or not, for both versions at once.
@Suite struct RandomSequenceTests {
    /// Courses of each test case; `TALLY_SEQUENCES=500` makes them 10,000.
    private static let courses = unsafe getenv("TALLY_SEQUENCES").flatMap { unsafe Int(String(cString: $0)) } ?? 25

    @Test("Invariants hold for any course of calls", arguments: 0..<20)
    func invariants(group: Int) throws {
        for course in 0..<Self.courses {
            let seed = UInt64(group * 100_000 + course)
            try check(seed: seed)
        }
    }

    private func check(seed: UInt64) throws {
        let sequence = ActionSequence(
            seed: seed,
            count: 60,
            legal: seed % 3 == 0 ? 30 : 92,
            longestWait: 6_000_000
        )
        let isQuiet = seed % 10 == 9
        let selections = [("new", Heartbeat.configuration), ("old", Heartbeat.oldConfiguration)].map { name, base in
            PluginSelection(
                "com.adobe.heartbeat",
                name: name,
                configuration: base.with(["quietMode": .bool(isQuiet)])
            )
        }
        let run = try VirtualRun(plugins: selections, sources: Heartbeat.sources).record { player, run, clock in
            // In some courses the delegate gives a chapter that cannot be used, in some no ad.
            if seed % 7 == 0 { player.change { $0.chapterAnswer = { $0.name("no position") } } }
            if seed % 5 == 0 { player.change { $0.adAnswer = { _ in } } }
            for step in sequence.steps {
                clock.advance(to: clock.now() + step.wait)
                run.pump()
                player.perform(step.action, on: run)
                run.pump()
            }
        }
        let halts = Halts(run.live.events)
        for name in ["new", "old"] {
            let lines = run.live.lines.filter { $0.instance == name && $0.kind != "beacon" }
            var invariants = Invariants(halts)
            for line in lines { invariants.take(line) }
            #expect(invariants.problems == [], "seed \(seed), \(name)")
            #expect(!isQuiet || lines.allSatisfy { $0.kind == "tracker_error" }, "seed \(seed), \(name)")
        }
    }
}
