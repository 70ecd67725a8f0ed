import EventModel
import MediaRules
import PlayerSignals
import Testing

/// Waits, pauses and seeks, which players tell by the same halts of their clocks.
struct SignalledHaltTests {
    @Test("A halt that begins in a stall belongs to it, and goes with it")
    func haltInStall() {
        var line = SignalTimeline.clocked()
        line.play(from: 250, to: 2_000, playhead: 150)
        line.at(2_300, .buffering(percent: 2))
        line.at(2_301, .running(false))
        line.at(2_700, .buffering(percent: 37))
        line.at(4_270, .buffering(percent: 100))
        line.at(4_271, .running(true))
        line.at(6_000, .position(ms: 3_900))
        #expect(
            line.lines == SignalTimeline.started + ["2301 buffer_start buffer_cause=stall", "4270 buffer_complete"]
        )
    }

    @Test("A halt that lasts behind a stall has become a pause")
    func pauseInStall() {
        var line = SignalTimeline.clocked()
        line.at(2_300, .buffering(percent: 2))
        line.at(2_301, .running(false))
        line.at(4_270, .buffering(percent: 100))
        line.at(4_519)
        #expect(line.lines.count == SignalTimeline.started.count + 2)
        line.at(4_520)
        line.at(9_000, .running(true))
        #expect(line.lines.suffix(2) == ["4520 pause", "9000 play"])
    }

    @Test("A halt with full buffers is a pause")
    func pause() {
        var line = SignalTimeline.clocked()
        line.at(2_000, .buffering(percent: 100), .running(false))
        line.at(3_000, .running(true))
        #expect(line.lines == SignalTimeline.started + ["2000 pause", "3000 play"])
    }

    @Test("A pause is where the playhead is by then, and not where it was looked at, unless it stood there")
    func placeOfPause() {
        var line = SignalTimeline.clocked()
        line.play(from: 250, to: 2_000, playhead: 150)
        line.at(2_180, .running(false))
        #expect(line.lines.last == "2180 pause")
        #expect(line.known(at: .pause)?.state.playhead == 2_080)

        var standing = SignalTimeline.clocked()
        standing.play(from: 250, to: 2_000, playhead: 150)
        standing.at(2_250, .position(ms: 1_900))
        standing.at(2_400, .running(false))
        #expect(standing.known(at: .pause)?.state.playhead == 1_900)
    }

    @Test("A halt right behind full buffers is a program that comes late, and a pause only if it lasts")
    func lateHalt() {
        var line = SignalTimeline.clocked()
        line.at(2_000, .buffering(percent: 73))
        line.at(2_000, .buffering(percent: 100))
        line.at(2_001, .running(false))
        line.at(2_002, .running(true))
        line.at(3_000, .buffering(percent: 73))
        line.at(3_000, .buffering(percent: 100))
        line.at(3_100, .running(false))
        line.at(3_249)
        #expect(line.lines == SignalTimeline.started)
        line.at(3_250)
        line.at(4_000, .running(true))
        #expect(line.lines == SignalTimeline.started + ["3250 pause", "4000 play"])
    }

    @Test("A wish to pause and to go on in a stall is told, and the stall lasts")
    func wishInStall() {
        var line = SignalTimeline.wishing()
        line.at(1_265, .buffering(percent: 0))
        line.at(1_727, .wanted(false))
        line.at(2_723, .wanted(true))
        line.at(4_082, .buffering(percent: 100))
        #expect(
            line.lines == SignalTimeline.started + [
                "1265 buffer_start buffer_cause=stall", "1727 pause", "2723 play", "4082 buffer_complete",
            ]
        )
    }

    @Test("Nobody waits while playback is paused: the stall begins when it is wanted again")
    func waitInPause() {
        var line = SignalTimeline.wishing()
        line.at(1_000, .wanted(false))
        line.at(1_500, .buffering(percent: 0))
        line.at(2_000, .wanted(true))
        line.at(2_500, .buffering(percent: 100))
        #expect(
            line.lines == SignalTimeline.started + [
                "1000 pause", "2000 play", "2000 buffer_start buffer_cause=stall", "2500 buffer_complete",
            ]
        )
    }

    @Test("Buffers that a player with a running clock tells of are no stall, unless the playhead stands still")
    func runningWithLowBuffers() {
        var line = SignalTimeline.clocked()
        line.play(from: 250, to: 1_000, playhead: 150)
        line.at(1_100, .buffering(percent: 40))
        line.play(from: 1_250, to: 2_000, playhead: 1_150)
        #expect(line.lines == SignalTimeline.started)
        for time in stride(from: Int64(2_250), through: 3_500, by: 250) { line.at(time, .position(ms: 1_900)) }
        line.at(3_750, .position(ms: 2_000))
        #expect(
            line.lines == SignalTimeline.started + ["3250 buffer_start buffer_cause=stall", "3750 buffer_complete"]
        )
    }

    @Test("A playhead that stands still for a second, and nothing is waited for")
    func frozen() {
        var line = SignalTimeline.wishing()
        line.play(from: 250, to: 1_000, playhead: 150)
        for time in stride(from: Int64(1_250), through: 2_500, by: 250) { line.at(time, .position(ms: 900)) }
        line.at(2_750, .position(ms: 1_000))
        #expect(
            line.lines == SignalTimeline.started + ["2250 buffer_start buffer_cause=frozen", "2750 buffer_complete"]
        )
    }

    @Test("Seeks during a seek are one")
    func mergedSeeks() {
        var line = SignalTimeline.wishing()
        line.play(from: 250, to: 1_750, playhead: 150)
        line.at(1_759, .seeking(toMs: 12_000, rate: nil))
        line.at(2_007, .seeking(toMs: 14_000, rate: nil))
        line.at(2_100, .position(ms: 14_000))
        line.at(2_268, .seeked(atMs: 14_000))
        #expect(
            line.lines == SignalTimeline.started + [
                "1759 seek_start seek_from_ms=1659 seek_to_ms=12000", "2268 seek_complete",
            ]
        )
        #expect(line.known(at: .seekComplete)?.state.playhead == 14_000)
    }

    @Test("A seek before the first picture is a part of the load")
    func startPlace() {
        var line = SignalTimeline()
        line.at(0, .opening(url: SignalTimeline.url, wantsPlaying: true))
        line.at(40, .opened(OpenedMedia(durationMs: 20_000)), .seeking(toMs: 5_000, rate: nil))
        line.at(90, .picture, .seeked(atMs: 5_000))
        #expect(line.known(at: .firstFrame)?.state.playhead == 5_000)
        #expect(line.lines == SignalTimeline.loaded + ["90 metadata_change", "90 first_frame"])
    }

    @Test("The clock that halts for a seek, and runs behind it, is no pause and no wish")
    func clockInSeek() {
        var line = SignalTimeline.clocked()
        line.play(from: 250, to: 1_000, playhead: 150)
        line.at(1_105, .seeking(toMs: 10_000, rate: 1), .running(false))
        line.at(1_149, .seeked(atMs: nil))
        #expect(line.known(at: .seekComplete)?.state.playhead == 10_000)
        line.at(1_150, .running(true))
        line.at(1_400, .position(ms: 10_240))
        #expect(
            line.lines == SignalTimeline.started + [
                "1105 seek_start seek_from_ms=1005 seek_to_ms=10000", "1149 seek_complete",
            ]
        )
    }

    @Test("A seek to the present place at another rate is a change of the rate")
    func rateChange() {
        var line = SignalTimeline.clocked()
        line.play(from: 250, to: 1_000, playhead: 150)
        line.at(1_100, .seeking(toMs: 1_000, rate: 2))
        line.at(1_150, .seeked(atMs: nil))
        #expect(line.lines == SignalTimeline.started)
        #expect(line.known(at: .playheadSample)?.state.rate == 2_000)
    }

    @Test("A picture that stands is no first frame")
    func pausedStart() {
        var line = SignalTimeline()
        line.at(0, .opening(url: SignalTimeline.url, wantsPlaying: false))
        line.at(40, .opened(OpenedMedia(durationMs: 20_000)))
        line.at(100, .picture)
        #expect(line.lines == ["0 video_load"])
        line.at(5_000, .wanted(true))
        #expect(line.lines == ["0 video_load", "5000 metadata_change", "5000 play", "5000 first_frame"])
        #expect(line.known(at: .firstFrame)?.quality.last == .init("startup_time_ms", .int(0)))
    }

    @Test("The first wait for data is the initial one")
    func initialWait() {
        var line = SignalTimeline()
        line.at(0, .opening(url: SignalTimeline.url, wantsPlaying: true), .running(false))
        line.at(300, .opened(OpenedMedia(durationMs: 20_000)), .buffering(percent: 10), .picture)
        line.at(900, .buffering(percent: 100))
        line.at(901, .running(true))
        #expect(
            line.lines == SignalTimeline.loaded + [
                "300 metadata_change", "300 buffer_start buffer_cause=initial", "900 buffer_complete",
                "901 first_frame",
            ]
        )
    }
}
