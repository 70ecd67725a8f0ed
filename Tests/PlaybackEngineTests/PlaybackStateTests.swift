import PlaybackEngine
import Testing

/// The rules of the state, each shown with the raw signals that GStreamer gives for it.
struct PlaybackStateTests {
    @Test func playbackIsReportedOnceItRuns() {
        var state = StateDriver()
        state.send(.command(.load("a.mp4")), .command(.play))
        #expect(state.removeActions() == [.open("a.mp4")])
        state.send(.firstFrame, .prerolled(.file, positionMs: 0))
        #expect(state.removeActions() == [.setPlaying])
        state.send(.pipelineState(.paused), .pipelineState(.playing))
        #expect(state.takeEvents() == [.loadStarted(location: "a.mp4"), .loaded(.file), .firstFrame, .playing])
    }

    @Test func aFileOfWhichNothingIsDecodedIsOpenedOnceMoreBeforeItFails() {
        var state = StateDriver()
        state.send(.command(.load("a.mp4")), .command(.play))
        #expect(state.removeActions() == [.open("a.mp4")])
        state.advance(ms: 4000)
        state.poll(0)
        #expect(state.removeActions() == [])
        state.advance(ms: 1)
        state.poll(0)
        #expect(state.removeActions() == [.reopen])
        state.advance(ms: 3999)
        state.poll(0)
        #expect(state.removeActions() == [])
        #expect(state.takeEvents() == [.loadStarted(location: "a.mp4")])
        state.send(.prerolled(.file, positionMs: 0))
        #expect(state.takeEvents() == [.loaded(.file)])
    }

    @Test func initialBufferingHoldsPlaybackBack() {
        var state = StateDriver()
        state.send(.command(.load("a")), .command(.play), .buffering(percent: 1), .prerolled(.file, positionMs: 0))
        #expect(state.removeActions() == [.open("a")])
        state.send(.buffering(percent: 60), .buffering(percent: 100))
        #expect(state.removeActions() == [.setPlaying])
        #expect(state.takeEvents().suffix(1) == [.bufferingCompleted(.initial)])
    }

    @Test func aStoppedProcessGoesOnWhereItStoodAndNothingIsToldOfIt() {
        var state = StateDriver.playing
        state.advance(ms: 250)
        state.poll(250)
        state.advance(ms: 60_000)
        state.send(.stopped(forNs: 60_000_000_000))
        #expect(state.removeActions() == [.seek(.resume(atMs: 250))])
        state.send(.seekIssued(.resume(atMs: 250), accepted: true))
        state.poll(60_250)
        state.advance(ms: 20)
        state.send(.prerolled(.file, positionMs: 250), .pipelineState(.playing))
        state.advance(ms: 300)
        state.poll(550)
        #expect(state.takeSamples().suffix(1) == [550])
        #expect(state.takeEvents() == [])
    }

    @Test func aStreamThatCannotBeMovedIsBelievedAfterAStop() {
        for isLive in [true, false] {
            var media = isLive ? EngineMedia.live : .file
            media.isSeekable = isLive
            var state = StateDriver.playing(media)
            state.advance(ms: 60_000)
            state.send(.stopped(forNs: 60_000_000_000))
            #expect(state.removeActions() == [])
            // The clock's jump is not all there at the first look.
            state.poll(900)
            state.advance(ms: 250)
            state.poll(15_000)
            state.advance(ms: 250)
            state.poll(15_250)
            #expect(state.takeSamples().last == 15_250)
            #expect(state.removeActions() == [])
        }
    }

    @Test func aShortStopIsCaughtUpWithThoughThePositionFollowsLate() {
        var state = StateDriver.playing
        state.advance(ms: 250)
        state.poll(250)
        state.advance(ms: 2_500)
        state.send(.delayed)
        state.poll(250)
        for position: Int64 in [2_900, 3_150] {
            state.advance(ms: 150)
            state.poll(position)
        }
        #expect(state.takeSamples().last == 3_150)
        #expect(state.takeEvents() == [])
    }

    @Test func aStoppedProcessIsNoStallAndNoFailedLoad() {
        var state = StateDriver()
        state.send(.command(.load("http://a/a.mp4")), .command(.play))
        state.advance(ms: 60_000)
        state.send(.stopped(forNs: 60_000_000_000))
        state.poll(0)
        #expect(state.takeEvents() == [.loadStarted(location: "http://a/a.mp4")])
        state.advance(ms: 20_001)
        state.poll(0)
        #expect(state.takeEvents().count == 1)
    }

    @Test func aStallHaltsThePipelineButIsNoPause() {
        var state = StateDriver.playing
        state.send(.buffering(percent: 0), .buffering(percent: 40), .pipelineState(.paused))
        #expect(state.removeActions() == [.setPaused])
        state.send(.buffering(percent: 100), .pipelineState(.playing))
        #expect(state.removeActions() == [.setPlaying])
        #expect(state.takeEvents() == [.bufferingStarted(.stall), .bufferingCompleted(.stall)])
    }

    @Test func aPauseIsReportedWhenThePipelineStands() {
        var state = StateDriver.playing
        state.send(.command(.pause))
        #expect(state.takeEvents().isEmpty)
        state.send(.pipelineState(.paused), .prerolled(.file, positionMs: 40))
        #expect(state.takeEvents() == [.paused])
        state.send(.command(.play), .pipelineState(.playing))
        #expect(state.takeEvents() == [.playing])
    }

    @Test func aPauseOfAStarvedPipelineIsReportedAllTheSame() {
        var state = StateDriver.playing
        state.send(.command(.pause))
        state.advance(ms: 400)
        state.send(.poll(EnginePoll()))
        #expect(state.takeEvents() == [.paused])
    }

    @Test func aPauseDuringAStallIsReportedAtOnceAndKeptAfterIt() {
        var state = StateDriver.playing
        state.send(.buffering(percent: 0), .pipelineState(.paused), .command(.pause), .buffering(percent: 100))
        #expect(state.takeEvents() == [.bufferingStarted(.stall), .paused, .bufferingCompleted(.stall)])
        #expect(state.removeActions() == [.setPaused])
    }

    @Test func aLiveStreamIsNotPlayedFasterThanItComes() {
        var state = StateDriver.playing(.live)
        state.send(.command(.setRate(2)))
        #expect(state.removeActions().isEmpty)
        let reason = "a live stream cannot be played faster than it comes"
        #expect(state.takeEvents() == [.commandRejected(.setRate(2), reason: reason)])
        state.send(.command(.setRate(0.5)))
        #expect(state.removeActions() == [.seek(.rate(0.5))])
    }

    @Test func thePlayheadOfALiveStreamJumpsWhereItsWindowHasGone() {
        for (media, expected) in [(EngineMedia.live, Int64(15_000)), (.file, 20)] {
            var state = StateDriver.playing(media)
            state.advance(ms: 20)
            state.poll(20)
            state.advance(ms: 300)
            state.poll(15_000)
            #expect(state.takeSamples().last == expected)
        }
    }

    @Test func aRequestWithoutItsWholeAnswerFailedUnlessASeekGaveItUp() {
        var request = EngineRequest(url: "http://a.example/seg1.m4s", status: 200)
        request.isIncomplete = true
        var state = StateDriver.playing
        state.send(.transfer(request))
        state.send(.seekIssued(.position(targetMs: 5000), accepted: true), .transfer(request))
        request.isIncomplete = false
        state.send(.transfer(request))
        request.status = 503
        state.send(.transfer(request))
        let told = state.takeEvents().filter { $0 != .seekStarted(targetMs: 5000) }
        #expect(told.count == 4)
        #expect(
            told.map { String(describing: $0).prefix { $0 != "(" } } == [
                "requestFailed", "requestCancelled", "requestCompleted", "requestFailed",
            ]
        )
    }

    @Test func whatBeganBeforeASeekAndCameToNoEndWasGivenUpByIt() {
        var state = StateDriver.playing
        let early = state.timeNs
        state.advance(ms: 100)
        state.send(.seekIssued(.position(targetMs: 5000), accepted: true))
        state.advance(ms: 1)
        // Begun while the seek was handed over.
        var unlucky = EngineRequest(url: "http://a.example/seg0.m4s")
        unlucky.isIncomplete = true
        unlucky.startNs = state.timeNs
        state.send(.transfer(unlucky))
        state.advance(ms: 49)
        state.send(.prerolled(.file, positionMs: 5000))
        state.advance(ms: 50)
        var request = EngineRequest(url: "http://a.example/seg1.m4s", status: 200)
        request.isIncomplete = true
        // Told when the seek is long done.
        request.startNs = early
        state.send(.transfer(request))
        request.startNs = state.timeNs
        state.send(.transfer(request))
        // What the engine let go of is no failure at any time.
        request.isGivenUp = true
        state.send(.transfer(request))
        let told = state.takeEvents().map { String(describing: $0).prefix { $0 != "(" } }
        #expect(
            told.filter { $0.hasPrefix("request") } == [
                "requestCancelled", "requestCancelled", "requestFailed", "requestCancelled",
            ]
        )
    }

    @Test func playheadSamplesComeOnlyWhileTimeRuns() {
        var state = StateDriver.playing
        for step in 1...25 {
            state.advance(ms: 20)
            state.poll(Int64(step) * 20)
        }
        #expect(state.takeSamples() == [260, 500])
        state.send(.buffering(percent: 0))
        state.advance(ms: 1000)
        state.poll(510)
        #expect(state.takeSamples().isEmpty)
    }

    @Test func theEndIsCompleteNearTheDurationAndTruncatedBefore() {
        var complete = StateDriver.playing
        complete.advance(ms: 19_600)
        complete.poll(19_600)
        complete.send(.endOfStream(mediaEndMs: nil))
        #expect(complete.takeEvents().last == .endOfStream(positionMs: 20_000))

        var cut = StateDriver.playing
        cut.advance(ms: 9000)
        cut.poll(9000)
        cut.send(.poll(.at(20_000)))
        cut.send(.endOfStream(mediaEndMs: nil))
        guard case .failed(let error) = cut.takeEvents().last else {
            Issue.record("a truncated item must fail")
            return
        }
        #expect(error.code == .truncated)
        #expect(error.detail.contains("9000"))
    }

    @Test func framesThatWereNotShownDoNotMakeAnItemTruncated() {
        var overloaded = StateDriver.playing
        overloaded.advance(ms: 9000)
        overloaded.poll(9000)
        overloaded.send(.endOfStream(mediaEndMs: 19_990))
        #expect(overloaded.takeEvents().last == .endOfStream(positionMs: 20_000))
    }

    @Test func nothingIsReportedAfterAFailure() {
        var state = StateDriver.playing
        state.send(.error(RawEngineError(domain: "gst-stream-error-quark", code: 7)))
        #expect(state.removeActions().last == .close(awaitsData: false))
        state.send(.endOfStream(mediaEndMs: nil), .buffering(percent: 0), .command(.pause))
        #expect(state.takeEvents().count == 1)
    }

    @Test func aFrozenPlayheadFailsAfterTheLimitAndNotInAPause() {
        var frozen = StateDriver.playing
        frozen.advance(ms: 20_001)
        frozen.poll(0)
        guard case .failed(let error) = frozen.takeEvents().last else {
            Issue.record("a freeze without end must fail")
            return
        }
        #expect(error.code == .stalled)

        var paused = StateDriver.playing
        paused.send(.command(.pause), .pipelineState(.paused))
        paused.advance(ms: 600_000)
        paused.poll(0)
        #expect(paused.takeEvents() == [.paused])
        paused.send(.command(.play), .pipelineState(.playing))
        paused.poll(0)
        #expect(paused.takeEvents() == [.playing])
    }

    @Test func anErrorThatSaysLittleHasTheReasonThatLiesBehindIt() {
        func failure(_ signals: EngineSignal...) -> EngineError? {
            var state = StateDriver.playing
            for signal in signals { state.send(signal) }
            state.send(.error(RawEngineError(domain: "gst-stream-error-quark", code: 4, message: "no type.")))
            guard case .failed(let error) = state.takeEvents().last else { return nil }
            return error
        }
        var key = EngineRequest(url: "http://host/key", status: 404)
        key.isOfDemuxer = true
        let missing = failure(.transfer(key))
        #expect(missing?.code == .notFound && missing?.detail == "http://host/key is answered with status 404")
        for (name, status, code) in [
            ("../key", 404, EngineError.Code.keyUnavailable), ("http://host/key", 403, .keyUnavailable),
            ("key", 503, .httpError), ("other", 404, .notFound),
        ] {
            key.status = status
            let error = failure(.manifest("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"\(name)\"\n"), .transfer(key))
            #expect(error?.code == code && error?.httpStatus == status, "\(name)")
        }
        var page = EngineRequest(url: "http://host/s1.ts", status: 200)
        page.contentType = "text/html; charset=utf-8"
        let web = failure(.transfer(page), .transfer(EngineRequest(url: "http://host/s2.ts", status: 200)))
        #expect(web?.code == .notMedia && web?.detail == "http://host/s1.ts is a web page")
        func playlist(_ key: String) -> String { "#EXTM3U\n#EXT-X-KEY:\(key)\n#EXTINF:1,\na.ts\n" }
        let other = playlist("METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\"")
        #expect(failure(.manifest(other))?.code == .encrypted)
        for own in ["METHOD=SAMPLE-AES,URI=\"k\"", "METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"identity\"", "METHOD=NONE"]
        {
            let error = failure(.manifest(playlist(own)))
            #expect(error?.code == .notMedia && error?.detail == "no type")
        }
    }

    @Test(arguments: [true, false])
    func aStreamThatStandsStillBeforeAKeyForAnotherPlayerIsEncrypted(isRefused: Bool) {
        var driver = StateDriver.playing
        driver.send(.protectedMedia)
        if isRefused {
            var segment = EngineRequest(url: "http://host/s1.ts", status: 503)
            segment.isOfDemuxer = true
            driver.send(.transfer(segment))
        }
        driver.advance(ms: EngineConfiguration().stallTimeoutMs + 1000)
        driver.poll(3000)
        driver.advance(ms: EngineConfiguration().stallTimeoutMs + 1000)
        driver.poll(3000)
        guard case .failed(let error) = driver.takeEvents().last else {
            Issue.record("what stands still for so long must fail")
            return
        }
        #expect(error.code == (isRefused ? .httpError : .encrypted))
    }

    @Test func timesNeverGoBack() {
        var state = PlaybackState(configuration: EngineConfiguration())
        state.handle(.command(.load("a")), at: 500)
        state.handle(.request(EngineRequest(url: "a", status: 200)), at: 400)
        #expect(state.removeReports().map(\.timeNs) == [500, 500])
    }

    @Test func aMissingDecoderIsNamedThoughThePipelineNeverPrerolls() {
        var state = StateDriver()
        state.send(.command(.load("a.mp4")), .missingDecoder(mediaType: "video/x-new", name: "new decoder"))
        state.advance(ms: 2001)
        state.send(.poll(EnginePoll()))
        guard case .failed(let error) = state.takeEvents().last else {
            Issue.record("a file without decoder must fail")
            return
        }
        #expect(error.code == .missingCodec)
    }

    @Test func aLoadWithoutMediaIsATimeoutOnTheNetworkAndDamageInAFile() {
        for (location, code) in [("http://h/a", EngineError.Code.loadTimeout), ("a.mp4", .corrupt)] {
            var state = StateDriver()
            state.send(.command(.load(location)))
            state.advance(ms: 20_001)
            state.send(.poll(EnginePoll()))
            guard case .failed(let error) = state.takeEvents().last else {
                Issue.record("a load without end must fail")
                return
            }
            #expect(error.code == code)
        }
    }

    @Test func aSoundTrackAloneIsNoSubstituteForAnUnknownPicture() {
        var media = EngineMedia.file
        media.hasVideo = false
        var state = StateDriver()
        state.send(
            .command(.load("a")),
            .missingDecoder(mediaType: "video/x-new", name: "new decoder"),
            .prerolled(media, positionMs: 0)
        )
        guard case .failed(let error) = state.takeEvents().last else {
            Issue.record("a missing picture must fail")
            return
        }
        #expect(error.code == .missingCodec)
        #expect(error.detail == "new decoder")
    }
}
