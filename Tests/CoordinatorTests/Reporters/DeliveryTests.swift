import PluginKit
import Tally
import TallyTesting
import Testing

/// What is handed to a reporter reaches its plugin once and in order, however the plugin takes it.
@Suite struct DeliveryTests {
    @Test("A reporter that takes half of what it is offered gets everything once and in order", arguments: [0, 1])
    func refusing(ready: Int) throws {
        let lines = Notes<String>()
        let log = PluginLog { _, _, message in lines.add(message) }
        let catalog = try Fixture.catalog("refusing-reporter")
        let reporter = try ReporterInstance(
            name: "refusing",
            entry: catalog.find("refusing-reporter"),
            configuration: #"{"ready":\#(ready)}"#,
            policy: .wait,
            log: log
        )
        let source = RecordSource()
        // Without `ready` each refusal costs the host's 100 ms.
        source.send(ready == 1 ? 50_000 : 20, to: reporter)
        let answers = reporter.flushed()
        #expect(answers.wait(for: 1))
        #expect(answers.all == [FlushAnswer(delivered: source.sent)])
        #expect(reporter.close(limit: 60_000))
        #expect(reporter.statistics.taken == source.sent && reporter.statistics.dropped == 0)
        let counts = try #require(lines.all.last)
        #expect(counts.contains("\"taken\":\(source.sent)"), "\(counts)")
        #expect(counts.contains("\"disordered\":0"), "\(counts)")
    }

    @Test("A reporter is offered only what it wants")
    func wants() throws {
        let kinds = Notes<OutputKind>()
        var script = ScriptedReporter.Script()
        script.wants = [.beacons, .sessions]
        script.take = { seen throws(ReporterFault) in
            for output in seen { kinds.add(output.kind) }
            return seen.count
        }
        let reporter = try ScriptedReporter.make(script)
        #expect(reporter.wanted == OutputKinds([.beacons, .sessions]).rawValue)
        let run = try Self.run(with: reporter)
        #expect(reporter.close(limit: 60_000))
        #expect(run.lines.contains { $0.kind == "beacon" } && run.lines.contains { $0.kind == "event" })
        #expect(kinds.all.first == .sessionBegin)
        #expect(kinds.all.count { $0 == .beacon } == run.lines.count { $0.kind == "beacon" })
        #expect(Set(kinds.all) == [.beacon, .sessionBegin, .sessionEnd])
    }

    @Test("A reporter that wants nothing in particular gets every kind, boundaries in their places")
    func everything() throws {
        let kinds = Notes<OutputKind>()
        var script = ScriptedReporter.Script()
        script.take = { seen throws(ReporterFault) in
            for output in seen { kinds.add(output.kind) }
            return seen.count
        }
        let reporter = try ScriptedReporter.make(script)
        let run = try Self.run(with: reporter)
        #expect(reporter.close(limit: 60_000))
        let boundaries = kinds.all.filter { [.runBegin, .sessionBegin, .sessionEnd, .runEnd].contains($0) }
        #expect(boundaries == [.runBegin, .sessionBegin, .sessionEnd, .runEnd])
        #expect(kinds.all.first == .runBegin && kinds.all.last == .runEnd)
        #expect(kinds.all.count { $0 == .record || $0 == .beacon } == run.lines.count)
    }

    @Test("An error costs the outputs that it was about, and is counted with its text")
    func errors() throws {
        let lines = Notes<String>()
        let taken = Notes<UInt64>()
        var script = ScriptedReporter.Script()
        script.take = { seen throws(ReporterFault) in
            guard seen.contains(where: { $0.ordinal == 1 }) else {
                for output in seen { taken.add(output.ordinal) }
                return seen.count
            }
            throw ReporterFault("the disk is full")
        }
        let reporter = try ScriptedReporter.make(script, log: PluginLog { _, _, message in lines.add(message) })
        let source = RecordSource()
        source.send(1, to: reporter)
        #expect(reporter.flushed().wait(for: 1))
        source.send(9, to: reporter)
        #expect(reporter.close(limit: 60_000))
        #expect(taken.all == Array(2...10))
        #expect(reporter.statistics.errors == 1 && reporter.statistics.dropped == 1)
        #expect(reporter.statistics.taken == 9)
        #expect(reporter.statistics.lastError == "the disk is full")
        #expect(lines.all.contains { $0.contains("the disk is full") })
    }

    @Test("A reporter that says it took more than it was offered is believed what it was offered")
    func tooMany() throws {
        let taken = Notes<UInt64>()
        var script = ScriptedReporter.Script()
        script.take = { seen throws(ReporterFault) in
            for output in seen { taken.add(output.ordinal) }
            return seen.count + 1_000
        }
        let reporter = try ScriptedReporter.make(script)
        let source = RecordSource()
        source.send(2_000, to: reporter)
        #expect(reporter.close(limit: 60_000))
        #expect(taken.all == Array(1...2_000))
        #expect(reporter.statistics.taken == 2_000)
    }

    @Test("Outputs of four runs at once all arrive, each run's in order")
    func manyRuns() throws {
        let seen = Notes<[ScriptedReporter.Seen]>()
        var script = ScriptedReporter.Script()
        script.take = { outputs throws(ReporterFault) in
            seen.add(outputs)
            return outputs.count
        }
        let reporter = try ScriptedReporter.make(script, policy: .wait)
        let threads = (0..<4).map { _ in
            Thread(name: "run") {
                RecordSource(bytes: 200).send(20_000, to: reporter)
            }
        }
        for thread in threads { thread.join() }
        #expect(reporter.close(limit: 60_000))
        let ordinals = seen.all.joined().map(\.ordinal)
        let expected = (0..<80_000).map { UInt64($0 / 4 + 1) }
        #expect(ordinals.sorted() == expected)
        // Of four rising sequences that are mixed, no number can come before its predecessor has come as often.
        var counts = [Int](repeating: 0, count: 20_001)
        counts[0] = 4
        for ordinal in ordinals.map(Int.init) {
            counts[ordinal] += 1
            if counts[ordinal] > counts[ordinal - 1] {
                Issue.record("\(ordinal) came before its predecessor")
                break
            }
        }
    }

    /// A run with the witness, its outputs to `reporter` and into memory.
    private static func run(with reporter: ReporterInstance) throws -> OutputTranscript {
        let memory = MemoryReporter()
        let telemetry = try Telemetry(
            plugins: [PluginSelection("witness", name: "witness")],
            catalog: Fixture.catalog("witness"),
            options: .init(),
            extraConsumers: [memory, reporter]
        )
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player)
        for action: PlayerAction in [.load, .play, .firstFrame, .pause, .unload] {
            player.perform(action, on: run)
        }
        run.destroy()
        return memory.contents
    }
}
