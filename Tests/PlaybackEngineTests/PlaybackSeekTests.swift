import PlaybackEngine
import Testing

/// What becomes of seeks: when one is handed to the pipeline, when it is over, and when it is made once more.
struct PlaybackSeekTests {
    @Test func aSeekBeforeThePrerollWaitsForIt() {
        var state = StateDriver()
        state.send(.command(.load("a")), .command(.seek(toMs: 3000)), .command(.seek(toMs: 4000)))
        #expect(state.removeActions() == [.open("a")])
        state.send(.prerolled(.file, positionMs: 0))
        #expect(state.removeActions() == [.seek(.position(targetMs: 4000))])
    }

    @Test func onlyAPrerollAfterAnAcceptedSeekEndsIt() {
        var state = StateDriver.playing
        state.send(.prerolled(.file, positionMs: 100))
        #expect(state.takeEvents().isEmpty)
        state.send(.seekIssued(.position(targetMs: 9000), accepted: true))
        state.send(.pipelineState(.paused), .pipelineState(.playing), .prerolled(.file, positionMs: 9000))
        #expect(state.takeEvents() == [.seekStarted(targetMs: 9000), .seekCompleted(positionMs: 9000)])
    }

    @Test func aRefusedSeekStartsNothing() {
        var state = StateDriver.playing
        state.send(.seekIssued(.position(targetMs: 9000), accepted: false), .prerolled(.file, positionMs: 10))
        let expected = EngineEvent.commandRejected(.seek(toMs: 9000), reason: "the engine refused the seek")
        #expect(state.takeEvents() == [expected])
    }

    /// GStreamer says so of a live stream whose playlist is replaced as it seeks.
    @Test func aLiveSeekThatLeadsAwayFromItsTargetIsDoneOnceMore() {
        for isAccepted in [true, false] {
            var state = StateDriver.playing(.live)
            state.poll(12_000)
            _ = state.takeEvents()
            state.send(.seekIssued(.position(targetMs: 13_200), accepted: true), .prerolled(.live, positionMs: 2000))
            let again = SeekPurpose.again(toMs: 13_200, reachedMs: 2000)
            #expect(state.removeActions() == [.seek(again)])
            state.send(.seekIssued(again, accepted: isAccepted))
            if isAccepted { state.send(.prerolled(.live, positionMs: 13_240)) }
            let reachedMs: Int64 = isAccepted ? 13_240 : 2000
            #expect(state.takeEvents() == [.seekStarted(targetMs: 13_200), .seekCompleted(positionMs: reachedMs)])
            #expect(state.removeActions().isEmpty)
        }
    }

    @Test func aLiveSeekThatEndsInTheWindowIsNotRepeated() {
        var state = StateDriver.playing(.live)
        state.poll(12_000)
        _ = state.takeEvents()
        state.send(.seekIssued(.position(targetMs: 1000), accepted: true), .prerolled(.live, positionMs: 7000))
        #expect(state.takeEvents() == [.seekStarted(targetMs: 1000), .seekCompleted(positionMs: 7000)])
    }

    @Test func theLastRateDuringASeekIsSetAfterIt() {
        var state = StateDriver.playing
        state.send(.seekIssued(.position(targetMs: 9000), accepted: true))
        state.send(.command(.setRate(2)), .command(.setRate(1.5)))
        #expect(state.removeActions().isEmpty)
        state.send(.prerolled(.file, positionMs: 9000))
        #expect(state.removeActions() == [.seek(.rate(1.5))])
        state.send(.seekIssued(.rate(1.5), accepted: true), .command(.setRate(1)), .command(.seek(toMs: 3000)))
        state.send(.prerolled(.file, positionMs: 9100))
        #expect(state.removeActions() == [.seek(.position(targetMs: 3000))])
        state.send(.seekIssued(.position(targetMs: 3000), accepted: false))
        #expect(state.removeActions() == [.seek(.rate(1))])
        #expect(
            state.takeEvents() == [
                .seekStarted(targetMs: 9000), .seekCompleted(positionMs: 9000), .rateChanged(1.5),
                .commandRejected(.seek(toMs: 3000), reason: "the engine refused the seek"),
            ]
        )
    }

    @Test func theLastSeekDuringASeekIsDoneAfterIt() {
        var state = StateDriver.playing
        state.send(.seekIssued(.position(targetMs: 9000), accepted: true))
        state.send(.command(.seek(toMs: 1000)), .command(.seek(toMs: 2000)))
        #expect(state.removeActions().isEmpty)
        state.send(.prerolled(.file, positionMs: 9000))
        #expect(state.removeActions() == [.seek(.position(targetMs: 2000))])
    }

    @Test func aSeekIsKeptWithinTheItem() {
        var state = StateDriver.playing
        state.send(.command(.seek(toMs: -5)))
        state.send(.command(.seek(toMs: 99_999)))
        #expect(state.removeActions() == [.seek(.position(targetMs: 0)), .seek(.position(targetMs: 20_000))])
    }

    @Test func rebufferingAfterASeekIsNoStall() {
        var state = StateDriver.playing
        state.send(.seekIssued(.position(targetMs: 9000), accepted: true), .prerolled(.file, positionMs: 9000))
        state.send(.buffering(percent: 10), .buffering(percent: 100), .pipelineState(.playing))
        #expect(
            state.takeEvents().suffix(2) == [.bufferingStarted(.seek), .bufferingCompleted(.seek)]
        )
        state.advance(ms: 100)
        state.poll(9100)
        state.send(.buffering(percent: 10))
        #expect(state.takeEvents().suffix(1) == [.bufferingStarted(.stall)])
    }
}
