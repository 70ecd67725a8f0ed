import PlaybackEngine
import Testing

/// How long a file says that it is, and how long it turns out to be.
struct AnnouncedLengthTests {
    private func loaded(_ media: EngineMedia, announcedMs: Int64?) -> EngineMedia? {
        var driver = StateDriver()
        driver.send(.command(.load("http://host/a.mp4")))
        if let announcedMs { driver.send(.fileAnnounced(durationMs: announcedMs)) }
        driver.send(.prerolled(media, positionMs: 0))
        for case .loaded(let media) in driver.takeEvents() { return media }
        return nil
    }

    @Test func aFileThatNamesItsDurationIsNoLiveStream() {
        var media = EngineMedia.file
        media.durationMs = nil
        media.isLive = true
        #expect(loaded(media, announcedMs: nil)?.isLive == true)
        let known = loaded(media, announcedMs: 6000)
        #expect(known?.isLive == false && known?.durationMs == 6000)
        // What the engine knows counts more.
        #expect(loaded(.file, announcedMs: 6000)?.durationMs == 20_000)
    }

    @Test func aDownloadThatEndsInTheMidstOfAFileBrokeOff() {
        let lengths: [(Int64?, EngineError.Code)] = [(nil, .connectionLost), (90_000, .truncated)]
        for (length, code) in lengths {
            var driver = StateDriver.playing
            var request = EngineRequest(url: "http://host/a.mp4", status: 200)
            request.contentLength = length
            driver.send(.request(request), .fileCutOff)
            driver.advance(ms: 3000)
            driver.poll(3000)
            driver.send(.endOfStream(mediaEndMs: 3000))
            guard case .failed(let error) = driver.takeEvents().last else {
                Issue.record("what broke off must fail")
                return
            }
            #expect(error.code == code)
        }
    }

    @Test func theDurationFollowsWhatIsPlayed() {
        var driver = StateDriver.playing
        for positionMs in [20_500, 21_000, 21_500] as [Int64] {
            driver.advance(ms: positionMs - 20_000 + (positionMs == 20_500 ? 20_000 : 0))
            driver.poll(positionMs)
        }
        #expect(driver.takeEvents().filter { if case .durationChanged = $0 { true } else { false } }.count == 1)
        driver.send(.endOfStream(mediaEndMs: 22_300))
        let events = driver.takeEvents()
        #expect(events.contains(.durationChanged(durationMs: 22_300)))
        #expect(events.last == .endOfStream(positionMs: 22_300))
    }

    @Test func protectedDASHIsEncryptedWhateverTheEngineSays() {
        for (text, code) in [("<MPD><ContentProtection/></MPD>", EngineError.Code.encrypted), ("<MPD/>", .corrupt)] {
            var driver = StateDriver.playing
            driver.send(.manifest(text), .error(RawEngineError(domain: "gst-stream-error-quark", code: 7)))
            guard case .failed(let error) = driver.takeEvents().last else {
                Issue.record("an error must fail")
                return
            }
            #expect(error.code == code)
        }
        var waiting = StateDriver()
        waiting.send(.command(.load("http://host/a.mpd")), .manifest("<MPD><ContentProtection/></MPD>"))
        waiting.advance(ms: 20_001)
        waiting.poll(0)
        guard case .failed(let error) = waiting.takeEvents().last else {
            Issue.record("a load that takes too long must fail")
            return
        }
        #expect(error.code == .encrypted)
    }
}
