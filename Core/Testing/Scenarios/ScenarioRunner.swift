internal import Tally

/// Runs scenarios and says what is not as expected.
public struct ScenarioRunner {
    /// How a scenario is run.
    public enum Mode: String, Sendable, CaseIterable {
        /// The tracker is linked into the test.
        case linked
        /// The tracker's file, as a host loads it.
        case file
        /// The archive of the run through the file, replayed through the file.
        case replay
    }

    /// The tracker's file.
    public let file: PluginSource
    /// The tracker linked in; nil for one that is not written in Swift.
    public let linked: PluginSource?

    /// Runs the scenarios of one tracker.
    public init(file: PluginSource, linked: PluginSource?) {
        self.file = file
        self.linked = linked
    }

    /// Runs a scenario and lists what differs from what it expects; empty when all is well.
    public func run(_ scenario: Scenario, _ mode: Mode) throws -> [String] {
        let source = mode == .linked ? linked ?? file : file
        var virtual = VirtualRun(plugins: [scenario.tracker], sources: [source])
        virtual.end = scenario.end
        let run = try virtual.record { player, run, clock in
            Self.perform(scenario, player, run, clock)
        }
        guard mode == .replay else { return Self.compare(run.live, scenario) }
        let replayed = try run.replay(through: [scenario.tracker], from: [file])
        var problems = Self.compare(replayed, scenario)
        if let difference = OutputTranscript.difference(run.live, replayed) {
            problems.append("live and replay differ: \(difference)")
        }
        return problems
    }

    private static func perform(
        _ scenario: Scenario,
        _ player: SyntheticPlayer,
        _ run: PlayerRun,
        _ clock: VirtualClock
    ) {
        player.change { $0 = scenario.player }
        let last = scenario.steps.last?.time ?? 0
        for step in scenario.steps {
            while scenario.sampled, clock.now() / 250_000 < step.time / 250,
                clock.now() >= (scenario.steps[0].time * 1000)
            {
                clock.advance(to: (clock.now() / 250_000 + 1) * 250_000)
                run.pump()
                guard clock.now() < step.time * 1000 else { break }
                player.perform(.sample, on: run)
            }
            clock.advance(to: step.time * 1000)
            let withheld = scenario.endsAtOnce && step.time == last
            if !withheld { run.pump() }
            player.perform(step.action, on: run)
            if step.sleep > 0 { player.sleep(microseconds: step.sleep * 1000, clock) }
            if !withheld { run.pump() }
        }
    }

    private static func compare(_ transcript: OutputTranscript, _ scenario: Scenario) -> [String] {
        var problems: [String] = []
        let lines = transcript.lines
        for index in 0..<max(lines.count, scenario.expected.count) {
            guard index < scenario.expected.count else {
                problems.append("\(index + 1): unexpected \(lines[index].text)")
                continue
            }
            let expected = scenario.expected[index]
            guard index < lines.count else {
                problems.append("\(index + 1): missing \(expected.kind) at \(expected.time) ms")
                continue
            }
            let line = lines[index]
            if line.kind != expected.kind || line.time != expected.time * 1000 {
                problems.append(
                    "\(index + 1): expected \(expected.kind) at \(expected.time) ms, got \(line.kind) at "
                        + "\(line.time / 1000) ms"
                )
            }
            for (name, value) in expected.has.sorted(by: { $0.key < $1.key }) where line.attributes[name] != value {
                let found = line.attributes[name].map { "\($0)" } ?? "nothing"
                problems.append("\(index + 1): \(line.kind): \(name) is \(found), expected \(value)")
            }
            for name in expected.lacks where line.attributes[name] != nil {
                problems.append("\(index + 1): \(line.kind): \(name) is there")
            }
        }
        return problems
    }
}
