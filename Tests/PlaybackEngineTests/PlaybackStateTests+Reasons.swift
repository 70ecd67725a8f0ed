import PlaybackEngine
import Testing

/// What lies behind a playback that does not go on.
extension PlaybackStateTests {
    @Test func aStallHasTheReasonThatAServerGaveUnlessItGaveWayOrASeekCameBetween() {
        var refused = EngineRequest(url: "http://host/seg3.ts", status: 503)
        refused.isOfDemuxer = true
        var given = refused
        given.status = 200
        func failure(_ signals: EngineSignal...) -> EngineError? {
            var state = StateDriver.playing
            for signal in signals { state.send(signal) }
            state.advance(ms: 20_001)
            state.poll(0)
            guard case .failed(let error) = state.takeEvents().last else { return nil }
            return error
        }
        let error = failure(.transfer(refused))
        #expect(error?.code == .httpError && error?.httpStatus == 503)
        #expect(error?.detail == "http://host/seg3.ts is answered with status 503; no progress for 20000 ms")
        refused.status = 403
        #expect(failure(.transfer(refused))?.code == .forbidden)
        refused.status = nil
        refused.isIncomplete = true
        #expect(failure(.transfer(refused))?.code == .connectionLost)
        #expect(failure(.transfer(refused), .transfer(given))?.code == .stalled)
        #expect(failure(.transfer(refused), .seekIssued(.position(targetMs: 0), accepted: true))?.code == .stalled)
        var loading = StateDriver()
        loading.send(.command(.load("http://host/a.m3u8")), .transfer(refused))
        loading.advance(ms: 20_001)
        loading.poll(0)
        #expect(
            loading.takeEvents().last.map {
                if case .failed(let error) = $0 { error.code == .connectionLost } else { false }
            } == true
        )
        given.url = "http://host/seg4.ts"
        #expect(failure(.transfer(refused), .transfer(given))?.code == .connectionLost)
        let page = failure(.webPage(url: "http://host/seg3.ts"))
        #expect(page?.code == .notMedia && page?.detail == "http://host/seg3.ts is a web page")
    }
}
