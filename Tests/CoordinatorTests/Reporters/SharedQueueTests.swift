import Coordinator
import PluginKit
internal import Reporting
import Testing

/// Each source of outputs has its part of a reporter's queue, and loses its own when the queue is full.
@Suite struct SharedQueueTests {
    /// A reporter that stands at a gate, and what it saw.
    private struct Held {
        let gate = Gate()
        let seen = Notes<ScriptedReporter.Seen>()
        let reporter: ReporterInstance

        init() throws {
            var script = ScriptedReporter.Script()
            script.take = { [gate, seen] outputs throws(ReporterFault) in
                gate.pass()
                for output in outputs { seen.add(output) }
                return outputs.count
            }
            reporter = try ScriptedReporter.make(script)
        }

        func ordinals(of instance: String) -> [UInt64] {
            seen.all.filter { $0.instance == instance && $0.kind == .record }.map(\.ordinal)
        }
    }

    @Test("A flood of small records pushes out no record of others and none of the core, and its loss is its own")
    func smallRecords() throws {
        let held = try Held()
        let (quiet, core) = (RecordSource(instance: "quiet"), RecordSource(instance: ""))
        let flood = RecordSource(bytes: 40, instance: "flood")
        flood.send(1, to: held.reporter)
        #expect(held.gate.waitForVisitor())
        for _ in 0..<10 {
            quiet.send(1, to: held.reporter)
            core.send(1, to: held.reporter)
            flood.send(20_000, to: held.reporter)
        }
        let answers = held.reporter.flushed()
        held.gate.open()
        #expect(held.reporter.close(limit: 60_000))
        #expect(answers.all.count == 1)
        #expect(held.ordinals(of: "quiet") == Array(1...10))
        #expect(held.ordinals(of: "") == Array(1...10))
        let statistics = held.reporter.statistics
        #expect(statistics.dropped > 100_000 && statistics.lostOf == ["flood": statistics.dropped])
        let gaps = held.seen.all.filter { $0.kind == .gap }
        #expect(gaps.map(\.instance) == ["flood"] && gaps.map(\.lost) == [statistics.dropped])
        // The newest are there without a gap among them, behind the one that was taken at once.
        #expect(held.ordinals(of: "flood") == [1] + Array(statistics.dropped + 2...200_001))
    }

    @Test("What others said stays in its order with the flood, and flushes in their places")
    func order() throws {
        let held = try Held()
        let quiet = RecordSource(bytes: 1_000, instance: "quiet")
        let flood = RecordSource(bytes: 100_000, instance: "flood")
        flood.send(1, to: held.reporter)
        #expect(held.gate.waitForVisitor())
        var answers: [Notes<FlushAnswer>] = []
        for _ in 0..<100 {
            quiet.send(1, to: held.reporter)
            flood.send(2, to: held.reporter)
            answers.append(held.reporter.flushed())
        }
        held.gate.open()
        #expect(held.reporter.close(limit: 60_000))
        #expect(answers.allSatisfy { $0.all.count == 1 })
        #expect(held.ordinals(of: "quiet") == Array(1...100))
        let floods = held.ordinals(of: "flood")
        #expect(floods.first == 1 && floods.last == 201 && floods.count < 120)
        #expect(floods == floods.sorted())
        // Behind each record of the flood that is left stands the quiet one that was said next.
        let last = held.seen.all.suffix(3).map { "\($0.instance) \($0.ordinal)" }
        #expect(last == ["quiet 100", "flood 200", "flood 201"])
    }

    @Test("Of two that flood each loses, and neither more than its half of the room")
    func twoFloods() throws {
        let held = try Held()
        let (one, other) = (
            RecordSource(bytes: 100_000, instance: "one"), RecordSource(bytes: 100_000, instance: "other")
        )
        one.send(1, to: held.reporter)
        #expect(held.gate.waitForVisitor())
        one.send(200, to: held.reporter)
        other.send(200, to: held.reporter)
        held.gate.open()
        #expect(held.reporter.close(limit: 60_000))
        let (ones, others) = (held.ordinals(of: "one").count, held.ordinals(of: "other").count)
        #expect(ones >= 30 && others >= 30 && ones + others <= 84, "\(ones) and \(others) of 100 kB in 8 MiB")
        #expect(held.reporter.statistics.lostOf.keys.sorted() == ["one", "other"])
    }

    @Test("The core's own events make way for nobody else's records, and for themselves when they are too many")
    func coreAlone() throws {
        let held = try Held()
        let (quiet, core) = (RecordSource(instance: "quiet"), RecordSource(bytes: 100_000, instance: ""))
        quiet.send(1, to: held.reporter)
        #expect(held.gate.waitForVisitor())
        quiet.send(9, to: held.reporter)
        core.send(300, to: held.reporter)
        held.gate.open()
        #expect(held.reporter.close(limit: 60_000))
        #expect(held.ordinals(of: "quiet") == Array(1...10))
        #expect(held.reporter.statistics.lostOf.keys.sorted() == [""])
        #expect(held.seen.all.filter { $0.kind == .gap }.map(\.instance) == [""])
    }
}
