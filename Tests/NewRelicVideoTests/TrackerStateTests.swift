import NewRelicVideo
import Testing

/// The table of the state machine: which step is legal where, and what it changes.
struct TrackerStateTests {
    @Test func `a player can say again that it is ready`() {
        var state = TrackerState()
        #expect(state.go(.playerReady) && state.isPlayerReady)
        #expect(state.go(.playerReady) && state.isPlayerReady)
    }

    @Test func `a start needs a request and comes once`() {
        var state = TrackerState()
        #expect(state.go(.start) == false)
        #expect(state.go(.request) == true)
        #expect(state.go(.request) == false)
        #expect(state.go(.start) == true)
        #expect(state.go(.start) == false)
        #expect(state.isStarted && state.isPlaying)
    }

    @Test func `nothing changes when a step is not legal`() {
        var state = TrackerState()
        let before = state
        #expect(!state.go(.start) && !state.go(.end) && !state.go(.pause) && !state.go(.resume))
        #expect(!state.go(.bufferStart) && !state.go(.bufferEnd) && !state.go(.seekStart) && !state.go(.seekEnd))
        #expect(state.go(.adBreakEnd) == false)
        #expect(state == before)
    }

    @Test func `buffering is legal before the start, seeking and pausing are not`() {
        var state = TrackerState()
        #expect(state.go(.request) == true)
        #expect(!state.go(.seekStart) && !state.go(.pause))
        #expect(state.go(.bufferStart) == true)
        #expect(state.go(.bufferStart) == false)
        #expect(state.isBuffering && !state.isPlaying)
    }

    @Test func `V12: pausing, seeking and buffering may overlap`() {
        var state = started()
        #expect(state.go(.pause) && state.go(.seekStart) && state.go(.seekEnd) && state.go(.bufferStart))
        #expect(state.isBuffering && state.isPaused && !state.isSeeking)
        #expect(state.go(.bufferEnd) && state.go(.resume))
        #expect(state.isPlaying && !state.isBuffering)
    }

    @Test func `as on iOS, a paused tracker counts as playing when its buffering or seek is over`() {
        var state = started()
        #expect(state.go(.pause) && state.go(.bufferStart) && state.go(.bufferEnd))
        #expect(state.isPlaying && state.isPaused)
        #expect(state.go(.seekStart) == true)
        #expect(!state.isPlaying)
        #expect(state.go(.seekEnd) == true)
        #expect(state.isPlaying && state.isPaused)
    }

    @Test func `V13: an end clears what belongs to the stream, from every combination`() {
        for combination in 0..<8 {
            var state = started(isAd: true)
            #expect(state.go(.playerReady) && state.go(.adBreakStart))
            if combination & 1 != 0 { #expect(state.go(.pause) == true) }
            if combination & 2 != 0 { #expect(state.go(.seekStart) == true) }
            if combination & 4 != 0 { #expect(state.go(.bufferStart) == true) }
            #expect(state.go(.end) == true)
            #expect(!state.isRequested && !state.isStarted && !state.isPlaying)
            #expect(!state.isPaused && !state.isSeeking && !state.isBuffering)
            #expect(state.isPlayerReady && state.isAdBreak)
            #expect(state.go(.end) == false)
        }
    }

    @Test func `V22: the end of an ad break takes the request with it`() {
        var state = TrackerState(isAd: true)
        #expect(state.go(.request) && state.go(.adBreakStart))
        #expect(state.go(.adBreakStart) == false)
        #expect(state.go(.adBreakEnd) == true)
        #expect(!state.isRequested && !state.isAdBreak && state.isAd)
    }

    private func started(isAd: Bool = false) -> TrackerState {
        var state = TrackerState(isAd: isAd)
        #expect(state.go(.request) && state.go(.start))
        return state
    }
}
