import Coordinator
import EventModel
import PluginABI
import PluginKit
import Tally
import TallyTesting
import TestFiles
import Testing

/// A session of which nothing is heard for too long is ended, live and in the replay of a damaged archive alike.
@Suite struct SilenceTests {
    private static let hour: Int64 = 3_600_000_000
    private static let limit = 6 * hour

    /// Tells all that a tracker sees, with a timer each hour of a session that says something.
    private static func script(_ seen: Notes<String>) -> ScriptedTracker.Script {
        var script = ScriptedTracker.Script()
        script.begin = { host, snapshot throws(TrackerFault) in host.startTimer(at: snapshot.time + hour) }
        script.fire = { host, _, deadline in
            seen.add("timer \(deadline / hour)")
            host.say("tick")
            host.startTimer(at: deadline + hour)
        }
        script.handle = { _, event throws(TrackerFault) in
            let cause = event.attributes[.cause]?.string.map { " \($0.string)" } ?? ""
            seen.add("\(event.typeName.string) \(event.time)\(cause)")
        }
        script.end = { _, _, time in seen.add("end \(time)") }
        return script
    }

    /// What a tracker sees of a run in the replay of an archive whose lines, behind the header, are given.
    private static func replay(_ lines: [String], header: String = #""semantics":2"#) throws -> [String] {
        let first = #""n":0,"tally":{"format":1,\#(header),"core":"1","epoch_us":0,"trackers":[]}"#
        let numbered = [first] + lines.enumerated().map { #""n":\#($0 + 1),\#($1)"# }
        let folder = TemporaryFolder()
        let path = folder.write("a.tally", numbered.map { #"{"run":"r",\#($0)}"# + "\n" }.joined())
        let seen = Notes<String>()
        try ScriptedTracker.$script.withValue(script(seen)) {
            let selections = [ScriptedRun.selection]
            _ = try RecordedRun.replay(path, through: selections, from: [ScriptedTracker.source], asRecorded: false)
        }
        withExtendedLifetime(folder) {}
        return seen.all
    }

    private static func event(_ name: String, at time: Int64) -> String { #""t_us":\#(time),"event":"\#(name)""# }

    @Test("Live the session ends where the silence is too long, what the tracker says being no sign; a replay says so")
    func live() throws {
        let seen = Notes<String>()
        let run = try ScriptedRun.record(Self.script(seen), longestSilence: Self.limit) { player, run, clock in
            run.advance(clock, to: 8 * Self.hour)
            player.perform(.play, on: run)
            run.pump()
        }
        #expect(
            seen.all == [
                "video_load 0", "timer 1", "timer 2", "timer 3", "timer 4", "timer 5",
                "video_unload 21600000000 silence", "end 21600000000", "play 28800000000",
            ]
        )
        let replayed = Notes<String>()
        try ScriptedTracker.$script.withValue(Self.script(replayed)) {
            let replay = try run.replay(through: [ScriptedRun.selection], from: [ScriptedTracker.source])
            #expect(OutputTranscript.difference(run.live, replay) == nil)
            #expect(run.live.events == replay.events)
        }
        #expect(seen.all == replayed.all)
    }

    @Test("A load after the silence ends no session a second time")
    func load() throws {
        let seen = Notes<String>()
        _ = try ScriptedRun.record(Self.script(seen), longestSilence: Self.limit) { player, run, clock in
            clock.advance(to: 7 * Self.hour)
            player.perform(.load, on: run)
            run.pump()
        }
        #expect(
            seen.all.drop { $0 != "timer 5" } == [
                "timer 5", "video_unload 21600000000 silence", "end 21600000000", "video_load 25200000000",
                "end 25200000000",
            ]
        )
    }

    @Test("Ten jumps of a month cost six hours of timers each, whatever comes behind them")
    func jumps() throws {
        let month = 31 * 24 * Self.hour
        let loads = try Self.replay((0...10).map { Self.event("video_load", at: $0 * month) })
        #expect(loads.count { $0.hasPrefix("timer") } == 10 * 5)
        let samples = try Self.replay(
            [Self.event("video_load", at: 0)] + (1...10).map { Self.event("playhead_sample", at: $0 * month) }
        )
        #expect(samples.count { $0.hasPrefix("timer") } == 5)
    }

    @Test("A mark is a sign, and a silence that is not longer than the limit is none")
    func marks() throws {
        let load = Self.event("video_load", at: 0)
        let marked = (1...20 as ClosedRange<Int64>).map { #""t_us":\#($0 * Self.limit),"mark":true"# }
        #expect(try Self.replay([load] + marked).count { $0.hasPrefix("timer") } == 20 * 6 - 1)
        let late = try Self.replay([load, #""t_us":\#(Self.limit + 1),"mark":true"#])
        #expect(late.suffix(2) == ["video_unload 21600000000 silence", "end 21600000000"])
    }

    @Test("What held live is in the header, and the replay goes by it")
    func header() throws {
        let lines = [Self.event("video_load", at: 0), Self.event("pause", at: 3 * Self.hour)]
        let short = try Self.replay(lines, header: #""longest_silence_us":7200000000,"semantics":2"#)
        #expect(
            short == [
                "video_load 0", "timer 1", "video_unload 7200000000 silence", "end 7200000000", "pause 10800000000",
            ]
        )
        #expect(try Self.replay(lines) == ["video_load 0", "timer 1", "timer 2", "pause 10800000000"])
    }

    @Test("A sleep that was recorded is no silence, by either rules", arguments: [1, 2])
    func sleep(semantics: Int) throws {
        let length = 9 * Self.hour
        let told = semantics == 1 ? length + 5 : 5
        let sleep = Self.event("system_suspended", at: told) + #","attributes":{"step_us":\#(length)}"#
        let seen = try Self.replay(
            [Self.event("video_load", at: 0), sleep, Self.event("video_unload", at: length + 10)],
            header: #""semantics":\#(semantics)"#
        )
        #expect(seen.filter { !$0.hasPrefix("timer") }.last == "end \(length + 10)")
        #expect(!seen.contains { $0.hasSuffix("silence") }, "\(seen)")
        #expect(seen.count { $0.hasPrefix("timer") } == (semantics == 1 ? 9 : 0))
    }

    @Test("Nothing that is handled after a mark is dated before it")
    func behindMark() throws {
        var times: [Int64] = []
        let run = try Coordinator(
            run: RunDescription(id: "run", epoch: 0),
            trackers: [],
            consumers: [],
            recorder: nil,
            log: .silent
        )
        let block = BlockBuffer()
        run.mark(at: 2_000)
        for time: Int64 in [1_000, 3_000] {
            var writer = block.writer()
            unsafe writer.header.pointee.time_us = time
            _ = writer.finish(type: .playerReady)
            unsafe run.handle(writer.header)
            unsafe times.append(writer.header.pointee.time_us)
        }
        run.abandon()
        #expect(times == [2_000, 3_000])
    }
}
