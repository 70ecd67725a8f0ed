import ChildPrograms
import PluginKit
import Tally
import TallyTesting
import Testing

/// A reporter that does not keep up costs its own outputs, and nobody else anything.
@Suite struct SlowReporterTests {
    @Test("A reporter that stands still holds up neither the run nor the other reporters")
    func delaysNobody() throws {
        let gate = Gate()
        var script = ScriptedReporter.Script()
        script.take = { seen throws(ReporterFault) in
            gate.pass()
            return seen.count
        }
        let slow = try ScriptedReporter.make(script)
        let quick = try ScriptedReporter.make(ScriptedReporter.Script())
        let memory = MemoryReporter()
        let telemetry = try Telemetry(
            plugins: [PluginSelection("witness", name: "witness")],
            catalog: Fixture.catalog("witness"),
            options: .init(),
            extraConsumers: [slow, quick, memory]
        )
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player)
        player.perform(.load, on: run)
        #expect(gate.waitForVisitor())
        for _ in 0..<500 {
            player.perform(.custom(name: "x", value: .null), on: run)
        }
        #expect(blocked { memory.contents.lines.count > 500 })
        let report = run.destroy(.drain(limit: 200))
        #expect(!report.inTime, "the one that stands still has not answered")
        #expect(slow.statistics.taken == 0)
        #expect(quick.close(limit: 60_000))
        #expect(quick.statistics.taken == UInt64(memory.contents.lines.count + memory.contents.events.count))
        gate.open()
        #expect(slow.close(limit: 60_000))
        #expect(slow.statistics.taken == quick.statistics.taken)
    }

    @Test("A full queue drops the oldest outputs, counts them, and says so before the first that is left")
    func gap() throws {
        let gate = Gate()
        let seen = Notes<ScriptedReporter.Seen>()
        var script = ScriptedReporter.Script()
        script.take = { outputs throws(ReporterFault) in
            gate.pass()
            for output in outputs { seen.add(output) }
            return outputs.count
        }
        let reporter = try ScriptedReporter.make(script)
        let source = RecordSource(bytes: 100_000)
        source.send(1, to: reporter)
        #expect(gate.waitForVisitor())
        source.send(100, to: reporter)
        // It lies among those that are dropped, and is answered all the same.
        let early = reporter.flushed()
        source.send(200, to: reporter)
        let answers = reporter.flushed()
        gate.open()
        #expect(early.wait(for: 1) && answers.wait(for: 1))
        // What comes in another batch has no gap before it.
        source.send(1, to: reporter)
        #expect(reporter.flushed().wait(for: 1))
        #expect(reporter.close(limit: 60_000))
        let dropped = reporter.statistics.dropped
        #expect(dropped > 200 && dropped < 300, "8 MiB of 30 MB are left")
        let gaps = seen.all.filter { $0.kind == .gap }
        #expect(gaps.map(\.lost) == [dropped])
        let ordinals = seen.all.filter { $0.kind == .record }.map(\.ordinal)
        #expect(ordinals == [1] + Array(dropped + 2...302))
        #expect(seen.all.firstIndex { $0.kind == .gap } == 1)
        #expect((early.all + answers.all).map(\.dropped) == [dropped, 0], "a loss is told once")
    }

    @Test("A reporter that wants no gaps gets none, and its losses are counted all the same")
    func noGaps() throws {
        let gate = Gate()
        let kinds = Notes<OutputKind>()
        var script = ScriptedReporter.Script()
        script.wants = .records
        script.take = { outputs throws(ReporterFault) in
            gate.pass()
            for output in outputs { kinds.add(output.kind) }
            return outputs.count
        }
        let reporter = try ScriptedReporter.make(script)
        let source = RecordSource(bytes: 100_000)
        source.send(1, to: reporter)
        #expect(gate.waitForVisitor())
        source.send(200, to: reporter)
        gate.open()
        #expect(reporter.close(limit: 60_000))
        #expect(Set(kinds.all) == [.record])
        let statistics = reporter.statistics
        #expect(statistics.dropped > 0 && statistics.taken + statistics.dropped == source.sent)
    }

    @Test("Where the run waits nothing is lost, however slow the reporter")
    func waits() throws {
        let gate = Gate()
        let seen = Notes<UInt64>()
        var script = ScriptedReporter.Script()
        script.take = { outputs throws(ReporterFault) in
            gate.pass()
            for output in outputs { seen.add(output.ordinal) }
            return outputs.count
        }
        let reporter = try ScriptedReporter.make(script, policy: .wait)
        let done = Notes<UInt64>()
        let run = Thread(name: "run") {
            let source = RecordSource(bytes: 100_000)
            source.send(500, to: reporter)
            done.add(source.sent)
        }
        #expect(gate.waitForVisitor())
        #expect(done.all.isEmpty, "50 MB do not fit: the run waits")
        gate.open()
        run.join()
        #expect(reporter.close(limit: 60_000))
        #expect(seen.all == Array(1...500))
        #expect(reporter.statistics.dropped == 0)
    }

    @Test("A real sleeper gets what it can, and its figures agree")
    func sleeper() throws {
        let lines = Notes<String>()
        let catalog = try Fixture.catalog("slow-reporter")
        let reporter = try ReporterInstance(
            name: "slow",
            entry: catalog.find("slow-reporter"),
            configuration: #"{"milliseconds":20}"#,
            policy: .dropOldest,
            log: PluginLog { _, _, message in lines.add(message) }
        )
        let source = RecordSource(bytes: 50_000)
        source.send(2_000, to: reporter)
        #expect(reporter.close(limit: 60_000))
        let statistics = reporter.statistics
        let counts = try #require(lines.all.last)
        #expect(statistics.dropped > 0)
        #expect(counts.contains("\"lost\":\(statistics.dropped),"), "\(counts)")
        #expect(counts.contains("\"records\":\(source.sent - statistics.dropped),"), "\(counts)")
    }

    @Test("Pieces of a merge that are dropped make room for as many")
    func droppedPieces() throws {
        let gate = Gate()
        var script = ScriptedReporter.Script()
        script.take = { seen throws(ReporterFault) in
            gate.pass()
            return seen.count
        }
        let reporter = try ScriptedReporter.make(script, policy: .wait)
        let merge = OutputMerge(lanes: 1, consumers: [reporter])
        let lane = merge.lane(0)
        let source = RecordSource(bytes: 100_000)
        let put = { (count: Int) in
            for _ in 0..<count {
                source.send(1, to: lane)
                lane.publish(upTo: source.sent)
            }
        }
        put(1)
        #expect(gate.waitForVisitor())
        put(12)
        #expect(reporter.dropQueued() == 12)
        let isPut = Condition(false)
        let filling = Filling { put(12) }
        let thread = Thread(name: "test") {
            filling.body()
            isPut.change { $0 = true }
        }
        let limit = hangLimit.components.seconds * 1_000_000
        let hasRoom = isPut.wait(until: SystemTime.monotonic() + limit) { $0 ? true : nil }
        #expect(hasRoom == true)
        gate.open()
        thread.join()
        lane.close()
        #expect(reporter.close(limit: 60_000))
        // The 13 that were not dropped, and the word that some were.
        #expect(reporter.statistics.taken == 14)
    }

    /// What one thread does after another.
    private struct Filling: @unchecked Sendable {
        let body: () -> Void
    }
}
