import NewRelicVideo
import Testing

/// The first reason that holds wins.
struct BufferTypeTests {
    @Test func `an ad break of the linked tracker comes first, and only for the content`() {
        #expect(text(seeking: true, paused: true, playhead: 0, inAdBreak: true) == "ad")
        let ad = TrackerState(isAd: true).bufferType(playhead: 50, isInLinkedAdBreak: true)
        #expect("\(ad)" == "connection")
    }

    @Test func `a seek comes before a pause, a pause before the beginning`() {
        #expect(text(seeking: true, paused: true, playhead: 0) == "seek")
        #expect(text(seeking: false, paused: true, playhead: 0) == "pause")
    }

    @Test(arguments: [
        (Int64?.none, "initial"), (0, "initial"), (9, "initial"), (10, "connection"), (60_000, "connection"),
    ])
    func `the beginning is below 10 ms, and a playhead that is not known is there`(playhead: Int64?, expected: String) {
        #expect(text(seeking: false, paused: false, playhead: playhead) == expected)
    }

    private func text(seeking: Bool, paused: Bool, playhead: Int64?, inAdBreak: Bool = false) -> String {
        var state = TrackerState()
        #expect(state.go(.request) && state.go(.start))
        if paused { #expect(state.go(.pause) == true) }
        if seeking { #expect(state.go(.seekStart) == true) }
        return "\(state.bufferType(playhead: playhead, isInLinkedAdBreak: inAdBreak))"
    }
}
