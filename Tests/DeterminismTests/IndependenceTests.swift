import Tally
import TallyTesting
import Testing

/// Nothing that a tracker can observe depends on another plugin.
@Suite struct IndependenceTests {
    @Test("A tracker alone says what it says in company", arguments: 0..<5)
    func alone(seed: Int) throws {
        let sequence = ActionSequence(seed: UInt64(seed + 900), count: 150, legal: 85, longestWait: 2_000_000)
        let together = try VirtualRun(plugins: Trackers.selections, sources: Trackers.files)
            .record(sequence, seed: UInt64(seed))
        for selection in Trackers.selections {
            let alone = try together.replay(through: [selection], from: Trackers.files)
            #expect(alone.lines(of: selection.name) == together.live.lines(of: selection.name))
        }
    }

    @Test("Switching others on and off changes nothing for a tracker", arguments: 0..<5)
    func switching(seed: Int) throws {
        let quiet = ActionSequence(seed: UInt64(seed + 700), count: 150, legal: 85, longestWait: 2_000_000)
        let others = ["newrelic", "c", "swift", "second"]
        let restless = quiet.switching(others, seed: UInt64(seed))
        let runs = try [quiet, restless].map { sequence in
            try VirtualRun(plugins: Trackers.selections, sources: Trackers.files).record(sequence)
        }
        #expect(runs[0].live.lines(of: "witness") == runs[1].live.lines(of: "witness"))
        #expect(runs[0].live.lines(of: "newrelic") != runs[1].live.lines(of: "newrelic"))
    }

    @Test("Two instances of one plugin share nothing and carry their names")
    func instances() throws {
        let sequence = ActionSequence(seed: 42, count: 100, legal: 95, longestWait: 1_000_000)
        let run = try VirtualRun(plugins: Trackers.selections, sources: Trackers.files).record(sequence)
        let first = run.live.lines(of: "witness")
        let second = run.live.lines(of: "second")
        #expect(!first.isEmpty && !second.isEmpty)
        #expect(first != second.map { $0.replacing("second", with: "witness") })
    }
}
