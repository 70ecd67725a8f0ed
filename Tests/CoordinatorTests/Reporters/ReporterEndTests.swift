import PluginKit
import PluginLoading
internal import Reporting
import System
import Testing

/// How a reporter begins and ends.
@Suite struct ReporterEndTests {
    @Test("A reporter whose enable fails is an error with its words, and is never asked for anything")
    func enableFails() {
        let taken = Notes<Int>()
        var script = ScriptedReporter.Script()
        script.enable = { () throws(ReporterFault) in throw ReporterFault("no such directory") }
        script.take = { seen throws(ReporterFault) in
            taken.add(seen.count)
            return seen.count
        }
        script.disable = { taken.add(-1) }
        do throws(PluginError) {
            _ = try ScriptedReporter.make(script)
            Issue.record("it was made")
        } catch {
            guard case .failed("scripted", "enable", _, "no such directory") = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(taken.all.isEmpty)
    }

    @Test("Closing lets everything that waits be taken first, then disables")
    func drains() throws {
        let order = Notes<String>()
        var script = ScriptedReporter.Script()
        script.take = { seen throws(ReporterFault) in
            for output in seen { order.add("\(output.ordinal)") }
            return seen.count
        }
        script.disable = { order.add("disabled") }
        let reporter = try ScriptedReporter.make(script)
        RecordSource().send(3, to: reporter)
        #expect(reporter.close(limit: 60_000))
        #expect(order.all == ["1", "2", "3", "disabled"])
        #expect(reporter.close(limit: 60_000), "closing twice is no harm")
    }

    @Test("Closing gives up a reporter that hangs when the limit has passed")
    func hangs() throws {
        let gate = Gate()
        var script = ScriptedReporter.Script()
        script.take = { seen throws(ReporterFault) in
            gate.pass()
            return seen.count
        }
        let reporter = try ScriptedReporter.make(script)
        RecordSource().send(1, to: reporter)
        #expect(gate.waitForVisitor())
        #expect(!reporter.close(limit: 20))
        gate.open()
        #expect(reporter.close(limit: 60_000))
    }

    @Test("What comes after the end is dropped and counted, and holds nobody up", arguments: [true, false])
    func afterClose(waiting: Bool) throws {
        let reporter = try ScriptedReporter.make(ScriptedReporter.Script(), policy: waiting ? .wait : .dropOldest)
        #expect(reporter.close(limit: 60_000))
        let source = RecordSource(bytes: 100_000)
        source.send(200, to: reporter)
        #expect(reporter.statistics.dropped == 200)
    }

    @Test("A run that waits for room goes on when the reporter is closed although it hangs")
    func closedWhileWaiting() throws {
        let gate = Gate()
        var script = ScriptedReporter.Script()
        script.take = { seen throws(ReporterFault) in
            gate.pass()
            return seen.count
        }
        let reporter = try ScriptedReporter.make(script, policy: .wait)
        let done = Notes<UInt64>()
        let run = Thread(name: "run") {
            let source = RecordSource(bytes: 100_000)
            source.send(300, to: reporter)
            done.add(source.sent)
        }
        #expect(gate.waitForVisitor())
        #expect(!reporter.close(limit: 20))
        #expect(done.wait(for: 1))
        run.join()
        gate.open()
        #expect(reporter.close(limit: 60_000))
        let statistics = reporter.statistics
        #expect(statistics.dropped > 0 && statistics.taken + statistics.dropped == 300)
    }
}
