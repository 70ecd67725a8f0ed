import Coordinator
import EventModel
import PluginABI
import PluginKit
import Tally
import TallyTesting
import Testing

/// What the state holds after events and reports.
@Suite struct PlayerStateTests {
    @Test("What a player reports stays until it reports something else")
    func members() {
        var machine = PlayerStateMachine()
        machine.take(.videoLoad) { state in
            state.known = TALLY_KNOWN_DURATION | TALLY_KNOWN_SIZE | TALLY_KNOWN_MUTED
            state.duration_ms = 60_000
            state.width = 1_280
            state.height = 720
            state.flags = TALLY_STATE_MUTED
            state.bitrate_bps = 99
        }
        machine.take(.playheadSample) { state in
            state.known = TALLY_KNOWN_BITRATE
            state.bitrate_bps = 1_000
        }
        let state = machine.state(at: 0)
        #expect(state.duration_ms == 60_000 && state.width == 1_280 && state.height == 720)
        #expect(state.bitrate_bps == 1_000)
        #expect(state.flags & TALLY_STATE_MUTED != 0)
        #expect(
            state.known == TALLY_KNOWN_DURATION | TALLY_KNOWN_SIZE | TALLY_KNOWN_MUTED | TALLY_KNOWN_BITRATE
        )
    }

    @Test("At the end of a session the video is forgotten; volume, rate and the window are not")
    func session() {
        var machine = PlayerStateMachine()
        machine.take(.videoLoad) { state in
            state.known = TALLY_KNOWN_DURATION | TALLY_KNOWN_VOLUME | TALLY_KNOWN_LIVE | TALLY_KNOWN_FULLSCREEN
            state.duration_ms = 60_000
            state.volume_milli = 700
            state.flags = TALLY_STATE_LIVE | TALLY_STATE_FULLSCREEN
        }
        machine.take(.play)
        machine.take(.applicationBackground)
        machine.take(.videoUnload)
        machine.endSession(at: 0)
        let state = machine.state(at: 0)
        #expect(state.known == TALLY_KNOWN_VOLUME | TALLY_KNOWN_FULLSCREEN)
        #expect(state.volume_milli == 700 && state.duration_ms == 0)
        #expect(state.flags == TALLY_STATE_FULLSCREEN | TALLY_STATE_BACKGROUND)
    }

    @Test("A report does not touch flags that follow from events")
    func reportedFlags() {
        var machine = PlayerStateMachine()
        machine.take(.videoLoad) { state in
            state.known = TALLY_KNOWN_MUTED
            state.flags = TALLY_STATE_PLAYING | TALLY_STATE_ENDED
        }
        #expect(machine.flags == TALLY_STATE_IN_SESSION)
    }

    @Test("The ad's playhead is -1 outside an ad", arguments: [EventType.adComplete, .adSkip, .adBreakComplete])
    func adPlayhead(end: EventType) {
        var machine = PlayerStateMachine()
        #expect(machine.state(at: 0).ad_playhead_ms == -1)
        machine.take(.videoLoad)
        machine.take(.adBreakStart)
        machine.take(.adStart) { state in
            state.known = TALLY_KNOWN_AD_PLAYHEAD
            state.ad_playhead_ms = 4_000
        }
        #expect(machine.state(at: 0).ad_playhead_ms == 4_000)
        machine.take(end)
        #expect(machine.state(at: 0).ad_playhead_ms == -1)
        #expect(machine.flags & TALLY_STATE_IN_AD == 0)
    }

    @Test(
        "What the player reports of the ad's place with the ad's end holds for that event, and for nothing behind it",
        arguments: [EventType.adComplete, .adSkip, .adBreakComplete]
    )
    func endOfAd(end: EventType) {
        var machine = PlayerStateMachine()
        let place: (Int64) -> (inout tally_state) -> Void = { milliseconds in
            { state in
                state.known = TALLY_KNOWN_AD_PLAYHEAD
                state.ad_playhead_ms = milliseconds
            }
        }
        machine.take(.videoLoad)
        machine.take(.adBreakStart)
        machine.take(.adStart, place(0))
        machine.take(.playheadSample, place(7_750))
        machine.take(end, place(8_000))
        #expect(machine.state(at: 0).ad_playhead_ms == 8_000)
        #expect(machine.flags & TALLY_STATE_IN_AD == 0)
        machine.forgetEndedAd()
        #expect(machine.state(at: 0).ad_playhead_ms == -1)
        // There is no ad any more that could end.
        machine.take(end, place(8_000))
        #expect(machine.state(at: 0).ad_playhead_ms == -1)
    }

    @Test("Trackers see the last place in an ad at its end, and the next event does not have it")
    func endOfAdInRun() throws {
        let places = Notes<String>()
        var script = ScriptedTracker.Script()
        script.handle = { _, event throws(TrackerFault) in
            let place = event.state.adPlayheadMilliseconds.map { "\($0)" } ?? "none"
            places.add("\(event.typeName.string) \(place)")
        }
        _ = try ScriptedRun.record(script) { player, run, clock in
            player.perform(.play, on: run)
            run.advance(clock, to: 1_000_000)
            player.perform(.adStart(0), on: run)
            run.advance(clock, to: 9_000_000)
            player.perform(.adComplete, on: run)
            run.advance(clock, to: 10_000_000)
            player.perform(.foreground, on: run)
            run.pump()
        }
        #expect(places.all.suffix(3) == ["ad_start 0", "ad_complete 8000", "application_foreground none"])
    }

    @Test("Stripping takes from a report what is known already, and leaves the playhead and all that is new")
    func strip() {
        var machine = PlayerStateMachine()
        let first: (inout tally_state) -> Void = { state in
            state.known = TALLY_KNOWN_BITRATE | TALLY_KNOWN_FPS | TALLY_KNOWN_MUTED | TALLY_KNOWN_SIZE
            state.bitrate_bps = 5
            state.fps_milli = 25_000
            state.width = 10
            state.height = 20
        }
        machine.take(.videoLoad, first)
        var report = tally_state()
        first(&report)
        report.known |= TALLY_KNOWN_PLAYHEAD | TALLY_KNOWN_DURATION
        report.fps_milli = 50_000
        report.height = 21
        unsafe machine.strip(&report)
        // A duration of 0 that was never reported before is new.
        #expect(
            report.known == TALLY_KNOWN_PLAYHEAD | TALLY_KNOWN_DURATION | TALLY_KNOWN_FPS | TALLY_KNOWN_SIZE
        )
    }
}
