import Coordinator
import EventModel
import Glibc
import PluginABI
import PluginKit
import Tally
import TallyTesting
import TestFiles
import Testing

/// A playback rate of 0 is a pause for every tracker: the core says it where track calls become events.
@Suite struct RateOfZeroTests {
    /// What a tracker is told after the load, without the samples; what the core inserted has a plus sign.
    private static func course(_ steps: [(time: Int64, action: PlayerAction)]) throws -> [String] {
        let seen = Notes<String>()
        let run = try ScriptedRun.record(script(seen)) { player, run, clock in
            for step in steps {
                run.advance(clock, to: step.time * 1000)
                player.perform(step.action, on: run)
                run.pump()
            }
        }
        let replayed = Notes<String>()
        try ScriptedTracker.$script.withValue(script(replayed)) {
            let replay = try run.replay(through: [ScriptedRun.selection], from: [ScriptedTracker.source])
            #expect(OutputTranscript.difference(run.live, replay) == nil)
            #expect(run.live.events == replay.events)
        }
        #expect(seen.all == replayed.all)
        return seen.all
    }

    private static func script(_ seen: Notes<String>) -> ScriptedTracker.Script {
        var script = ScriptedTracker.Script()
        script.handle = { _, event throws(TrackerFault) in
            guard event.type != .videoLoad, event.type != .playheadSample else { return }
            let isImplicit = event.attributes[.implicit]?.bool == true
            let isFlagged = unsafe event.raw.pointee.flags & TALLY_EVENT_OUT_OF_ORDER != 0
            seen.add("\(isImplicit ? "+" : "")\(event.typeName.string) \(event.time / 1000)\(isFlagged ? " ?" : "")")
        }
        return script
    }

    @Test("A rate of 0 while playing is a pause at that instant, and another rate a play")
    func pauseAndPlay() throws {
        let seen = try Self.course([
            (0, .play), (0, .firstFrame), (1_000, .rate(0)), (1_500, .sample), (4_000, .rate(2)), (4_500, .sample),
            (5_000, .unload),
        ])
        #expect(
            seen == ["play 0", "first_frame 0", "+pause 1000", "+play 4000", "video_unload 5000"]
        )
    }

    @Test("Any event may tell the rate: what it implies comes behind it")
    func byAnyEvent() throws {
        let stand = PlayerAction.call(PlayerCall("stand") { player, _ in player.change { $0.rate = 0 } })
        let move = PlayerAction.call(PlayerCall("move") { player, _ in player.change { $0.rate = 1 } })
        let seen = try Self.course([
            (0, .play), (1_000, stand), (1_000, .quality), (2_000, move), (2_000, .firstFrame), (3_000, .unload),
        ])
        #expect(
            seen == [
                "play 0", "quality_sample 1000", "+pause 1000", "first_frame 2000", "+play 2000", "video_unload 3000",
            ]
        )
    }

    @Test("A play at a rate of 0 is told, and is a pause until the rate is another")
    func playAtZero() throws {
        let seen = try Self.course([
            (0, .rate(0)), (0, .play), (250, .rate(1)), (1_000, .pause), (2_000, .rate(0)), (3_000, .play),
            (4_000, .unload),
        ])
        #expect(
            seen == [
                "play 0", "+pause 0", "+play 250", "pause 1000", "play 3000", "+pause 3000", "video_unload 4000",
            ]
        )
    }

    @Test("What the player has paused by a call goes on by a call alone, also when the rate was 0 before")
    func callsDecide() throws {
        let seen = try Self.course([
            (0, .play), (1_000, .rate(0)), (1_005, .pause), (2_000, .rate(1)), (2_005, .play), (3_000, .pause),
            (3_000, .rate(0)), (4_000, .rate(1)), (5_000, .play), (6_000, .unload),
        ])
        #expect(
            seen == [
                "play 0", "+pause 1000", "pause 1005", "play 2005", "pause 3000", "play 5000", "video_unload 6000",
            ]
        )
    }

    @Test("A seek and a wait for data hold playback: a rate of 0 is a pause once they are over")
    func held() throws {
        let seen = try Self.course([
            (0, .play), (1_000, .bufferStart(.stall)), (1_000, .rate(0)), (2_000, .rate(1)), (2_000, .bufferComplete),
            (3_000, .seekStart(to: 9)), (3_000, .rate(0)), (4_000, .seekComplete), (5_000, .seekStart(to: 20)),
            (6_000, .seekComplete), (7_000, .rate(1)), (8_000, .unload),
        ])
        #expect(
            seen == [
                "play 0", "buffer_start 1000", "buffer_complete 2000", "seek_start 3000", "seek_complete 4000",
                "+pause 4000", "seek_start 5000", "seek_complete 6000", "+play 7000", "video_unload 8000",
            ]
        )
    }

    @Test("Before playback, after its end and outside a session a rate of 0 says nothing")
    func nothingToPause() throws {
        let seen = try Self.course([
            (0, .rate(0)), (1_000, .rate(1)), (2_000, .play), (3_000, .complete), (3_000, .rate(0)), (4_000, .rate(1)),
            (5_000, .unload), (6_000, .play), (6_500, .rate(0)), (7_000, .rate(1)),
        ])
        #expect(seen == ["play 2000", "complete 3000", "video_unload 5000", "play 6000 ?"])
    }

    @Test("A playhead that moves without a play is playback as well; a place that is told at a rate of 0 is none")
    func movesUntold() throws {
        let move = PlayerAction.call(PlayerCall("move") { player, _ in player.change { $0.moving = true } })
        let seen = try Self.course([
            (0, .rate(0)), (0, .show(.position(60_000))), (100, .sample), (200, .rate(1)), (200, move), (450, .sample),
            (1_000, .rate(0)), (2_000, .rate(1)), (3_000, .load), (3_000, .rate(0)), (4_000, .unload),
        ])
        #expect(
            seen == ["+pause 1000", "+play 2000", "+video_unload 3000", "video_unload 4000"]
        )
    }

    @Test("A next session begins anew, and an ad is paused like the content")
    func sessions() throws {
        let seen = try Self.course([
            (0, .play), (1_000, .rate(0)), (2_000, .load), (3_000, .rate(1)), (3_000, .play), (4_000, .adBreakStart),
            (4_000, .adStart(1)), (5_000, .rate(0)), (6_000, .rate(1)), (7_000, .unload),
        ])
        #expect(
            seen == [
                "play 0", "+pause 1000", "+video_unload 2000", "play 3000", "ad_break_start 4000", "ad_start 4000",
                "+pause 5000", "+play 6000", "video_unload 7000",
            ]
        )
    }

    @Test("An archive from before the rule is replayed as it is: nothing is inserted into it")
    func oldArchive() throws {
        let run = try ScriptedRun.record(Self.script(Notes())) { player, run, clock in
            player.perform(.play, on: run)
            run.advance(clock, to: 1_000_000)
            player.perform(.rate(0.5), on: run)
            run.advance(clock, to: 3_000_000)
            player.perform(.quality, on: run)
        }
        let archive = try String(decoding: WholeFile.read(run.archive), as: UTF8.self)
        let old = archive.replacing(#""rate_milli":500"#, with: #""rate_milli":0"#)
        #expect(old != archive)
        let seen = Notes<String>()
        let folder = TemporaryFolder()
        try ScriptedTracker.$script.withValue(Self.script(seen)) {
            _ = try RecordedRun.replay(
                folder.write("old.tally", old),
                through: [ScriptedRun.selection],
                from: [ScriptedTracker.source]
            )
        }
        #expect(seen.all == ["play 0", "quality_sample 3000"])
    }
}
