import PlaybackEngine
import Testing

// A playhead that stands still, or jumps, though nobody said why.
extension PlaybackStateTests {
    @Test func aPlayheadThatStandsStillWithoutAWordIsAStallOfItsOwnUntilItMoves() {
        var state = StateDriver.playing
        for step: Int64 in 1...50 {
            state.advance(ms: 20)
            state.poll(0)
            #expect(state.takeEvents() == [], "\(step)")
        }
        state.advance(ms: 20)
        state.poll(0)
        // The pipeline is not touched, and no sample says that it plays.
        #expect(state.removeActions() == [])
        #expect(state.takeEvents() == [.bufferingStarted(.frozen)])
        state.advance(ms: 2000)
        state.poll(0)
        #expect(state.takeSamples() == [])
        state.advance(ms: 20)
        state.poll(20)
        #expect(state.takeEvents() == [.bufferingCompleted(.frozen)])
    }

    @Test func whatElseHappensToAFrozenPlayheadEndsTheFreeze() {
        func after(_ signals: EngineSignal...) -> [EngineEvent] {
            var state = StateDriver.playing
            state.advance(ms: 1020)
            state.poll(0)
            #expect(state.takeEvents() == [.bufferingStarted(.frozen)])
            for signal in signals { state.send(signal) }
            return state.takeEvents()
        }
        #expect(after(.buffering(percent: 0)) == [.bufferingCompleted(.frozen), .bufferingStarted(.stall)])
        #expect(after(.command(.pause), .pipelineState(.paused)) == [.bufferingCompleted(.frozen), .paused])
        let seek = SeekPurpose.position(targetMs: 9000)
        #expect(after(.seekIssued(seek, accepted: true)).prefix(1) == [.bufferingCompleted(.frozen)])
        #expect(after(.endOfStream(mediaEndMs: 20_000)).prefix(1) == [.bufferingCompleted(.frozen)])
    }

    @Test func aPlayheadIsNotFrozenWhereItNeedNotMove() {
        func isSilent(_ signals: EngineSignal..., ms: Int64 = 5000, at positionMs: Int64 = 0) -> Bool {
            var state = StateDriver.playing
            for signal in signals { state.send(signal) }
            _ = state.takeEvents()
            state.advance(ms: ms)
            state.poll(positionMs)
            return state.takeEvents() == []
        }
        #expect(isSilent(.command(.pause), .pipelineState(.paused)))
        #expect(isSilent(.buffering(percent: 0)))
        #expect(isSilent(.seekIssued(.position(targetMs: 9000), accepted: true)))
        // At a hundredth of the rate it moves each tenth of a second.
        #expect(isSilent(.seekIssued(.rate(0.01), accepted: true), .prerolled(.file, positionMs: 0)))
        // One of two streams is at its end, whose sink names the duration.
        #expect(isSilent(at: 20_000))
    }

    @Test func aPositionThatJumpedIsBelievedOnceItHasGoneOnForASecond() {
        var state = StateDriver.playing
        for step: Int64 in 0...100 {
            state.advance(ms: 20)
            state.poll(9000 + step * 20)
        }
        #expect(state.takeSamples().last == 10_980)
        // A place that stands still is that of a stream that has ended.
        var ended = StateDriver.playing
        for _ in 0...100 {
            ended.advance(ms: 20)
            ended.poll(20_000)
        }
        #expect(!ended.takeSamples().contains(20_000))
    }
}
