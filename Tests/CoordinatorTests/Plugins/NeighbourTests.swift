import EventModel
import PluginABI
import PluginKit
import Tally
import TallyTesting
import Testing

/// What a tracker says can hurt neither others nor what is kept of them; live and in replay it comes to the same.
///
/// One at a time: a thread that one of them leaves behind is blamed on the next tracker of the fixture.
@Suite(.serialized) struct NeighbourTests {
    @Test("What is not UTF-8 in a tracker's texts is U+FFFD in all that goes out, counted, and told once")
    func texts() throws {
        let run = try NeighbourRun(.texts)
        #expect(run.bytes.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
        let record = try #require(run.live.lines.first)
        #expect(record.kind == "ki\u{FFFD}nd")
        #expect(
            record.attributes == [
                "plain": .string("café"), "na\u{FFFD}me": .string("a\u{FFFD}z😀"), "nul": .string("a\0b"),
                "bytes": .bytes([0xFF, 0xFE]), "list": .list([.string("\u{FFFD}("), .int(-1)]),
            ]
        )
        let beacon = try #require(run.live.lines.first { $0.kind == "beacon" })
        #expect(beacon.text.contains("de\u{FFFD}st"))
        #expect(beacon.text.contains(" P\u{FFFD}UT http://h/\u{FFFD}\u{FFFD}?try=0#\u{FFFD} "))
        #expect(beacon.text.contains("[X-N\u{FFFD}: v\u{FFFD}\u{FFFD}\u{FFFD}]"))
        #expect(beacon.text.contains("patch 1/3@20+1"), "a patch moves with its text: \(beacon.text)")
        let error = try #require(run.live.lines.first { $0.kind == "tracker_error" })
        #expect(error.attributes["code"] == .string("co\u{FFFD}") && error.attributes["details"] == .string("fine"))
        #expect(run.statistics.repairedTexts == 12)
        #expect(run.log.count { $0.contains("is not UTF-8") } == 1)
        #expect(run.log.contains("li\u{FFFD}ne"))
        #expect(OutputTranscript.difference(run.live, run.replay) == nil && run.bytes == run.replayedBytes)
    }

    @Test("What is refused is counted, and the first of each reason is logged with what was wrong")
    func refused() throws {
        let run = try NeighbourRun(.refused)
        #expect(run.live.lines.map(\.kind) == ["told"])
        let told = run.live.lines.first?.attributes
        let expected = [
            TALLY_ERR_TOO_LARGE, TALLY_ERR_INVALID, TALLY_ERR_INVALID, TALLY_ERR_INVALID, TALLY_ERR_NOT_FOUND, TALLY_OK,
        ]
        #expect(told == Dictionary(uniqueKeysWithValues: expected.enumerated().map { ("s\($0)", .int(Int64($1))) }))
        #expect(run.statistics.refused == 6 && run.statistics.records == 1)
        let lines = run.log.filter { $0.hasPrefix("refused with ") }
        #expect(
            lines == [
                "refused with -7: a record \"many\" has 201 attributes, at most 200 are taken. Further ones of the kind "
                    + "are counted",
                "refused with -1: a beacon \"there\" has a NUL byte or a line break in its address. Further ones of the "
                    + "kind are counted",
                "refused with -1: a timer has the scope 9, which there is not. Further ones of the kind are counted",
                "refused with -8: a store \"unlisted\" has a key that the plugin's descriptor does not list. Further ones "
                    + "of the kind are counted",
            ]
        )
        #expect(OutputTranscript.difference(run.live, run.replay) == nil)
    }

    @Test("A thread of the plugin's own is refused in all that it says and asks for, and the log says so once")
    func thread() throws {
        let run = try NeighbourRun(.thread)
        #expect(run.live.lines.map(\.kind) == ["told"])
        let refused = PlainValue.int(Int64(TALLY_ERR_STATE))
        #expect(
            run.live.lines.first?.attributes == [
                "s0": refused, "s1": refused, "s2": refused, "s3": refused, "s4": refused, "s5": .int(0),
            ]
        )
        #expect(run.statistics.refused == 7 && run.statistics.timers == 0)
        #expect(run.log.count { $0.contains("on a thread of its own: refused") } == 1)
        #expect(run.log.contains("a foreign line"), "the log is open to any thread")
        #expect(OutputTranscript.difference(run.live, run.replay) == nil)
    }

    @Test("A thread that goes on behind its tracker's end reaches nothing, also not the next tracker")
    func leftBehind() throws {
        let first = try NeighbourRun(.leftBehind)
        #expect(first.live.lines.map(\.kind) == ["told"])
        #expect(first.statistics.beacons == 0)
        let second = try NeighbourRun(nil) { run in
            _ = try run.command(plugin: "bad", "join")
        }
        #expect(second.live.lines.map(\.kind) == ["told"])
        // Nor is the next one blamed for it.
        #expect(second.statistics.refused == 0)
        #expect(!second.log.contains { $0.contains("on a thread of its own: refused") })
    }

    @Test("What one call puts out is bounded, live and in replay alike")
    func flood() throws {
        let run = try NeighbourRun(.flood, records: Int64(Limits.callOutputs) + 10, keepsLines: false)
        #expect(run.counts == ["told": 1, "flood": Limits.callOutputs, "flooded": 1])
        #expect(run.replayedCounts == run.counts && run.replayedBytes == run.bytes)
        #expect(run.statistics.refused == 10)
        #expect(
            run.log.contains { $0.contains("\"flood\" would be number 100001 of one call, at most 100000 are taken") }
        )
    }

    @Test("The bytes of one call are bounded too, and each call begins anew")
    func bytesOfACall() throws {
        let taken = Notes<Bool>()
        var script = ScriptedTracker.Script()
        script.handle = { host, event throws(TrackerFault) in
            guard event.type == .play || event.type == .pause else { return }
            let record = RecordBuilder()
            record.begin("large")
            for index in 0..<4 {
                record.set(named: "text \(index)", .string(String(repeating: "x", count: 60_000)))
            }
            var count = 0
            while count < 1_000, host.emit(record) != 0 { count += 1 }
            let most = unsafe Limits.callBytes / record.view.block.count
            taken.add(count == most)
        }
        _ = try ScriptedRun.record(script) { player, run, _ in
            // Nobody keeps what comes out.
            run.trackConsent(.refused)
            player.perform(.play, on: run)
            player.perform(.pause, on: run)
        }
        #expect(taken.all == [true, true])
    }

    @Test("A copy of the process that a tracker forks has no archive, says nothing, and ends where it would return")
    func fork() throws {
        let run = try NeighbourRun(.fork)
        #expect(run.live.lines.map(\.kind) == ["forked"])
        #expect(run.live.lines.first?.attributes == ["archives": .int(1), "child": .int(0)])
        #expect(run.replay.lines.first?.attributes["child"] == .int(0))
    }
}
