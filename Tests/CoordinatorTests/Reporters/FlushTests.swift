import Coordinator
import PluginKit
internal import Reporting
import Testing

/// Each flush is answered once, in its place between the outputs, whatever becomes of the reporter.
@Suite struct FlushTests {
    @Test("A flush comes behind what was handed over before it, and before what comes after")
    func place() throws {
        let order = Notes<String>()
        var script = ScriptedReporter.Script()
        script.take = { seen throws(ReporterFault) in
            for output in seen { order.add("\(output.ordinal)") }
            return seen.count
        }
        script.flush = { host, request in
            order.add("flush \(request.session) of \(request.playerRunID)")
            host.answer(request, delivered: 3, kept: 2, dropped: 1)
        }
        let reporter = try ScriptedReporter.make(script)
        let source = RecordSource()
        source.send(2, to: reporter)
        let first = reporter.flushed(session: 1)
        source.send(1, to: reporter)
        let second = reporter.flushed(session: 2)
        source.send(1, to: reporter)
        #expect(reporter.close(limit: 60_000))
        #expect(order.all == ["1", "2", "flush 1 of run", "3", "flush 2 of run", "4", "flush 0 of "])
        #expect(reporter.statistics.dropped == 3, "one in each flush")
        #expect(first.all == [FlushAnswer(delivered: 3, kept: 2, dropped: 1)])
        #expect(second.all.count == 1)
    }

    @Test("Answering twice, or a flush that nobody asked for, does nothing")
    func twice() throws {
        var script = ScriptedReporter.Script()
        script.flush = { host, request in
            host.answer(request, delivered: 1, kept: 0, dropped: 0)
            host.answer(request, delivered: 2, kept: 0, dropped: 0)
        }
        let reporter = try ScriptedReporter.make(script)
        let answers = reporter.flushed()
        #expect(reporter.close(limit: 60_000))
        #expect(answers.all == [FlushAnswer(delivered: 1)])
    }

    @Test("An answer may come later and from another thread")
    func later() throws {
        let asked = Notes<@Sendable () -> Void>()
        var script = ScriptedReporter.Script()
        script.flush = { host, request in
            asked.add { host.answer(request, delivered: 7, kept: 0, dropped: 0) }
        }
        let reporter = try ScriptedReporter.make(script)
        let answers = reporter.flushed()
        #expect(asked.wait(for: 1))
        #expect(answers.all.isEmpty)
        for answer in asked.all { answer() }
        #expect(answers.all == [FlushAnswer(delivered: 7)])
        #expect(reporter.close(limit: 60_000))
        #expect(answers.all.count == 1)
    }

    @Test("A flush that the plugin never answers is answered when the plugin is gone")
    func never() throws {
        var script = ScriptedReporter.Script()
        script.flush = { _, _ in }
        let reporter = try ScriptedReporter.make(script)
        let answers = reporter.flushed()
        #expect(reporter.close(limit: 60_000))
        #expect(answers.all == [FlushAnswer()])
    }

    @Test("A flush after the end is answered at once")
    func afterClose() throws {
        let reporter = try ScriptedReporter.make(ScriptedReporter.Script())
        #expect(reporter.close(limit: 60_000))
        #expect(reporter.flushed().all == [FlushAnswer()])
    }

    @Test("Flushes in a part of the queue that is dropped are still asked, in their order")
    func dropped() throws {
        let gate = Gate()
        let order = Notes<UInt32>()
        var script = ScriptedReporter.Script()
        script.take = { seen throws(ReporterFault) in
            gate.pass()
            return seen.count
        }
        script.flush = { host, request in
            order.add(request.session)
            host.answer(request, delivered: 0, kept: 0, dropped: 0)
        }
        let reporter = try ScriptedReporter.make(script)
        let source = RecordSource(bytes: 100_000)
        source.send(1, to: reporter)
        #expect(gate.waitForVisitor())
        var answers: [Notes<FlushAnswer>] = []
        for session in 1...UInt32(200) {
            source.send(1, to: reporter)
            answers.append(reporter.flushed(session: session))
        }
        gate.open()
        #expect(reporter.close(limit: 60_000))
        #expect(reporter.statistics.dropped > 100)
        #expect(order.all == Array(1...200) + [0], "the last is that before its end")
        #expect(answers.allSatisfy { $0.all.count == 1 })
        #expect(answers.reduce(0) { $0 + ($1.all.first?.dropped ?? 0) } == reporter.statistics.dropped)
    }
}
