import PlaybackEngine
import PlayerSignals
import Streaming
import Tally
import Testing
import tally_player

/// The rules between the engine's reports and the track calls that need no media.
struct TrackingRuleTests {
    @Test("A wait during a pause is nobody's wait, and a stall from the moment on that playback is wanted again")
    func waitDuringPause() throws {
        var buffering = BufferingState()
        let duringPause = buffering.start(.paused, isWanted: false, atNs: 0)
        #expect(duringPause == nil)
        #expect(buffering.isEngineWaiting)
        let becomesStall = buffering.resume(atNs: 5)
        #expect(becomesStall)
        let becomesStallAgain = buffering.resume(atNs: 6)
        #expect(!becomesStallAgain)
        let wait = buffering.complete(atNs: 9)
        let ended = try #require(wait)
        #expect(ended.cause == .stall)
        #expect(ended.durationNs == 4)

        let nextPause = buffering.start(.paused, isWanted: false, atNs: 20)
        #expect(nextPause == nil)
        let endUntold = buffering.complete(atNs: 21)
        #expect(endUntold == nil)
        let resumedLater = buffering.resume(atNs: 22)
        #expect(!resumedLater)
    }

    @Test(
        "Every other wait is told with its cause",
        arguments: [
            (EngineBufferingCause.initial, BufferingCause.initial), (.seek, .seek), (.stall, .stall),
            (.frozen, .frozen),
        ]
    )
    func toldWait(engine: EngineBufferingCause, told: BufferingCause) {
        var buffering = BufferingState()
        let start = buffering.start(engine, isWanted: true, atNs: 0)
        #expect(start == told)
        let becomesStall = buffering.resume(atNs: 1)
        #expect(!becomesStall)
        let end = buffering.complete(atNs: 2)?.cause
        #expect(end == told)
    }

    @Test("The time that was played has nothing of a gap in which the process was stopped")
    func playedTime() {
        var played = PlayedTime()
        for ms: Int64 in [0, 250, 500, 60_500, 60_750] { played.set(moving: true, atNs: ms * 1_000_000) }
        #expect(played.total == 750_000_000)
        played.set(moving: false, atNs: 61_000_000_000)
        played.set(moving: true, atNs: 62_000_000_000)
        #expect(played.total == 1_000_000_000)
    }

    @Test("The startup time is from the wish to play, has no ads in it, and is never below nothing")
    func startupTime() {
        var startup = StartupTime()
        startup.want(true, atNs: 0)
        // The schedule is asked for a moment before the source is opened.
        startup.hold(atNs: 1_000_000)
        startup.load(atNs: 9_000_000)
        startup.release(atNs: 509_000_000)
        #expect(startup.milliseconds(atNs: 509_000_000) == 0)
        startup.hold(atNs: 600_000_000)
        startup.release(atNs: 900_000_000)
        #expect(startup.milliseconds(atNs: 909_000_000) == 100)
        var early = StartupTime()
        early.want(true, atNs: 0)
        early.hold(atNs: 1_000_000)
        early.release(atNs: 5_000_000)
        early.load(atNs: 6_000_000)
        #expect(early.milliseconds(atNs: 26_000_000) == 20)
        var late = StartupTime()
        late.load(atNs: 0)
        #expect(late.milliseconds(atNs: 5_000_000_000) == 0)
        late.want(true, atNs: 6_000_000_000)
        late.want(false, atNs: 6_030_000_000)
        late.want(true, atNs: 9_000_000_000)
        #expect(late.milliseconds(atNs: 9_040_000_000) == 70)
    }

    @Test("The shift is against what was chosen before, in each of the two phases")
    func shift() {
        var renditions = RenditionReporting()
        let shifts = [
            renditions.visible(StreamRendition(bitrate: 300)).shift,
            renditions.decided(StreamRendition(bitrate: 900)).shift,
            renditions.decided(StreamRendition(bitrate: 600)).shift,
            renditions.visible(StreamRendition(bitrate: 600)).shift,
            renditions.visible(StreamRendition(bitrate: nil)).shift,
        ]
        #expect(shifts == [nil, .up, .down, .up, nil])
    }

    @Test("Both phases of a change have one cause, whatever is pinned or decided between them")
    func causes() {
        var renditions = RenditionReporting()
        _ = renditions.visible(StreamRendition(bitrate: 900))
        renditions.pin(400)
        let forced = renditions.decided(StreamRendition(bitrate: 300)).cause
        renditions.pin(nil)
        let free = renditions.decided(StreamRendition(bitrate: 900)).cause
        #expect([forced, free] == [.manual, .automatic])
        #expect(renditions.visible(StreamRendition(bitrate: 300)).cause == .manual)
        #expect(renditions.visible(StreamRendition(bitrate: 900)).cause == .automatic)
        _ = renditions.decided(StreamRendition(bitrate: 300))
        #expect(renditions.visible(StreamRendition(bitrate: 300)).cause == .automatic)
    }

    @Test("A change is manual when a ceiling forces it, decided and visible, and only then")
    func manual() {
        var renditions = RenditionReporting()
        _ = renditions.visible(StreamRendition(bitrate: 900))
        renditions.pin(400)
        let forced = [
            renditions.decided(StreamRendition(bitrate: 300)).cause,
            renditions.visible(StreamRendition(bitrate: 300)).cause,
        ]
        #expect(forced == [.manual, .manual])
        var free = [renditions.decided(StreamRendition(bitrate: 200)).cause]
        renditions.pin(nil)
        free.append(renditions.decided(StreamRendition(bitrate: 900)).cause)
        // A ceiling that is above what is played forces nothing.
        renditions.pin(1000)
        free.append(renditions.decided(StreamRendition(bitrate: 300)).cause)
        #expect(free == [.automatic, .automatic, .automatic])
    }
}
