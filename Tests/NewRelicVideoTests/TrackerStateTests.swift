import NewRelicVideo
import Testing

/// The table of the state machine: which step is legal where, and what it changes.
struct TrackerStateTests {
    @Test func `a player is ready once`() {
        var state = TrackerState()
        #expect(state.goPlayerReady() == true)
        #expect(state.goPlayerReady() == false)
        #expect(state.isPlayerReady)
    }

    @Test func `a start needs a request and comes once`() {
        var state = TrackerState()
        #expect(state.goStart() == false)
        #expect(state.goRequest() == true)
        #expect(state.goRequest() == false)
        #expect(state.goStart() == true)
        #expect(state.goStart() == false)
        #expect(state.isStarted && state.isPlaying)
    }

    @Test func `nothing changes when a step is not legal`() {
        var state = TrackerState()
        let before = state
        #expect(!state.goStart() && !state.goEnd() && !state.goPause() && !state.goResume())
        #expect(!state.goBufferStart() && !state.goBufferEnd() && !state.goSeekStart() && !state.goSeekEnd())
        #expect(state.goAdBreakEnd() == false)
        #expect(state == before)
    }

    @Test func `buffering is legal before the start, seeking and pausing are not`() {
        var state = TrackerState()
        #expect(state.goRequest() == true)
        #expect(!state.goSeekStart() && !state.goPause())
        #expect(state.goBufferStart() == true)
        #expect(state.goBufferStart() == false)
        #expect(state.isBuffering && !state.isPlaying)
    }

    @Test func `V12: pausing, seeking and buffering may overlap`() {
        var state = started()
        #expect(state.goPause() && state.goSeekStart() && state.goSeekEnd() && state.goBufferStart())
        #expect(state.isBuffering && state.isPaused && !state.isSeeking)
        #expect(state.goBufferEnd() && state.goResume())
        #expect(state.isPlaying && !state.isBuffering)
    }

    @Test func `as on iOS, a paused tracker counts as playing when its buffering or seek is over`() {
        var state = started()
        #expect(state.goPause() && state.goBufferStart() && state.goBufferEnd())
        #expect(state.isPlaying && state.isPaused)
        #expect(state.goSeekStart() == true)
        #expect(!state.isPlaying)
        #expect(state.goSeekEnd() == true)
        #expect(state.isPlaying && state.isPaused)
    }

    @Test func `V13: an end clears what belongs to the stream, from every combination`() {
        for combination in 0..<8 {
            var state = started()
            #expect(state.goPlayerReady() && state.goAdBreakStart())
            if combination & 1 != 0 { #expect(state.goPause() == true) }
            if combination & 2 != 0 { #expect(state.goSeekStart() == true) }
            if combination & 4 != 0 { #expect(state.goBufferStart() == true) }
            #expect(state.goEnd() == true)
            #expect(!state.isRequested && !state.isStarted && !state.isPlaying)
            #expect(!state.isPaused && !state.isSeeking && !state.isBuffering)
            #expect(state.isPlayerReady && state.isAdBreak)
            #expect(state.goEnd() == false)
        }
    }

    @Test func `V22: the end of an ad break takes the request with it`() {
        var state = TrackerState(isAd: true)
        #expect(state.goRequest() && state.goAdBreakStart())
        #expect(state.goAdBreakStart() == false)
        #expect(state.goAdBreakEnd() == true)
        #expect(!state.isRequested && !state.isAdBreak && state.isAd)
    }

    @Test func `a reset clears every flag`() {
        var state = TrackerState(isAd: true)
        #expect(state.goRequest() && state.goPlayerReady())
        state.reset()
        #expect(state == TrackerState())
    }

    private func started() -> TrackerState {
        var state = TrackerState()
        #expect(state.goRequest() && state.goStart())
        return state
    }
}
